"""Recognizes the request of a prompt by the form of answer that it prescribes, never by the method.

Most prompts prescribe at their beginning what every answer looks like. Others end with a request of their own: for a
thought, then for the action that follows from it, for one part of a look back on a job, or for a new plan. Such a
request is taken off the conversation, so that the players read only what it is about.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.hindsight import has_lessons, read_job
from quintet.models.sim.transcript import GAP

MemoryRequestKind: TypeAlias = Literal["evaluation", "past", "clusters", "index", "comparison"]
"""`evaluation`: which subgoals are complete. `past`: a summary of the steps so far. `clusters`: types for a numbered
list. `index`: the type of a new text. `comparison`: where two processes part."""

StepRequestKind: TypeAlias = Literal["steps", "alignment", "verdict", "condensed", "retargeted"]
"""`steps`: a plan for one task. `alignment`: what an action did, and whether it serves a step of the plan. `verdict`:
whether a step, or the task, is completed. `condensed`: an observation in short. `retargeted`: the same move in the
words of what is seen now."""

RequestKind: TypeAlias = (
    Literal[
        "action",
        "plan",
        "thought",
        "formal",
        "summary",
        "flaws",
        "revision",
        "update",
        "look_back",
        "mark",
        "choice",
        "grade",
    ]
    | MemoryRequestKind
    | StepRequestKind
)
"""`formal`: an action, reworded. `summary`, `flaws`, `revision`: a part of a reflection. `update`: a rewritten plan for
all jobs of a kind. `look_back`: what to do differently after a failed attempt. `mark`: of a state. `choice`: between
attempts. `grade`: whether the answer to a question is correct."""


@dataclass(frozen=True)
class AnswerRequest:
    """The requested answer."""

    kind: RequestKind
    aloud: bool = False
    """A thought is to be written before an action."""
    ordered: bool = False
    """A plan is to end in its execution order."""
    claims: bool = True
    """The answer may claim that the goal is reached, or cannot be."""
    thought: str = ""
    """The thought from which an action is to follow, where it was written before."""
    action: str = ""
    """The action to reword."""
    candidates: int = 0
    """How many actions are to be named with confidences in them; 0: one action, without."""
    instead_of: frozenset[str] = frozenset()
    """Actions that were tried; another one is asked for."""


_ACTION = re.compile(r'\baction\s*:|"action"', re.IGNORECASE)
_PLAN = re.compile(r'\bexecution order\s*:|\bstep \w+\s*:|"(?:steps|order)"', re.IGNORECASE)
_ORDER = re.compile(r'\bexecution order\s*:|"order"', re.IGNORECASE)
_THOUGHT = re.compile(r"\bthought\b", re.IGNORECASE)
_ANY_THOUGHT = re.compile(r'\bthought\s*:|"thought"', re.IGNORECASE)
_PAGE_NODE = re.compile(r"^(?:\t*\[\d{1,9}\] [A-Za-z]+ ['\"]|Tab \d{1,4}(?: \(current\))?: )", re.MULTILINE)
"""A line of a web page's tree or of its tabs, which holds other people's words."""
_THOUGHT_LABEL = re.compile(r"\A\s*thought[ \t]*:", re.IGNORECASE)
_NEW_PLAN = re.compile(r"\b(?:re)?write\b[^.]*\bplan\b", re.IGNORECASE)
_REWORD = re.compile(r"\b(?:rewrite|reword|rephrase)\b", re.IGNORECASE)


def _shown_as(line: str, field: str) -> re.Pattern[str]:
    """A form that is shown as a line, or as a field of JSON."""
    return re.compile(rf'^{line}[ \t]*:|"{field}"', re.IGNORECASE | re.MULTILINE)


_VERDICTS: Sequence[tuple[RequestKind, re.Pattern[str]]] = (
    ("mark", _shown_as("mark", "mark")),
    ("choice", _shown_as("choice", "choice")),
    ("look_back", _shown_as("reflection", "reflection")),
    ("grade", re.compile(r'\bCorrect: (?:YES|NO)\b|"correct"')),
)
"""Forms of an answer that instructions show by themselves. What is to be judged may name actions."""
_RECORDS: Sequence[tuple[RequestKind, re.Pattern[str]]] = (
    ("evaluation", _shown_as("subgoal 1", "subgoals")),
    ("past", _shown_as("summary", "summary")),
    ("clusters", _shown_as("high-level type ?1", "types")),
    ("index", _shown_as(r"\[\d+\]", "type")),
    ("condensed", _shown_as("short description", "short_description")),
    ("retargeted", _shown_as("new action is", "new_action")),
    ("alignment", re.compile(r'^the action is to\b|"aligned"', re.IGNORECASE | re.MULTILINE)),
    ("verdict", re.compile(r'^(?:YES|NO)$|\bYES or NO\b|"completed"', re.MULTILINE)),
    ("steps", re.compile(r'^list:?[ \t]*$|"steps"', re.IGNORECASE | re.MULTILINE)),
    ("comparison", _shown_as(r"\d+", "step")),
)
"""The same, for instructions that show no action or plan by itself: those may show such lines beside it."""
_ACTS = _shown_as(r"(?:thought|action|step \w+|execution order)", r"(?:thought|action|plan|order)")
_QUESTIONS: Mapping[RequestKind, re.Pattern[str]] = {
    "mark": re.compile(r"\bmark\b", re.IGNORECASE),
    "evaluation": re.compile(r"\bsubgoals?\b", re.IGNORECASE),
    "past": re.compile(r"\bsummary\b", re.IGNORECASE),
    "alignment": re.compile(r"\bYES or NO\b"),
    "verdict": re.compile(r"\bYES or NO\b"),
    "condensed": re.compile(r"\bin short\b", re.IGNORECASE),
    "retargeted": re.compile(r"\bwhich action\b", re.IGNORECASE),
}
"""Words of the paragraph at the end of a prompt that asks once more."""
_CLAIM = re.compile(r"\btask (?:is )?(?:completed?|failed)\b", re.IGNORECASE)
_WEIGHED = re.compile(r"\baction\"?\s*[:,][^\n]*\bconfidence\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"(?<![\d.])(\d{1,3})(?!\.?\d)")
_TRIED = re.compile(
    r"(?:\A|\n[ \t]*\n)[^\n]*\btried\b[^\n]*:[ \t]*\n(?P<actions>(?:[ \t]*[-*•][^\n]*\n)+)"
    r"[^\n]*\b(?:another|other|different|else)\b[^\n]*",
    re.IGNORECASE,
)
_HINDSIGHT: Sequence[tuple[RequestKind, re.Pattern[str]]] = (
    ("revision", re.compile(r"\brevis(?:e|ed|ion|ions|ing)\b", re.IGNORECASE)),
    ("flaws", re.compile(r"\bflaw(?:s|ed)?\b", re.IGNORECASE)),
    ("summary", re.compile(r"\bsummar(?:y|i[sz]e)\b", re.IGNORECASE)),
)
"""In this order, since a request for a revision may mention the flaws that it is to mend."""


def recognize(messages: Sequence[ChatMessage]) -> tuple[AnswerRequest, tuple[ChatMessage, ...]] | None:
    """The request, and the conversation before it; None if the request is unknown."""
    messages, tried = _without_tried(tuple(messages))
    if verdict := _verdict(messages):
        return AnswerRequest(verdict), _without_question(verdict, messages)
    found = _closing(messages) if messages and messages[-1].role == "user" else None
    if found is None and (request := prescribed_request(messages)) is not None:
        found = request, messages
    return None if found is None else (replace(found[0], instead_of=tried), found[1])


def prescribed_request(messages: Sequence[ChatMessage]) -> AnswerRequest | None:
    """The form that instructions prescribe or, with worked examples, use most; None if they use none."""
    if verdict := _verdict(messages):
        return AnswerRequest(verdict)
    return _most_used("\n".join(_before_the_answers(messages)))


def offers_claims(messages: Sequence[ChatMessage]) -> bool:
    """Whether instructions offer to claim that the goal is reached, or cannot be."""
    return any(_CLAIM.search(message.content) for message in messages if message.role == "system")


def _verdict(messages: Sequence[ChatMessage]) -> RequestKind | None:
    return _form_shown(tuple(message.content for message in messages if message.role == "system"))


@lru_cache(maxsize=1024)  # a conversation shows its instructions again at each of its turns
def _form_shown(instructions: tuple[str, ...]) -> RequestKind | None:
    forms = _VERDICTS if any(map(_ACTS.search, instructions)) else (*_VERDICTS, *_RECORDS)
    return next((kind for kind, form in forms if any(map(form.search, instructions))), None)


def _without_question(kind: RequestKind, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The conversation without the paragraph at its end that asks once more."""
    asks = _QUESTIONS.get(kind)
    if asks is None or messages[-1].role != "user":
        return messages
    state = _before(messages[-1].content, lambda paragraph: asks.search(paragraph) is not None, last=True)
    return messages if state is None else (*messages[:-1], user(state))


