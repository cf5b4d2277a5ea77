"""A prompt of HotpotQA: the question or a part of it that is the goal, and one step."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.hotpotqa.question import ParsedQuestion, read_question
from quintet.models.sim.transcript import Exchange, PromptTask, goals_in, split_exchange

Aim: TypeAlias = Literal["answer", "fact", "page"]
"""`answer`: give the answer. `fact`: an observation is to say the answer. `page`: a page is to be open."""

_QUESTION = re.compile(r"^[ \t]*question[ \t]*:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
TOOL = re.compile(r"\bsearch\[\], lookup\[\]", re.IGNORECASE)
"""Finds the words by which a question is put."""
_LAST = re.compile(r"^[ \t]*the last action[^:\n]*:[ \t]*(\S.*(?:\n.*\S.*)*)$", re.MULTILINE | re.IGNORECASE)
_ANSWER = re.compile(r"answer (?:the |this )?question:? [\"“](?P<question>.+)[\"”]", re.IGNORECASE)
_FACT = re.compile(r"find out:? (?P<question>.+)", re.IGNORECASE)
_PAGE = re.compile(r"(?:find|open|read) the page (?:of|about) (?P<name>.+)", re.IGNORECASE)
_OPENS = re.compile(
    r"(?:search(?: for)?|look for|open|read|find)[ :]+(?:the (?:page|article) (?:of|about|on) )?(?P<name>.+)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"(?:,? and|,| to) (?:read|find|see|learn)\b.*", re.IGNORECASE)
_ANSWERED = re.compile(r"\A\s*it was answered:[ \t]*", re.IGNORECASE)
_ACT = re.compile(r"(?:search|lookup|finish)\[.*\]", re.IGNORECASE | re.DOTALL)
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class ReadingTask(PromptTask):
    """A question to answer, or a part of the work on it."""

    aim: Aim
    question: ParsedQuestion
    name: str = ""
    """The name whose page is to be open, where that is the aim."""
    last: Exchange | None = None
    """The last action that was carried out before, with its answer."""


@lru_cache(maxsize=4096)
def read_reading_task(text: str) -> ReadingTask | None:
    """The task that a text ends with, perhaps after worked examples; a bare question counts beside the tool's name."""
    goals = goals_in(text)
    if goals:
        task = read_reading_goal(goals[-1])
    else:
        questions = _QUESTION.findall(text) if TOOL.search(text) else []
        task = _task(questions[-1], "answer", questions[-1]) if questions else None
    if task is None:
        return None
    before = _LAST.findall(text)
    return ReadingTask(task.wording, task.aim, task.question, task.name, _last(before[-1]) if before else None)


def read_reading_goal(text: str) -> ReadingTask | None:
    """`answer the question "...?"`, `find out: ...?` or `find the page of ...`; None for any other text."""
    said = text.strip().rstrip(" \t.")
    if found := _ANSWER.fullmatch(said):
        return _task(said, "answer", found["question"])
    if found := _FACT.fullmatch(said):
        return _task(said, "fact", found["question"])
    found = _PAGE.fullmatch(said)
    return None if found is None else _page_task(said, found["name"])


def read_reading_step(text: str) -> ReadingTask | None:
    """A step of a plan for a question as a goal: a goal of this world, or `search for ..., and read who wrote it`."""
    goal = read_reading_goal(text)
    if goal is not None:
        return goal
    said = text.strip().rstrip(" \t.")
    found = _OPENS.fullmatch(_PURPOSE.sub("", said))
    return None if found is None else _page_task(said, found["name"])


def _page_task(wording: str, name: str) -> ReadingTask:
    name = name.strip(' "“”')
    return ReadingTask(wording, "page", read_question(f'What is "{name}"?'), name)


def _task(wording: str, aim: Aim, question: str) -> ReadingTask:
    return ReadingTask(wording, aim, read_question(question))


def _last(text: str) -> Exchange | None:
    """The action that begins the text, with the answer after it."""
    action = _ACT.match(text)
    first, _, rest = text.partition("\n")
    return read_reading_exchange(f"Action: {first}", _ANSWERED.sub("", rest)) if action else None


@lru_cache(maxsize=16384)
def read_reading_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, and what was said to it."""
    action, said = split_exchange(answer, observation)
    return Exchange(_BLANKS.sub(" ", action), said, (action, said))
