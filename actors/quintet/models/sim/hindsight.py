"""A job that is looked back on, and what several such jobs taught, as prompts tell of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.plans import plan_in

_RESULT = re.compile(r"^[ \t]*(?:result[ \t]*:[ \t]*)?the job (succeeded|failed)\b", re.MULTILINE | re.IGNORECASE)
"""What else stands in the same paragraph says why."""
_GAP = re.compile(r"\n[ \t]*\n")
_CURRENT = re.compile(r"\s*current plan[ \t]*:", re.IGNORECASE)
_JOB = re.compile(r"^job \d{1,9}[ \t]*$", re.MULTILINE | re.IGNORECASE)
_PART = re.compile(r"^(result|summary|flaws|suggested revision)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_NO_PLAN = re.compile(r"\(?none\b[^\n]{0,20}", re.IGNORECASE)


@dataclass(frozen=True)
class Job:
    """One job in hindsight."""

    messages: tuple[ChatMessage, ...]
    """The whole of it, up to the last observation, and nothing of what was said about it afterwards."""
    plan: str
    """The plan that was followed; empty where none is told of."""
    succeeded: bool


@dataclass(frozen=True)
class Lesson:
    """What is told of one job to who writes the plan. What is not told is empty."""

    opening: str
    succeeded: bool
    summary: str
    flaws: str
    revision: str

    @property
    def unexplained(self) -> bool:
        """It failed, and nobody says what of."""
        return not self.succeeded and not self.flaws and not self.revision


@dataclass(frozen=True)
class Lessons:
    """The plan so far, and the jobs that were done by it."""

    plan: str
    """Empty where there was none."""
    jobs: tuple[Lesson, ...]


def read_job(messages: Sequence[ChatMessage]) -> tuple[Job, str] | None:
    """The job that a conversation looks back on, and what its last message says beside it.

    Returns:
        None where no message says how a job came out.
    """
    for number, message in enumerate(messages):
        if message.role == "user" and (told := _RESULT.search(message.content)):
            job = Job(
                messages=(*messages[:number], user(message.content[: told.start()].rstrip())),
                plan=plan_in(messages),
                succeeded=told[1].lower() == "succeeded",
            )
            last = messages[-1].content
            return job, _GAP.split(last[told.end() :], maxsplit=1)[-1] if number == len(messages) - 1 else last
    return None


def tells_of_lessons(text: str) -> bool:
    """Whether a plan and what jobs taught stand in a text."""
    return _CURRENT.match(text) is not None and _JOB.search(text) is not None


def read_lessons(text: str) -> Lessons:
    """The plan and the lessons in a text that tells of them, without what is asked after them."""
    head, *jobs = _JOB.split(text)
    plan = _CURRENT.sub("", head, count=1).strip()
    return Lessons("" if _NO_PLAN.fullmatch(plan) else plan, tuple(map(_lesson, jobs)))


def overlook(lessons: Lessons, misreading: Misreading) -> Lessons:
    """The lessons without what jobs taught that a fallible reader passes over."""
    jobs = (
        Lesson(job.opening, succeeded=True, summary="", flaws="", revision="")
        if misreading.wrong(job.opening, "learns from", job.summary, job.flaws, job.revision)
        else job
        for job in lessons.jobs
    )
    return Lessons(lessons.plan, tuple(jobs))


def _lesson(text: str) -> Lesson:
    opening, *rest = _PART.split(text)
    parts = {label.lower(): said.strip() for label, said in zip(rest[::2], rest[1::2], strict=True)}
    return Lesson(
        opening=opening.strip(),
        succeeded=(told := _RESULT.search(parts.get("result", ""))) is not None and told[1].lower() == "succeeded",
        summary=parts.get("summary", ""),
        flaws=parts.get("flaws", ""),
        revision=parts.get("suggested revision", ""),
    )