def _before_the_answers(messages: Sequence[ChatMessage]) -> Iterator[str]:
    """Every instruction, and the user's messages before the first answer."""
    answered = False
    for message in messages:
        answered = answered or message.role == "assistant"
        if message.role == "system" or (message.role == "user" and not answered):
            yield message.content


@lru_cache(maxsize=1024)
def _most_used(instructions: str) -> AnswerRequest | None:
    actions, steps = len(_ACTION.findall(instructions)), len(_PLAN.findall(instructions))
    if not actions and not steps:
        return None
    return AnswerRequest(
        kind="action" if actions >= steps else "plan",
        aloud=_ANY_THOUGHT.search(instructions) is not None,
        ordered=_ORDER.search(instructions) is not None,
    )


def _closing(messages: tuple[ChatMessage, ...]) -> tuple[AnswerRequest, tuple[ChatMessage, ...]] | None:
    *before, last = messages
    said = last.content.strip()
    if (seen := _before(last.content, _asks_for_candidates)) is not None:
        number = _HOW_MANY.search(last.content, len(seen))
        request = prescribed_request((*before, user(seen))) or AnswerRequest("action")
        return replace(request, candidates=int(number[1]) if number else 1), (*before, user(seen))
    if has_lessons(last.content):
        lessons = _before(last.content, lambda paragraph: _NEW_PLAN.search(paragraph) is not None, last=True)
        return None if lessons is None else (AnswerRequest("update"), (*before, user(lessons)))
    if any(form.search(last.content) for _, form in _HINDSIGHT) and (job := read_job(messages)):
        return next(((AnswerRequest(kind), messages) for kind, form in _HINDSIGHT if form.search(job.question)), None)
    if label := _ACTION.match(said):
        return _labelled(before, said[label.end() :].strip(), messages)
    observed = _before(last.content, _asks_for_a_thought)
    return None if observed is None else _turn("thought", (*before, user(observed)))


