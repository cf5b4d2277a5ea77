"""ADaPT's configuration."""

from typing import Literal, TypeAlias

from pydantic import Field, ValidationInfo, field_validator

from quintet.methods.base.options import MethodOptions

HandOn: TypeAlias = Literal["nothing", "inventory", "last_action", "page"]
Alternatives: TypeAlias = Literal["sequential", "parallel"]


class AdaptConfig(MethodOptions):
    """ADaPT's configuration. Where an environment's defaults differ from these, `Adapt.worlds` says so."""

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
    world's answer to it. `page`: the page that the subtasks solved before left open, and the product that they opened
    last; the planner sees both too, and which subtasks have failed."""

    plan_first: bool = False
    """Whether the whole task is planned without an attempt at it, as the released code does on WebShop. False: it is
    attempted first, as published. Subtasks are attempted first in either case, and so is a task that may not be
    decomposed."""

    @field_validator("hand_on")
    @classmethod
    def _check_hand_on(cls, hand_on: HandOn, info: ValidationInfo) -> HandOn:
        return check_hand_on(hand_on, info)


def check_hand_on(hand_on: HandOn, info: ValidationInfo) -> HandOn:
    """Refuse a page that would not be the one that is open, after an attempt that is not taken back."""
    if hand_on == "page" and not info.data.get("rollback", True):
        raise ValueError("expected rollback = true with it, got false: failed subtasks would leave other pages open")
    return hand_on
