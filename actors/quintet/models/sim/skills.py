"""How well a simulated model reads: its levels of skill."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Skill:
    """How far a level reads. None is no limit."""

    name: str
    window: int | None = None
    """How many steps of the conversation it reads, the last ones. Instructions and task are no steps."""
    misled: bool = False
    """It begins with wrong beliefs about how things work, until a text says otherwise."""
    error_rate: float = 0.0
    """The share of questions that it misreads, in [0, 1]; see `misreading.py`."""


WEAK = Skill("weak", window=2, misled=True)
STRONG = Skill("strong")


def fallible(error_rate: float) -> Skill:
    """Strong, but for the questions that it misreads."""
    return Skill(f"fallible({error_rate:g})", error_rate=error_rate)
