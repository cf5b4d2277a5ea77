"""What can be set of AutoPlan: of its episodes, and of how it learns."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from quintet.ports.model import SamplingOverride


class AutoPlanConfig(BaseModel):
    """AutoPlan's episodes. Where an environment's defaults differ from these, `AutoPlan.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    max_steps: int = Field(default=35, ge=1)
    """The paper's T: budget of turns. A turn is a thought, an action and a formal action: up to three model calls."""

    patience: int | None = Field(default=None, ge=1)
    """Rejected or unreadable actions in a row after which it gives up. None: never before its turns are used up, as in
    the paper."""

    formalize: Literal["always", "illegal"] = "always"
    """Which actions the formalizer rewrites: all, as in the paper, or those that the world would not carry out as they
    are."""

    demonstrations: Literal["none", "task"] = "none"
    """Which worked examples stand in place of the plan. `task`: two whole tasks of the task's own type, the paper's
    ReAct with 2 shots. `none`: none at all; without a plan, the paper's ReAct with 0 shots."""


class AutoPlanLearning(BaseModel):
    """How AutoPlan learns. Where an environment's defaults differ from these, `AutoPlanLearner.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    batch: int = Field(default=4, ge=1)
    """The paper's B: tasks whose experience one update is made from; at most the training tasks."""

    iterations: int | None = Field(default=None, ge=1)
    """The paper's I: updates. None: as many batches as the training tasks make."""

    eval_every: int = Field(default=1, ge=0)
    """The test tasks are run with the plan at the start, with every so-many-th plan after it, and with the chosen one.
    0: with the chosen one only."""

    select: Literal["last", "best"] = "last"
    """Which plan is chosen: the last, as in the paper, or the one with which most of the held-out tasks succeed; of
    several such plans, the latest."""

    reflection: Literal["full", "summary", "none"] = "full"
    """What is reflected of an episode. `full`: summary, flaws and revision; `summary`: the paper's ablation; `none`: an
    update is told of tasks and results alone (ours)."""

    one_conversation: bool = False
    """Whether summary, flaws and revision are asked for in one conversation, and no revision while there is no plan, as
    by the paper's code; else apart, as in its equations."""

    sampling_scope: Literal["everything", "episodes"] = "everything"
    """Where `temperature` and `top_p` hold. `everything`: in episodes that are learnt from, reflections and updates, as
    in the paper; `episodes`: in the former alone, as in the paper's code, and the models of reflector and planner are
    drawn from as they are configured."""

    temperature: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """While optimising. The paper does not say."""

    top_p: float = Field(default=0.9, gt=0, le=1, allow_inf_nan=False)
    """While optimising: the share of probability that completions are drawn from."""

    @property
    def exploration_sampling(self) -> SamplingOverride:
        """How far completions vary while optimising."""
        return SamplingOverride(temperature=self.temperature, top_p=self.top_p)

    @property
    def reflection_sampling(self) -> SamplingOverride | None:
        """How far those of reflector and planner do; None: as they are configured."""
        return self.exploration_sampling if self.sampling_scope == "everything" else None
