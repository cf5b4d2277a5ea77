"""ExpeL's configuration: of its trials, and of its learner."""

from pydantic import Field

from quintet.methods.base.notes_learner import NotesOptions
from quintet.methods.base.options import MethodOptions


class ExpelConfig(MethodOptions):
    """Configuration of the trials that gather experience; all other episodes are one attempt."""

    trials: int = Field(default=4, ge=1)
    """Attempts at a training task, the first included: the released code reflects three times at most."""

    memory: int = Field(default=3, ge=1)
    """How many reflections a trial is shown, the newest ones; see Reflexion."""


class ExpelLearning(NotesOptions):
    """Configuration of the learner. `ExpelLearner.worlds` lists environments with other defaults."""

    window: int | None = Field(default=None, ge=1)
    """None: experience is gathered from all training tasks first, as in the paper."""

    successes: int = Field(default=8, ge=1)
    """Successful attempts, of as many tasks, that are shown to the curator at once. The released code's."""

    operations: int = Field(default=4, ge=1)
    """The most operations in an answer, as the released prompts have it."""

    insights: int = Field(default=20, ge=1)
    """With so many none is added, until one is removed, nor within one answer. The released code's number, from which
    on it asks to add none but the best."""
