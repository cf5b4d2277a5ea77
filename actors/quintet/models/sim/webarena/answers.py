"""Finds on a page what a question asks for: a value of the right form beside the words of the question."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from quintet.models.sim.webarena.asking import IMPLIED, AnswerType
from quintet.models.sim.webarena.listing import WebItem
from quintet.models.sim.webarena.page import FIELDS, LINKS, BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.ranks import WebRank
from quintet.models.sim.webarena.tables import day_of, ranked_in
from quintet.models.sim.webarena.task import WebGoal, read_web_goal
from quintet.models.sim.webarena.words import web_stems

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_FORMS: Mapping[AnswerType, re.Pattern[str]] = {
    "money": re.compile(rf"\$ ?{_NUMBER}"),
    "number": re.compile(rf"(?<![\w$.,/-]){_NUMBER}(?![\w/:-]|[.,]\d)"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "phone": re.compile(r"\+?\(?\d[\d ()-]{6,18}\d"),
    "date": re.compile(
        rf"{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {_MONTH}(?: \d{{4}})?|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}|\d{{4}}-\d\d-\d\d"
    ),
}
_BY = re.compile(
    r"(?:\A|\b(?:posted|written|submitted|reviewed|review|created|opened|commented|made) )by:? "
    r"([A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}|[\w.-]+)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?P<label>[^:]{1,40}): ?(?P<value>\S.*)")
_LABELS = frozenset(
    ("StaticText", "rowheader", "cell", "term", "heading", "LabelText", "strong", "DescriptionListTerm")
)
_NO_VALUES = FIELDS | {"RootWebArea", "button", "tab", "option", "columnheader", "row", "combobox", "table"}
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
    own: int = 0
    """How many of the question's words stand in the same text."""

    @property
    def sure(self) -> bool:
        """Whether enough is said of it to take it for the answer."""
        likely = self.called and self.share >= _HALF and self.near > 1
        return likely or (self.share >= _ENOUGH and self.near > 0)


@lru_cache(maxsize=4096)
def answers_on(goal: WebGoal, page: BrowsedPage) -> tuple[FoundAnswer, ...]:
    """The values of the right form, the best first, each once."""
    if goal.both:
        return _both_on(goal, page)
    found: dict[str, FoundAnswer] = {}
    times: dict[str, int] = {}
    for place, value in _values(goal, page):
        each = _weighed(goal, page, place, value)
        if value not in found or each[1:] > found[value][1:]:
            found[value], times[value] = each, _time_order(goal, page, place)
    best = sorted(found.values(), key=lambda each: (-each.share, -each.own, times[each.value], -each.near))
    ranked = ranked_in(goal, page)
    if ranked is not None:
        value = f"{ranked.value}, {ranked.figure}" if goal.counted else ranked.value
        return (_certain(value), *(each for each in best if each.value != value))
    if goal.rank is not None and not goal.rank.of_time and len(best) > 1:
        return tuple(each._replace(share=each.share / 2, called=False) for each in best)  # nothing says which is meant
    if goal.here and goal.words <= IMPLIED[goal.asked] and found and not best[0].sure:
        first = next(iter(found))
        return (_certain(first), *(each for each in best if each.value != first))
    return tuple(best)


def ranked_answer(goal: WebGoal, rank: WebRank, item: WebItem, page: BrowsedPage) -> tuple[FoundAnswer, ...]:
    """The price of the cheapest, the date of the newest, or the name of either."""
    form = _FORMS.get(goal.asked)
    compared: AnswerType = "date" if rank.of_time else "money"
    if goal.asked == "name":
        return () if item.link is None else (_certain(item.link.name),)
    if form is None or goal.asked != compared:
        return ()
    found = (form.search(node.name) for node in item.nodes(page))
    return tuple(_certain(each[0]) for each in found if each)[:1]


def _both_on(goal: WebGoal, page: BrowsedPage) -> tuple[FoundAnswer, ...]:
    """The answers to all of its questions in one, if each is found."""
    found = [next(iter(answers_on(read_web_goal(each), page)), None) for each in goal.both]
    known = [each for each in found if each is not None and each.sure]
    return (_certain(", ".join(each.value for each in known)),) if len(known) == len(goal.both) else ()


def _certain(value: str) -> FoundAnswer:
    return FoundAnswer(value, share=1.0, near=1, called=True)


def _time_order(goal: WebGoal, page: BrowsedPage, place: int) -> int:
    """Where a question asks for the last or the first: how late its row is, the one that is meant first."""
    if goal.rank is None or not goal.rank.of_time:
        return 0
    days = (day_of(page.nodes[each].name) for each in page.rows.get(place, ()))
    day = next((each for each in days if each is not None), None)
    return 0 if day is None else day.toordinal() * (-1 if goal.rank.highest else 1)