def _without_tried(messages: tuple[ChatMessage, ...]) -> tuple[tuple[ChatMessage, ...], frozenset[str]]:
    """The messages without the list of what was tried at this point, and that list."""
    for number in range(len(messages) - 1, max(-1, len(messages) - 4), -1):
        message = messages[number]
        if message.role == "user" and (found := _TRIED.search(message.content)):
            rest = message.content[: found.start()] + message.content[found.end() :]
            tried = (line.strip(" \t-*•") for line in found["actions"].splitlines())
            return (*messages[:number], user(rest), *messages[number + 1 :]), frozenset(tried)
    return messages, frozenset()


def _labelled(
    before: Sequence[ChatMessage], action: str, messages: tuple[ChatMessage, ...]
) -> tuple[AnswerRequest, tuple[ChatMessage, ...]] | None:
    """`Action:` alone asks for the action after a thought; with an action beside it, it may ask to reword that."""
    if not action and before and before[-1].role == "assistant":
        return _turn("action", tuple(before[:-1]), thought=_THOUGHT_LABEL.sub("", before[-1].content).strip())
    if action and all(m.role == "system" for m in before) and any(_REWORD.search(m.content) for m in before):
        return AnswerRequest("formal", action=action), messages
    return None


def _turn(
    kind: RequestKind, messages: tuple[ChatMessage, ...], *, thought: str = ""
) -> tuple[AnswerRequest, tuple[ChatMessage, ...]]:
    return AnswerRequest(kind, thought=thought, claims=offers_claims(messages)), messages


def _asks_for_candidates(paragraph: str) -> bool:
    return _WEIGHED.search(paragraph) is not None


def _asks_for_a_thought(paragraph: str) -> bool:
    """For a thought alone: a prompt that shows a whole answer shows an action too, and a page asks for nothing."""
    shown = _ACTION.search(paragraph) or _PAGE_NODE.search(paragraph)
    return shown is None and _THOUGHT.search(paragraph) is not None


def _before(text: str, asks: Callable[[str], bool], *, last: bool = False) -> str | None:
    """The text before the first or last paragraph that asks; None if no paragraph does."""
    starts = [0, *(gap.end() for gap in GAP.finditer(text))]
    asking = [start for start, end in pairwise([*starts, len(text)]) if asks(text[start:end])]
    return text[: asking[-1 if last else 0]].rstrip() if asking else None
