"""What the world says: in the words of ReAct, AutoPlan or Reflexion.

The texts are those of the released environments, so that the papers' prompts fit.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

WordingName: TypeAlias = Literal["react", "autoplan", "reflexion"]

SETTING = "Interact with Wikipedia using search[], lookup[], and finish[]."


class Wording(Struct, frozen=True, kw_only=True):
    """The texts of one release, and in what else its actions differ."""

    not_found: str
    """Of `title` and `similar`."""
    list_titles: Callable[[Sequence[str]], str]
    result: str = "(Result {number} / {count}) {sentence}"
    no_result: str = "No more results."
    """Where the keyword is nowhere on the page."""
    no_more: str = "No more results."
    no_page: str = "No more results."
    """Where there is no page to look in."""
    finished: tuple[str, str] = ("Episode finished, reward = 0", "Episode finished, reward = 1")
    """After a wrong answer, and after a correct one."""
    invalid: str = "Invalid action: {action}"
    shown: int | None = 5
    """How many of a page's sentences a search shows; None: all."""
    exact_title: bool = False
    """A search finds a title only if it is written as in the corpus; otherwise case, accents and blanks may differ."""
    last_action: bool = False
    """The last action in a text counts; otherwise the text must be one action."""
    forgets_page: bool = False
    """After a search that finds nothing there is no page to look in; otherwise the page before it stays."""


WORDINGS: dict[str, Wording] = {
    "react": Wording(
        not_found="Could not find {title}. Similar: {similar}.",
        list_titles=lambda titles: str(list(titles)),
    ),
    "autoplan": Wording(
        not_found='Could not find exact match of "{title}". Available entities in the database: {similar}. '
        "A search needs every character of a title.",
        list_titles=lambda titles: ", ".join(f'"{title}"' for title in titles),
        exact_title=True,
        last_action=True,
    ),
    "reflexion": Wording(
        not_found="Could not find [{title}]. Similar: {similar}",
        list_titles=lambda titles: str(list(titles)),
        result="(Result {number}/{count}) {sentence}",
        no_result="No Results",
        no_more="No More Results",
        no_page="The last page Searched was not found, so you cannot Lookup a keyword in it. "
        "Please try one of the similar pages given.",
        finished=("Answer is INCORRECT", "Answer is CORRECT"),
        invalid="Invalid Action. Valid Actions are Lookup[<topic>] Search[<topic>] and Finish[<answer>].",
        shown=None,
        forgets_page=True,
    ),
}
