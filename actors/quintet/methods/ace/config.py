"""Configuration of ACE's learner."""

from typing import Annotated, Literal

from pydantic import Field

from quintet.methods.base.notes_learner import NotesOptions
from quintet.ports.effects import Effect

BUDGET = 80_000
"""Tokens of a playbook."""


class AceLearning(NotesOptions):
    """Configuration of the learner. `AceLearner.worlds` lists environments with other defaults.

    Offline, `rounds` is the paper's number of epochs, and `feedback` whether it has labels.
    """

    reflections: int = Field(default=3, ge=1)
    """Rounds of reviewing a failed attempt, each of which refines the one before; fewer where one changes nothing. A
    successful attempt is reviewed once."""

    sections: Annotated[tuple[str, ...], Effect.NONE] = Field(
        default=("strategies", "mistakes to avoid", "the world", "others"), min_length=1
    )
    """Of the playbook. The last one takes what belongs to none. The paper has those of its own worlds."""

    additions: int = Field(default=5, ge=1)
    """The most notes that are added after an attempt (ours)."""

    merge: Literal["each", "full", "never"] = "each"
    """When notes are compared that are new since the last time: in every version after that which added them, or once
    the playbook is larger than `budget`, or never. All but the last need an embedder (`memory.embedder`)."""

    similarity: float = Field(default=0.9, gt=0, le=1)
    """The cosine above which a note is merged into an older one."""

    budget: int = Field(default=BUDGET, ge=1)
    """Tokens of the playbook above which `merge = full` merges, where four bytes count as a token."""
