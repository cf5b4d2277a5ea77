"""Reads prompts about past jobs: the job to reflect on, and the lessons for a plan."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from quintet.messages.planning import Lesson, RevisePlan
from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.draws import Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import GAP, Exchange, plan_in

_RESULT = re.compile(
    r"^[ \t]*(?:result[ \t]*:[ \t]*)?the (?:job|attempt) (succeeded|failed)\b", re.MULTILINE | re.IGNORECASE
)
"""The rest of its paragraph says why."""
_CURRENT = re.compile(r"\s*current plan[ \t]*:", re.IGNORECASE)
_JOB = re.compile(r"^job \d{1,9}[ \t]*$", re.MULTILINE | re.IGNORECASE)
_PART = re.compile(r"^(result|summary|flaws|suggested revision)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_NO_PLAN = re.compile(r"\(?none\b[^\n]{0,20}", re.IGNORECASE)


@dataclass(frozen=True)
class Job:
    """A past job."""

    messages: tuple[ChatMessage, ...]
    """The job up to its last observation, without what was said about it afterwards."""
    plan: str
    """The plan that was followed; empty where there was none."""
    succeeded: bool
    question: str
    """What the last message asks about the job."""


def read_job(messages: Sequence[ChatMessage]) -> Job | None:
    """The job that a conversation looks back on; None where no message says how a job ended."""
    for number, message in enumerate(messages):
        if message.role == "user" and (result := _RESULT.search(message.content)):
            last = messages[-1].content
            return Job(
                messages=(*messages[:number], user(message.content[: result.start()].rstrip())),
                plan=plan_in(messages),
                succeeded=result[1].lower() == "succeeded",
                question=last if message is not messages[-1] else GAP.split(last[result.end() :], maxsplit=1)[-1],
            )
    return None


def has_lessons(text: str) -> bool:
    """Whether a text holds a plan and lessons."""
    return _CURRENT.match(text) is not None and _JOB.search(text) is not None


def read_lessons(text: str, misreading: Misreading) -> RevisePlan:
    """The plan and the lessons at the end of a text; a misread lesson is emptied."""
    head, *jobs = _JOB.split(text)
    plan = _CURRENT.sub("", head, count=1).strip()
    lessons = (_overlook(_lesson(job), misreading) for job in jobs)
    return RevisePlan(plan="" if _NO_PLAN.fullmatch(plan) else plan, lessons=tuple(lessons))


def _overlook(lesson: Lesson, misreading: Misreading) -> Lesson:
    if misreading.wrong(lesson.opening, "learns from", lesson.summary, lesson.flaws, lesson.revision):
        return Lesson(opening=lesson.opening, succeeded=True)
    return lesson


def _lesson(text: str) -> Lesson:
    opening, *rest = _PART.split(text)
    parts = {label.lower(): said.strip() for label, said in zip(rest[::2], rest[1::2], strict=True)}
    result = _RESULT.search(parts.get("result", ""))
    return Lesson(
        opening=opening.strip(),
        succeeded=result is not None and result[1].lower() == "succeeded",
        summary=parts.get("summary", ""),
        flaws=parts.get("flaws", ""),
        revision=parts.get("suggested revision", ""),
    )


def without_passed_over(goal: str, steps: Iterable[Exchange], misreading: Misreading) -> tuple[Exchange, ...]:
    """The steps of a past job without those that a misreading passes over."""
    return tuple(step for step in steps if not misreading.wrong(goal, "looks back on", *step.words))


def unexplained(lesson: Lesson) -> bool:
    """Whether the job failed, and neither flaws nor a revision say why."""
    return not lesson.succeeded and not lesson.flaws and not lesson.revision


def learn_habits(
    habits: Sequence[str], plan: str, lessons: Sequence[Lesson], has: Callable[[str, str], bool], mind: Mind
) -> Sequence[str] | None:
    """The habits that a plan should ask for, in their order; None: it asks for just these.

    Those of the plan stay, and those of revisions are added. Where a job failed and nothing says why, one is changed at
    a guess.

    Args:
        habits: all that the world's plans may ask for.
        plan: the plan so far; may be empty.
        lessons: of the jobs since.
        has: whether a text asks for a habit.
        mind: draws the guess.
    """
    before = [habit for habit in habits if has(plan, habit)]
    after = [habit for habit in habits if habit in before or any(has(each.revision, habit) for each in lessons)]
    if any(map(unexplained, lessons)):
        guessed = mind.chance.guess(habits)
        after = [habit for habit in habits if (habit in after) != (habit == guessed)]
    return None if plan and after == before else after
