"""Finds on a page what a question asks for: a value of the right form beside the words of the question."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quintet.models.sim.webarena.page import FIELDS, BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.task import AnswerType, WebGoal
from quintet.models.sim.webarena.words import web_stems

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_FORMS: Mapping[AnswerType, re.Pattern[str]] = {
    "money": re.compile(rf"\$ ?{_NUMBER}"),
    "number": re.compile(rf"(?<![\w$.,/-]){_NUMBER}(?![\w/:-]|[.,]\d)"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "phone": re.compile(r"\+?\(?\d[\d ()-]{6,18}\d"),
    "date": re.compile(
        rf"{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}|\d{{4}}-\d\d-\d\d"
    ),
}
_BY = re.compile(r"\bby:? ([A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}|[\w.-]+)", re.IGNORECASE)
_LABEL = re.compile(r"(?P<label>[^:]{1,40}): ?(?P<value>\S.*)")
_LABELS = frozenset(
    ("StaticText", "rowheader", "cell", "term", "heading", "LabelText", "strong", "DescriptionListTerm")
)
_NO_VALUES = FIELDS | {"RootWebArea", "option", "columnheader", "row", "combobox", "table"}
_BEFORE = 12
"""Nodes back to the heading that a value belongs to, at most."""
_NEXT_TO = 3
"""Nodes before a value that belong to it, where there is no heading."""
_ENOUGH, _HALF = 0.75, 0.5


class FoundAnswer(NamedTuple):
    """A value that may be the answer."""

    value: str
    share: float
    """Of the words that the question is about, those that stand around it; in [0, 1]."""
    near: int
    """How many of them stand right beside it."""
    called: bool
    """What is asked for stands beside it, in the question's words."""

    @property
    def sure(self) -> bool:
        """Whether enough is said of it to take it for the answer."""
        likely = self.called and self.share >= _HALF and self.near > 1
        return likely or (self.share >= _ENOUGH and self.near > 0)


def answers_on(goal: WebGoal, page: BrowsedPage) -> list[FoundAnswer]:
    """The values of the right form, the best first, each once."""
    found: dict[str, FoundAnswer] = {}
    for place, value in _values(goal, page):
        each = _weighed(goal, page, place, value)
        if value not in found or each[1:] > found[value][1:]:
            found[value] = each
    return sorted(found.values(), key=lambda each: (-each.share, -each.near))


def _values(goal: WebGoal, page: BrowsedPage) -> Iterator[tuple[int, str]]:
    form = _FORMS.get(goal.asked)
    for place, node in enumerate(page.nodes):
        if node.role in _NO_VALUES:
            continue
        if form is None:
            yield from ((place, value) for value in _said(goal, page, place, node))
        else:
            yield from ((place, value[0].strip(" ()")) for value in form.finditer(node.name) if not _is_id(value[0]))


def _said(goal: WebGoal, page: BrowsedPage, place: int, node: BrowsedNode) -> Iterator[str]:
    """Words that a label or the head of a column calls what is asked for."""
    if goal.asked == "name" and (by := _BY.search(node.name)):
        yield by[1]
    labelled = _LABEL.fullmatch(node.name)
    if labelled and _is_label(goal, labelled["label"]):
        yield labelled["value"].strip()
    before = page.nodes[place - 1] if place else None
    if before is not None and before.role in _LABELS and _is_label(goal, before.name) and node.stems != before.stems:
        yield node.name.strip()
    if _is_label(goal, _header(page, place)):
        yield node.name.strip()


def _is_label(goal: WebGoal, label: str) -> bool:
    stems = web_stems(label)
    asked = goal.focus or goal.words
    return bool(stems) and len(stems) <= len(asked) + 1 and bool(stems & asked) and stems <= web_stems(goal.text)


def _header(page: BrowsedPage, place: int) -> str:
    """The head of a cell's column; empty where there is none."""
    cells = page.rows.get(place, ())
    column = cells.index(place) if place in cells else -1
    return page.headers[column] if 0 <= column < len(page.headers) == len(cells) else ""


def _weighed(goal: WebGoal, page: BrowsedPage, place: int, value: str) -> FoundAnswer:
    node = page.nodes[place]
    row = [page.nodes[each].name for each in page.rows.get(place, ())]
    around = _around(page, place)
    after = [each.name for each in page.nodes[place + 1 : place + 2]] if goal.asked == "number" else []
    beside = row or [*around[:1], *around[-1:]]
    near = web_stems(" ".join((node.name, _header(page, place), *beside, *after)))
    if goal.asked == "text":
        near -= web_stems(value)
    about: set[str] = set(near | page.heading_stems)
    if not row:
        about |= web_stems(" ".join(around))
    asked: set[str] = set(goal.words | goal.focus if goal.asked == "text" else goal.words)
    share = len(asked & about) / len(asked) if asked else 0.0
    counts = goal.asked == "number" and re.search(rf"\bof {re.escape(value)}\b", node.name) is not None
    return FoundAnswer(value, share, len(asked & near) + counts, bool(goal.focus & goal.words & near))


def _is_id(value: str) -> bool:
    return len(value) > 1 and value.startswith("0") and value.isdigit()


def _around(page: BrowsedPage, place: int) -> list[str]:
    """What stands before a node, from the heading above it on."""
    first = max(0, place - _BEFORE)
    headings = (each for each in range(place - 1, first - 1, -1) if page.nodes[each].role == "heading")
    begin = next(headings, max(0, place - _NEXT_TO))
    return [each.name for each in page.nodes[begin:place] if each.role != "RootWebArea"]
