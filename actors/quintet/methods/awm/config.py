"""Agent Workflow Memory's configuration: of its learner. Its episodes have no options."""

from pydantic import Field

from quintet.methods.base.notes_learner import NotesOptions


class AwmLearning(NotesOptions):
    """Configuration of the learner. `AwmLearner.worlds` lists environments with other defaults."""

    window: int | None = Field(default=None, ge=1)
    """Tasks that are played with one version. None: all of them, the paper's offline setting; 1: its online one."""

    most: int = Field(default=8, ge=1)
    """The most workflows of a prompt."""

    batch: int | None = Field(default=None, ge=1)
    """The most attempts in a prompt. None: all of a task type in a window."""
