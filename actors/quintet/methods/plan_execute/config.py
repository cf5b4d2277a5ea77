"""Plan-and-Execute's configuration."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from quintet.methods.adapt.config import HandOn, check_hand_on
from quintet.methods.base.options import MethodOptions


class PlanExecuteConfig(MethodOptions):
    """Plan-and-Execute's configuration. Where an environment's defaults differ, `PlanExecute.worlds` says so."""

    plan_form: Literal["detailed", "collapsed"] = "detailed"
    """`detailed`: the planner is asked once, for a plan in which every step can be executed. `collapsed`: it is asked
    for ADaPT's short plan, then for one of each step, and so on for `levels`; all of them make one plan."""

    levels: int = Field(default=2, ge=1)
    """How many levels of ADaPT's plans a collapsed plan has. The defaults are ADaPT's `max_depth` less one."""

    rollback: bool = True
    """The world for the next alternative of an OR. True: a copy made before the first. False: the world as the failed
    one left it."""

    hand_on: HandOn = "nothing"
    """What every step sees of the world's state at its start, as in ADaPT."""

    @field_validator("hand_on")
    @classmethod
    def _check_hand_on(cls, hand_on: HandOn, info: ValidationInfo) -> HandOn:
        return check_hand_on(hand_on, info)
