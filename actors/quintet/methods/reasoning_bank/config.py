"""ReasoningBank's configuration: of its episodes, and of its learner."""

from typing import Literal

from pydantic import Field

from quintet.methods.base.notes_learner import NotesOptions
from quintet.methods.base.options import MethodOptions
from quintet.ports.model import SamplingOverride


class ReasoningBankConfig(MethodOptions):
    """Configuration of episodes: memory-aware test-time scaling (MaTTS)."""

    scaling: Literal["none", "parallel", "sequential"] = "none"
    """`none`: one attempt at a task. `parallel`: several at once, sampled apart, of which the model chooses one.
    `sequential`: one after the other, each of which checks the one before; the last one counts."""

    attempts: int = Field(default=3, ge=1)
    """With scaling: attempts at a task."""

    temperature: float = Field(default=0.7, ge=0, allow_inf_nan=False)
    """Of the executor in parallel attempts."""

    top_p: float = Field(default=1.0, gt=0, le=1, allow_inf_nan=False)
    """Of the same: the probability mass of nucleus sampling."""

    @property
    def number(self) -> int:
        """How many attempts a task gets."""
        return 1 if self.scaling == "none" else self.attempts

    @property
    def sampling(self) -> SamplingOverride:
        """Of parallel attempts."""
        return SamplingOverride(temperature=self.temperature, top_p=self.top_p)


class ReasoningBankLearning(NotesOptions):
    """Configuration of the learner. `ReasoningBankLearner.worlds` lists environments with other defaults."""

    most: int = Field(default=3, ge=1)
    """The most notes of a task."""
