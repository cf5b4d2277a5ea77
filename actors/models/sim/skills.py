"""How well a simulated model reads: its levels of skill, each weak in one way."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Skill:
    """How far a level reads. None is no limit."""

    name: str
    window: int | None = None
    """How many steps of the conversation it reads, the last ones. Instructions and task are no steps."""
    recipes_deep: int | None = None
    """How many recipes it follows down from its goal; what lies deeper it takes for something to be fetched."""
    in_plain_sight: bool = False
    """It searches only what stands open, unless its goal names what is to be searched."""
    misled: bool = False
    """It begins with wrong beliefs about how things work, until a text says otherwise."""


WEAK = Skill("weak", window=2, misled=True)
SHALLOW = Skill("shallow", recipes_deep=1, in_plain_sight=True, misled=True)
STRONG = Skill("strong")
