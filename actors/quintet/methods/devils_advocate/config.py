"""The configuration of trials of plans, which Plan+Act shares, and Devil's Advocate's own."""

from typing import Literal, TypeAlias

from pydantic import Field, ValidationInfo, field_validator

from quintet.methods.base.options import MethodOptions

AlignmentSource: TypeAlias = Literal["judged", "random", "off"]


class PlanTrialConfig(MethodOptions):
    """Options of every method that makes trials of plans."""

    alignment: AlignmentSource = "judged"
    """Which actions serve their step of the plan. `judged`: those of which the model says so. Two controls ask as
    usual, since the history needs what the model says of an action, and drop its verdict. `random`: a coin decides.
    `off`: all of them do."""

    revision: bool = True
    """Whether a plan that failed is revised. False: every trial has the first plan."""

    max_actions: int = Field(default=30, ge=1)
    """Actions that are carried out, those that are gone back on and those that the world rejects included."""

    limit_per: Literal["task", "trial"] = "task"
    """What `max_actions` bounds: all trials together, or each."""

    trials: int = Field(default=7, ge=1)
    """Trials, the first included. The paper gives no figure; its figure 5 ends at seven."""

    summarize_above: int | None = Field(default=3_840, ge=1)
    """Characters of an observation beyond which a summary stands in its place, except where an action or the answer is
    asked for; None: never. The default is half of what WebArena shows of a page, since alignment shows two."""

    temperature: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """Of all its calls, with a top_p of 1. At 0 the remedies of an action are one, which is asked for once."""


class DevilsAdvocateConfig(PlanTrialConfig):
    """Devil's Advocate's configuration."""

    remedies: int = Field(default=2, ge=0)
    """The paper's R, which it does not state: alternatives to every action. Equal ones count once. 0: none, and the
    method never goes back."""

    speculate: bool = False
    """Whether remedies are tried ahead of need, each on a copy of the world, while the action is carried out and judged
    (ours). It costs the calls of remedies that are never needed. Leave it off where a step has lasting effects."""

    @field_validator("speculate")
    @classmethod
    def _check_speculate(cls, value: bool, others: ValidationInfo) -> bool:
        if value and others.data.get("remedies") == 0:
            raise ValueError("expected false with remedies = 0, since there is nothing to try")
        return value
