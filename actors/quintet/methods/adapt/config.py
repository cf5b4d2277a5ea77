"""ADaPT's configuration."""

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from quintet.methods.react.demonstrations import Demonstrated

HandOn: TypeAlias = Literal["nothing", "inventory", "last_action"]
Alternatives: TypeAlias = Literal["sequential", "parallel"]


class AdaptConfig(BaseModel):
    """ADaPT's configuration. Where an environment's defaults differ from these, `Adapt.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    max_depth: int = Field(default=3, ge=1)
    """The paper's dmax: levels of recursion. Level 1 is the task itself, so with 1 the planner is never asked."""

    executor_calls: int = Field(default=20, ge=1)
    """Budget of model calls of every executor run; one call is one thought with its action."""

    patience: int = Field(default=5, ge=1)
    """Rejected or unreadable actions in a row after which an executor run gives up."""

    rollback: bool = True
    """The world after a failed attempt. True: a copy made before the attempt. False: the world as the attempt left
    it."""

    alternatives: Alternatives = Field(default="sequential", alias="or")
    """`method.or`: how the parts of an OR run. `sequential`: in order until one is solved, as published. `parallel`:
    all at once, each on a copy of the world; the first that is solved goes on, and the others are stopped."""

    hand_on: HandOn = "nothing"
    """What every executor run sees of the world's state at its start. `inventory`: the world's answer to the action
    `inventory`, which costs no model call. `last_action`: the last action of the subtask solved before, with the
    world's answer to it."""

    demonstrations: Demonstrated | None = None
    """Which worked examples the executor sees, if the environment has several sets. `atomic`: single skills; `hybrid`:
    single skills and the same two whole tasks for every task; `paper`: `hybrid` with ADaPT's six skills, which do not
    include finding; `task`: two whole tasks of the task's own type. None: the environment has one set."""