def _values(goal: WebGoal, page: BrowsedPage) -> Iterator[tuple[int, str]]:
    form = _FORMS.get(goal.asked)
    begin = next((place for place, node in enumerate(page.nodes) if node.role == "heading"), 0)
    elsewhere = _other_columns(goal, page)
    for place, node in enumerate(page.nodes):
        if node.role in _NO_VALUES or place in elsewhere or (goal.here and place < begin):
            continue
        if form is None:
            yield from ((place, value) for value in _said(goal, page, place, node))
        else:
            told = (value[0].strip(" ()") for value in form.finditer(node.name) if not _is_id(value[0]))
            yield from ((place, value) for value in told if not _is_asked(goal, value))


def _other_columns(goal: WebGoal, page: BrowsedPage) -> set[int]:
    """The cells of tables that have a column of what is asked for, but for that column's."""
    others: set[int] = set()
    for table in page.tables:
        named = [bool(web_stems(head) & goal.focus) for head in table.headers]
        if any(named):
            others.update(place for row in table.rows for place, right in zip(row, named, strict=True) if not right)
    return others


def _said(goal: WebGoal, page: BrowsedPage, place: int, node: BrowsedNode) -> Iterator[str]:
    """Words that a label or the head of a column calls what is asked for."""
    if not node.name.strip():
        return
    if goal.asked == "name" and node.role not in LINKS and (by := _BY.search(node.name)):
        yield by[1]
    labelled = _LABEL.fullmatch(node.name)
    if labelled and _is_label(goal, page, labelled["label"]):
        yield labelled["value"].strip()
    before = _before(page, place)
    if before is not None and _is_label(goal, page, before.name) and node.stems != before.stems:
        yield node.name.strip()
    if _is_label(goal, page, page.heads.get(place, "")):
        yield node.name.strip()


def _before(page: BrowsedPage, place: int) -> BrowsedNode | None:
    """The label that stands before a node, with nothing between them but nodes without a name; no text of a field."""
    for each in range(place - 1, max(0, place - _NEXT_TO) - 1, -1):
        node = page.nodes[each]
        if node.name.strip():
            held = each > 0 and page.nodes[each - 1].role in FIELDS and page.nodes[each - 1].depth < node.depth
            return node if node.role in _LABELS and not held else None
    return None


def _is_label(goal: WebGoal, page: BrowsedPage, label: str) -> bool:
    """Whether a label is what is asked for. Where the page's title has it already, another word of the question is."""
    stems = web_stems(label)
    asked = goal.focus or goal.words
    if asked <= page.heading_stems:
        asked = goal.words - page.heading_stems
    return bool(stems) and len(stems) <= len(asked) + 1 and bool(stems & asked) and stems <= web_stems(goal.text)


def _weighed(goal: WebGoal, page: BrowsedPage, place: int, value: str) -> FoundAnswer:
    node = page.nodes[place]
    row = [page.nodes[each].name for each in page.rows.get(place, ())]
    around = _around(page, place)
    after = [each.name for each in page.nodes[place + 1 : place + 2]] if goal.asked == "number" else []
    beside = row or [*around[:1], *around[-1:]]
    near = web_stems(" ".join((node.name, page.heads.get(place, ""), *beside, *after)))
    if goal.asked == "text":
        near -= web_stems(value)
    about: set[str] = set(near | page.heading_stems)
    if not row:
        about |= web_stems(" ".join(around))
    asked: set[str] = set(goal.words | goal.focus if goal.asked == "text" else goal.words)
    share = len(asked & about) / len(asked) if asked else 0.0
    counts = goal.asked == "number" and f"of {value} " in f"{node.name} "
    own = len(asked & node.stems)
    return FoundAnswer(value, share, len(asked & near) + counts, bool(goal.focus & near), own)


def _is_asked(goal: WebGoal, value: str) -> bool:
    """Whether a question says a value itself, so that it is none that it asks for."""
    return value in goal.text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", goal.text) is not None


def _is_id(value: str) -> bool:
    return len(value) > 1 and value.startswith("0") and value.isdigit()


def _around(page: BrowsedPage, place: int) -> list[str]:
    """What stands before a node, from the heading above it on."""
    first = max(0, place - _BEFORE)
    headings = (each for each in range(place - 1, first - 1, -1) if page.nodes[each].role == "heading")
    begin = next(headings, max(0, place - _NEXT_TO))
    return [each.name for each in page.nodes[begin:place] if each.role != "RootWebArea" and each.name.strip()]
