"""A prompt about websites: its goal, the page that it shows, and one step."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.transcript import GOAL_LINE, Exchange, PromptTask, goals_in, split_exchange
from quintet.models.sim.webarena.asking import IMPLIED, AnswerType, answer_type
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from quintet.models.sim.webarena.periods import Period, period_in
from quintet.models.sim.webarena.ranks import WebRank, read_rank
from quintet.models.sim.webarena.words import (
    quoted_in,
    runs_of_names,
    says_nothing,
    web_sentences,
    web_stems,
)

WebPurpose: TypeAlias = Literal["answer", "show", "change"]
"""`answer`: say something that a page shows. `show`: end on a page. `change`: something on a site."""

_OBJECTIVE = re.compile(r"^[ \t]*objective[ \t]*:[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)
_ASKS = re.compile(
    r"(?:(?:from|within|in|on|at|for|to|by|with|of|since|until|about) )?"
    r"(?:what|which|who|whom|whose|when|where|how|tell me|give me|get|list|return|count|name|is|are|was|were|does"
    r"|do(?! so)|did|find out|among|compare)\b",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"(?:show|open(?! an? )|go to|navigate|take me|bring me|view|display|find|check out|see|browse|search|look up"
    r"|look for|sort|filter|visit)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\b(?:and|then) (?:tell|give) me\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\b\d{3,}\b")
_HOW_TO_ANSWER = re.compile(r"(?:answer|reply) (?:with|in|as|by)\b", re.IGNORECASE)
_AND_MORE = re.compile(r",? and (?=(?:how|whose|who|when|where)\b)", re.IGNORECASE)
_COUNTED = re.compile(r",? and how (?:many|often|much)\b", re.IGNORECASE)
_OPEN_NOW = re.compile(r"\bthis (\w+)|\bthe (\w+) (?:that|which) is (?:open|shown)\b", re.IGNORECASE)
_BOTH = re.compile(
    r"\b(?:what (?:is|are)|tell me|give me|find|which are) (?:the |its |his |her |their )?(?P<one>[\w-]+(?: [\w-]+)?)"
    r" and (?:the |its |his |her |their )?(?P<two>[\w-]+(?: [\w-]+)?)(?P<rest> (?:of|for|from|in|on) .+)?\Z",
    re.IGNORECASE,
)

_KIND = re.compile(
    r"\b(forum|project|group|user|category|label|milestone|coupon|branch|section|order) ([\w.'-]*\w)", re.IGNORECASE
)
"""A kind of thing that websites have, and the name of one."""
_DAYS = re.compile(r"\b(?:(?:19|20)\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)\b")
_CODE = re.compile(r"\b(?=[A-Z\d]*\d)[A-Z][A-Z\d]{3,}\b")
_EVERYWHERE = re.compile(r"\b(?:in|of|across|from) all (?:the )?[a-z]+", re.IGNORECASE)
"""Leaves nothing out, so no page has to say it."""
_MAKES = re.compile(
    r"(?:please )?(?:open|create|add|file|start|submit|post|write) (?:an?|a new|another) ", re.IGNORECASE
)
_NEW = web_stems("new")
HANDLE = re.compile(r"\b[A-Za-z\d]+_\w+\b")
"""The name of a user."""


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
    rank: WebRank | None = None
    """The superlative of a question."""
    counted: bool = False
    """It also asks for the figure that the superlative compares."""
    both: tuple[str, ...] = ()
    """The questions that it asks at once: the price, and the SKU."""
    here: bool = False
    """It is about the page that is open."""
    named: frozenset[str] = frozenset()
    """The stems of what it quotes, names with capitals or by number."""
    names: tuple[frozenset[str], ...] = ()
    """The stems of each name by itself."""
    kinds: frozenset[str] = frozenset()
    """The stems of what it calls that which it names: of `forum` in `the forum books`."""
    period: Period | None = None
    """The days that it names."""
    values: tuple[str, ...] = ()
    """What a change has to enter somewhere: what it quotes, and codes such as `SUMMER20`."""
    given: frozenset[str] = frozenset()
    """The stems of the values."""
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
    question = _question(plain) if purpose == "answer" else ""
    asked = answer_type(question) if question else "text"
    rank = read_rank(without_quotes(question or plain))
    said = " ".join(each for each in web_sentences(plain) if not _HOW_TO_ANSWER.match(each))
    here = _OPEN_NOW.findall(said)
    quotes = quoted_in(plain)
    period = period_in(plain)
    days = web_stems(" ".join(_DAYS.findall(plain))) if period else frozenset[str]()
    kinds = names_of_kinds(plain)
    unquoted = without_quotes(plain)
    runs = (" ".join(run) for run in runs_of_names(unquoted))
    names = (*runs, *HANDLE.findall(plain), *_NUMBERS.findall(plain), *(name for _, name in kinds))
    values = (*(text for _, text in quotes), *_CODE.findall(plain)) if purpose == "change" else ()
    given = web_stems(" ".join(values))
    said = _EVERYWHERE.sub("", said)
    words = web_stems(said) - web_stems(" ".join("".join(each) for each in here))
    if purpose == "change" and _MAKES.match(plain):
        words |= _NEW
    return WebGoal(
        text=plain,
        purpose=purpose,
        asked=asked,
        words=words - IMPLIED[asked] - (rank.said if rank else frozenset()) - days - given or words,
        focus=web_stems(focus_of(question)),
        quoted=quotes,
        rank=rank,
        counted=_COUNTED.search(plain) is not None,
        both=_both(question),
        here=bool(here),
        named=web_stems(" ".join((*names, *(text for _, text in quotes)))) - days,
        names=tuple(stems - days for name in names if (stems := web_stems(name)) - days),
        kinds=web_stems(" ".join(kind for kind, _ in kinds)),
        period=period,
        values=values,
        given=given,
        part=found is not None,
        anywhere=_ANYWHERE.fullmatch(plain.rstrip(" .")) is not None,
    )


def _purpose(plain: str) -> WebPurpose:
    """By what its sentences ask; a wish to be taken somewhere comes before a question about where it is."""
    sentences = web_sentences(plain)
    asks = any(_is_question(each) for each in sentences)
    if asks and not any(_SHOWS.match(each) for each in sentences[1:]):
        return "answer"
    if any(_SHOWS.match(each) for each in sentences):
        return "answer" if _TELLS.search(plain) else "show"
    return "change"


def _is_question(sentence: str) -> bool:
    return sentence.rstrip(' ."').endswith("?") or _ASKS.match(sentence) is not None


def _question(plain: str) -> str:
    """The first sentence that asks something, without a second question that hangs on it."""
    sentences = [each for each in web_sentences(plain) if not _HOW_TO_ANSWER.match(each)]
    told = next(iter(_TELLS.split(plain, maxsplit=1)[1:]), "")
    asked = told or next((each for each in sentences if _is_question(each)), plain)
    return _AND_MORE.split(asked, maxsplit=1)[0]


def focus_of(question: str) -> str:
    """The first phrase of a question that says something: `open issues` of `how many open issues does it have`."""
    kept: list[str] = []
    for word in re.findall(r"[\w'-]+", question):
        if not says_nothing(word):
            kept.append(word)
        elif kept:
            break
    return " ".join(kept)


def _both(question: str) -> tuple[str, ...]:
    """Two questions for one that asks for two things of the same."""
    found = _BOTH.search(question.rstrip(" .?"))
    if found is None:
        return ()
    first, _, hung = found["two"].partition(" ")
    rest = found["rest"] or ""
    asked = (found["one"], found["two"] if web_stems(hung) else first)
    return tuple(f"What is the {each}{rest}?" for each in asked)


def is_part(text: str) -> bool:
    """Whether a text is a part of a task as the prompts word it: `find out: ...`."""
    return _PART.fullmatch(" ".join(text.split())) is not None


def part_for(goal: WebGoal) -> str:
    """The step that comes before the goal itself, in words."""
    said = [word for word in re.findall(r"[\w'@.$-]+", goal.text) if web_stems(word) & goal.words]
    return f"open: the page that shows {' '.join(dict.fromkeys(said)) or goal.text}"


def names_of_kinds(plain: str) -> list[tuple[str, str]]:
    """What a text names beside its kind: `forum` and `books` of `the forum books`."""
    return [(kind, name) for kind, name in _KIND.findall(without_quotes(plain)) if _is_name(kind, name)]


def _is_name(kind: str, word: str) -> bool:
    """Orders have numbers; other things any word that says something."""
    return word.isdigit() if kind.lower() == "order" else not says_nothing(word) and bool(web_stems(word))


def without_quotes(text: str) -> str:
    """A text without what it quotes."""
    for _, quoted in quoted_in(text):
        text = text.replace(quoted, "")
    return text


@lru_cache(maxsize=16384)
def read_web_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, and what was seen after it."""
    action, said = split_exchange(answer, observation)
    action = " ".join(action.split())
    return Exchange(action, said, (action, " ".join(said.split())[:200]))
