"""The two texts of a page: that of the client that agents are prompted with, and that of the released environment."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from quintet.environments.webshop.pages import PagePart

PageText: TypeAlias = Literal["client", "gym"]
"""`client`: a part a line, with what can be clicked in brackets. `gym`: parts between ` [SEP] `."""

INVALID_ACTION = "Invalid action!"
_THANKS = "Thank you for shopping with us!"
_SCORE = "Your score (min 0.0, max 1.0)"


def render(parts: Sequence[PagePart], form: PageText) -> str:
    """A page as text."""
    if form == "client":
        return "\n".join(part.client for part in parts)
    return " [SEP] ".join(text for part in parts for text in part.gym)


def said_on_click(value: str) -> str:
    """The client's answer when an option's value was chosen."""
    return f"You have clicked {value}."


def score_page(reward: float, form: PageText) -> str:
    """The page after a purchase."""
    return f"{_SCORE}: {reward}" if form == "client" else f"{_THANKS} [SEP] {_SCORE} [SEP] {reward}"
