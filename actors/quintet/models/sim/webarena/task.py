"""A prompt about websites: its goal, the page that it shows, and one step."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.transcript import GOAL_LINE, Exchange, PromptTask, goals_in, split_exchange
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from quintet.models.sim.webarena.words import quoted_in, says_nothing, stems_in_order, web_stems

WebPurpose: TypeAlias = Literal["answer", "show", "change"]
"""`answer`: say something that a page shows. `show`: end on a page. `change`: something on a site."""
AnswerType: TypeAlias = Literal["money", "number", "date", "email", "phone", "name", "text"]

_OBJECTIVE = re.compile(r"^[ \t]*objective[ \t]*:[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)
_ASKS = re.compile(
    r"(?:what|which|who|whom|whose|when|where|how|tell me|give me|get|list|return|count|name|is|are|was|were|does|do"
    r"|did|find out|among|compare)\b",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"(?:show|open|go to|navigate|take me|bring me|view|display|find|check out|see|browse|search|look up|look for|sort"
    r"|filter|visit)\b",
    re.IGNORECASE,
)


_LONGEST_SEARCH = 200
"""Characters that are typed into a search field."""
_TIMES = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)", re.ASCII
)


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_TYPES: Sequence[tuple[AnswerType, re.Pattern[str]]] = (
    ("email", _any_of(r"e-?mail")),
    ("phone", _any_of(r"phone|telephone")),
    ("number", _any_of(r"how many|number of|count|rating|score|votes|points|quantity|upvotes")),
    ("money", _any_of(r"price|cost|costs|how much|total|subtotal|amount|spent|paid")),
    ("date", _any_of(r"when|date|day")),
    ("name", _any_of(r"who|whom|whose|author|customer|user|name")),
)
"""In this order."""
_IMPLIED: Mapping[AnswerType, frozenset[str]] = {
    "money": web_stems("price cost costs amount much spent pay paid dollars"),
    "number": web_stems("number count many quantity total"),
    "date": web_stems("when date day"),
    "email": web_stems("email e-mail mail address"),
    "phone": web_stems("phone telephone number"),
    "name": web_stems("name author user username customer wrote written person"),
    "text": frozenset(),
}
"""Words of a question that the form of its answer stands for."""
_PART = re.compile(r"(?P<kind>open|find out|do|finish):\s*(?P<said>\S.*)", re.IGNORECASE)
_PURPOSES: Mapping[str, WebPurpose] = {"open": "show", "find out": "answer", "do": "change"}
_ANYWHERE = re.compile(r"the page that shows (?P<words>.+)", re.IGNORECASE)


@dataclass(frozen=True)
class WebGoal:
    """A goal, as it is read."""

    text: str
    purpose: WebPurpose
    asked: AnswerType
    words: frozenset[str]
    """The stems of what it is about, without the frame of the request and what the answer's form stands for."""
    focus: frozenset[str]
    """The stems of what is asked for: of `status` in `what is the status of order 12`."""
    quoted: tuple[tuple[int, str], ...]
    """What it quotes, with places."""
    part: bool = False
    """It is a part of a task, which ends without `stop`."""
    anywhere: bool = False
    """The page that is looked for may show the words in any place."""


@dataclass(frozen=True)
class WebPromptTask(PromptTask):
    """A task on websites."""

    goal: WebGoal
    page: BrowsedPage | None = None
    """The page that the prompt shows with the goal, the last if there are several."""


@lru_cache(maxsize=4096)
def read_web_task(text: str) -> WebPromptTask | None:
    """The task that a text ends with, perhaps after worked examples; None: it shows no page or no goal."""
    if "Tab 0" not in text:
        return None
    asked = goals_in(text) or [said.rstrip(" \t.") for said in _OBJECTIVE.findall(text)]
    if not asked:
        return None
    page = read_web_page(_last_page(GOAL_LINE.sub("", text)))
    return None if page is None else WebPromptTask(asked[-1], read_web_goal(asked[-1]), page)


def _last_page(text: str) -> str:
    """From the last line of tabs on."""
    return text[max(text.rfind("Tab 0: "), text.rfind("Tab 0 (current): "), 0) :]


@lru_cache(maxsize=4096)
def read_web_goal(text: str) -> WebGoal:
    """What a goal asks for, by plain English."""
    plain = " ".join(text.split())
    found = _PART.fullmatch(plain)
    if found and found["kind"].lower() == "finish":
        return read_web_goal(found["said"])
    if found:
        plain = found["said"]
        purpose = _PURPOSES[found["kind"].lower()]
    else:
        purpose = _purpose(plain)
    asked = _asked(plain) if purpose == "answer" else "text"
    words = web_stems(plain)
    focus = web_stems(_focus(plain)) if purpose == "answer" else frozenset[str]()
    return WebGoal(
        text=plain,
        purpose=purpose,
        asked=asked,
        words=words - _IMPLIED[asked] or words,
        focus=focus,
        quoted=quoted_in(plain),
        part=found is not None,
        anywhere=_ANYWHERE.fullmatch(plain.rstrip(" .")) is not None,
    )


def _purpose(plain: str) -> WebPurpose:
    if plain.rstrip(' ."').endswith("?") or _ASKS.match(plain):
        return "answer"
    return "show" if _SHOWS.match(plain) else "change"


def _asked(question: str) -> AnswerType:
    for kind, words in _TYPES:
        if words.search(question):
            return kind
    return "text"


def _focus(question: str) -> str:
    """The first phrase of a question that says something: `open issues` of `how many open issues does it have`."""
    kept: list[str] = []
    for word in re.findall(r"[\w'-]+", question):
        if not says_nothing(word):
            kept.append(word)
        elif kept:
            break
    return " ".join(kept)


def is_part(text: str) -> bool:
    """Whether a text is a part of a task as the prompts word it: `find out: ...`."""
    return _PART.fullmatch(" ".join(text.split())) is not None


def part_for(goal: WebGoal) -> str:
    """The step that comes before the goal itself, in words."""
    said = [word for word in re.findall(r"[\w'@.$-]+", goal.text) if web_stems(word) & goal.words]
    return f"open: the page that shows {' '.join(dict.fromkeys(said)) or goal.text}"


def words_to_search(goal: WebGoal) -> str:
    """What to type into a search field: what the goal quotes, else its words in capitals, else its words."""
    if goal.quoted:
        return goal.quoted[0][1][:_LONGEST_SEARCH]
    words = [word for word in re.findall(r"[\w'-]+", goal.text) if web_stems(word) & (goal.words - goal.focus)]
    said = " ".join(dict.fromkeys(_named_in(goal) or words)) or " ".join(stems_in_order(goal.text))
    return said[:_LONGEST_SEARCH]


def names_something(goal: WebGoal) -> bool:
    """Whether a goal quotes something, or names it with capitals."""
    return bool(goal.quoted) or _named_in(goal) != []


def _named_in(goal: WebGoal) -> list[str]:
    words = re.findall(r"[\w'-]+", goal.text)[1:]
    return [word for word in words if word[:1].isupper() and not _TIMES.match(word) and web_stems(word) & goal.words]


@lru_cache(maxsize=16384)
def read_web_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, and what was seen after it."""
    action, said = split_exchange(answer, observation)
    action = " ".join(action.split())
    return Exchange(action, said, (action, " ".join(said.split())[:200]))
