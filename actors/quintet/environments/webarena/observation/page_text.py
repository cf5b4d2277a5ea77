"""What a model is shown: the tabs and the tree of the current one, cut; and the page read back from that text."""

import re
from ast import literal_eval
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from quintet.environments.webarena.observation.tree import PageTree, safe_words

PAGE_CHARACTERS: Final = 7_680
"""The published 1,920 tokens at four characters each."""
_LONGEST_TITLE = 100
_MOST_TABS = 20


def page_text(tabs: Sequence[str], current: int, tree: PageTree, limit: int = PAGE_CHARACTERS) -> str:
    """The observation of a page.

    Args:
        current: Which of them the tree is of, from 0.
        limit: In characters. Longer pages are cut at the end of a line, and a last line says so.

    Source: the released wording. Differs: characters instead of a model's tokens, and the last line
    (docs/decisions/worlds.md).
    """
    text = f"{_tab_line(tabs, current)}\n\n{tree.text}"
    if len(text) <= limit:
        return text
    lines = text.count("\n") + 1
    room = limit - len(_cut_line(0, lines)) - 1
    kept = text[: max(text.rfind("\n", 0, room + 1), 0)]
    return "\n".join((kept, _cut_line(kept.count("\n") + 1, lines)))[:limit]


def _cut_line(shown: int, lines: int) -> str:
    return f"(cut: {lines - shown} more lines)"


def _tab_line(tabs: Sequence[str], current: int) -> str:
    """The tabs, or the current one with some around it."""
    first = max(0, min(current - _MOST_TABS // 2, len(tabs) - _MOST_TABS))
    shown = range(first, min(first + _MOST_TABS, len(tabs)))
    marks = {current: " (current)"}
    return " | ".join(
        f"Tab {number}{marks.get(number, '')}: {safe_words(tabs[number], _LONGEST_TITLE)}" for number in shown
    )


_ELEMENT: Final = re.compile(r"""^\t*\[(\d+)\] (\w+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.MULTILINE)
_ADDRESS: Final = re.compile(r"^URL: (\S+)$", re.MULTILINE)


class ShownElement(NamedTuple):
    """An element in view."""

    number: int
    role: str
    name: str


class ShownPage(Struct, frozen=True):
    """What a text shows of a page."""

    url: str = ""
    """Empty: the text shows no page."""
    elements: Sequence[ShownElement] = ()

    def find(self, role: str, name: str, nth: int) -> int | None:
        """The number of the `nth` element of a role and a name, from 1; None: there is none.

        Blanks around a name do not count: some versions of the browser keep those of a label, others do not.
        """
        found = [each.number for each in self.elements if (each.role, each.name.strip()) == (role, name.strip())]
        return found[nth - 1] if len(found) >= nth else None


def read_shown_page(observation: str) -> ShownPage:
    """The page of an observation that `page_text` wrote, with its address below; the last one of several."""
    addresses = _ADDRESS.findall(observation)
    if not addresses:
        return ShownPage()
    elements = [
        ShownElement(int(number), role, literal_eval(name)) for number, role, name in _ELEMENT.findall(observation)
    ]
    return ShownPage(addresses[-1], elements)
