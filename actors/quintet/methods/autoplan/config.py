"""AutoPlan's configuration: of its episodes, and of its learner."""

from typing import Literal

from pydantic import Field

from quintet.methods.base.options import MethodOptions
from quintet.methods.base.versions import VersionOptions
from quintet.ports.model import SamplingOverride


class AutoPlanConfig(MethodOptions):
    """Configuration of episodes. `AutoPlan.worlds` lists environments with other defaults."""

    max_steps: int = Field(default=35, ge=1)
    """The paper's T: budget of turns. A turn is a thought, an action and a formal action: up to three model calls."""

    patience: int | None = Field(default=None, ge=1)
    """Rejected or unreadable actions in a row after which it gives up. None: only when its turns are used up, as in the
    paper."""

    formalize: Literal["always", "illegal"] = "always"
    """Which actions the formalizer rewrites: all, as in the paper, or those that the world would reject."""

    demonstrations: Literal["none", "only", "task"] = "none"
    """Which worked examples replace the plan. `only`: the environment's only set. `task`: two whole tasks of the task's
    own type, or where tasks have no types all that the environment has: the paper's ReAct with 2 or 6 shots. `none`:
    none; without a plan, the paper's ReAct with 0 shots."""


class AutoPlanLearning(VersionOptions):
    """Configuration of the learner. `AutoPlanLearner.worlds` lists environments with other defaults.

    The paper chooses the last plan.
    """

    batch: int = Field(default=4, ge=1)
    """The paper's B: tasks per update; at most the number of training tasks."""

    iterations: int | None = Field(default=None, ge=1)
    """The paper's I: updates. None: one for each batch of the training tasks."""

    reflection: Literal["full", "summary", "none"] = "full"
    """The parts of a reflection. `full`: summary, flaws and revision; `summary`: the paper's ablation; `none`: an
    update sees tasks and results alone (ours)."""

    one_conversation: bool = False
    """True: one conversation asks for summary, flaws and revision, and for no revision while there is no plan, as in
    the paper's code. False: separate prompts, as in its equations."""

    sampling_scope: Literal["everything", "episodes"] = "everything"
    """Where `temperature` and `top_p` apply. `everything`: to training episodes, reflections and updates, as in the
    paper; `episodes`: to training episodes alone, as in the paper's code, while reflector and planner keep their
    configured sampling."""

    temperature: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """During learning. The paper does not state it; 1 is its released code's."""

    top_p: float = Field(default=0.9, gt=0, le=1, allow_inf_nan=False)
    """During learning: the probability mass of nucleus sampling."""

    @property
    def exploration_sampling(self) -> SamplingOverride:
        """Sampling of training episodes."""
        return SamplingOverride(temperature=self.temperature, top_p=self.top_p)

    @property
    def reflection_sampling(self) -> SamplingOverride | None:
        """Sampling of reflector and planner; None: as configured."""
        return self.exploration_sampling if self.sampling_scope == "everything" else None
