"""ADaPT's configuration."""

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

HandOn: TypeAlias = Literal["nothing", "inventory", "last_action"]
Alternatives: TypeAlias = Literal["sequential", "parallel"]


class AdaptConfig(BaseModel):
    """ADaPT's configuration. Where an environment's defaults differ from these, `Adapt.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    max_depth: int = Field(default=3, ge=1)
    """The paper's dmax: levels of recursion. Level 1 is the task itself, so with 1 the planner is never asked."""

    rollback: bool = True
    """The world after a failed attempt. True: a copy made before the attempt. False: the world as the attempt left
    it."""

    alternatives: Alternatives = Field(default="sequential", alias="or")
    """`method.or`: how the parts of an OR run. `sequential`: in order until one is solved, as published. `parallel`:
    all at once, each on a copy of the world; the first that is solved goes on, and the others are stopped."""

    hand_on: HandOn = "nothing"
    """What every attempt sees of the world's state at its start. `inventory`: the world's answer to the action
    `inventory`, which costs no model call. `last_action`: the last action of the subtask solved before, with the
    world's answer to it."""
