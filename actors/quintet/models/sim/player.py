"""The base of simulated players: a skill, the draws of one call, and one method for each request."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import islice
from typing import ClassVar, Literal, NamedTuple

from quintet.messages.planning import Lesson
from quintet.messages.prompts import ChatMessage
from quintet.models.sim.grading import grade_answer
from quintet.models.sim.hindsight import read_job, read_lessons, without_passed_over
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.options import read_options
from quintet.models.sim.requests import AnswerRequest, offers_claims
from quintet.models.sim.steps import StepAnswers
from quintet.models.sim.transcript import (
    Exchange,
    Reading,
    TaskT,
    instructions_in,
    plan_in,
    reflections_in,
    step_about,
)

_MOST_FLAWS = 8
_MOST_LEFT = 8
_TOP_MARK = 10
_NEXT = re.compile(r"\bnext: (.+?)\.?\s*\Z", re.IGNORECASE)

COMPLETED, FAILED = "task completed", "task failed"
"""The actions that claim an end."""

NO_FLAW = "There is no flaw in plan or actions."
NO_CHANGE = "Nothing in the plan has to change."


class Move(NamedTuple):
    """A thought, and the action that follows from it."""

    thought: str
    action: str
    subject: str = "(?!)"
    """A regular expression that finds the steps of a plan that are about this; by default none."""


class Decomposition(NamedTuple):
    """The steps of a plan: all of them in this order, or any one of them."""

    opening: str
    steps: Sequence[str]
    any_one: bool = False


class Player(StepAnswers[TaskT]):
    """Plays one world: it reads the world's prompts, and answers each kind of request by a method of its own.

    A player keeps nothing. Every method is a pure function of its arguments.
    """

    idle: ClassVar[Move]
    """Its move if it would claim an end but may not."""

    @abstractmethod
    def decide(self, reading: Reading[TaskT], mind: Mind, plan: str, instead_of: Set[str] = frozenset()) -> Move:
        """The next action. `task completed` and `task failed` claim an end.

        Args:
            reading: the conversation.
            mind: how well it is read.
            plan: to follow; may be empty.
            instead_of: actions to do without, as far as another one leads on.
        """

    @abstractmethod
    def decompose(self, reading: Reading[TaskT], mind: Mind) -> Decomposition:
        """The subtasks of a task, each a goal of its own."""

    @abstractmethod
    def formalize(self, action: str, instructions: str) -> str | None:
        """The action in a form that the instructions list, unchanged where its meaning is unclear.

        Returns:
            None where the instructions list no actions of this world.
        """

    @abstractmethod
    def summarize(self, steps: Sequence[Exchange]) -> Iterable[str]:
        """The steps that were carried out."""

    @abstractmethod
    def find_flaws(self, reading: Reading[TaskT], plan: str) -> Iterable[str]:
        """The refused actions, with reasons, and the useless ones."""

    @abstractmethod
    def suggest(self, reading: Reading[TaskT], plan: str, skill: Skill) -> Iterable[str]:
        """Better actions, as far as the job shows them."""

    @abstractmethod
    def left_to_do(self, reading: Reading[TaskT], mind: Mind) -> Iterable[str]:
        """What a failed attempt left undone, a sentence each."""

    @abstractmethod
    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[TaskT, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        """The steps of the new plan; None if the plan is unchanged."""

    def answer(self, request: AnswerRequest, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """The answer to a request; None if the conversation is not about this world, or cannot be read."""
        match request.kind:
            case "action" | "thought" | "plan":
                return self._play(request, messages, mind)
            case "summary" | "flaws" | "revision":
                return self._reflect(request.kind, messages, mind)
            case "formal":
                action = self.formalize(request.action, instructions_in(messages))
                return None if action is None else f"Action: {action}"
            case "update":
                return self._update(messages, mind)
            case "look_back":
                return self._look_back(messages, mind)
            case "mark":
                reading = self.read(messages)
                return None if reading is None else f"Mark: {self._mark(reading, mind)}"
            case "choice":
                return self._choose(messages, mind)
            case "evaluation" | "past" | "clusters" | "index" | "comparison":
                return self.answer_for_memory(request.kind, messages, mind)
            case "steps" | "alignment" | "verdict" | "condensed" | "retargeted":
                return self.answer_about_steps(request.kind, messages, mind)
            case "grade":
                return grade_answer(messages, mind)

    def _play(self, request: AnswerRequest, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        reading = self.read(messages)
        if reading is None:
            return None
        if request.kind == "plan":
            return _written(self.decompose(reading, mind), ordered=request.ordered)
        if request.thought and (decided := _NEXT.search(request.thought)):
            return f"Action: {decided[1]}"
        if reading.pursuit.step is not None:
            request = replace(request, claims=request.claims and offers_claims(messages))
        plan = plan_in(messages)
        guide = "\n\n".join(filter(None, (plan, reflections_in(messages))))
        if request.candidates:
            return _weighed(self._ranking(request, reading, mind, guide))
        move = self._move(request, reading, mind, guide, request.instead_of)
        if request.kind == "thought":
            number = step_about(plan, move.subject)
            where = "" if number is None else f"I am at step {number} of the plan. "
            return f"Thought: {where}{move.thought} Next: {move.action}."
        return f"Thought: {move.thought}\nAction: {move.action}" if request.aloud else f"Action: {move.action}"

    def _move(
        self, request: AnswerRequest, reading: Reading[TaskT], mind: Mind, plan: str, instead_of: Set[str]
    ) -> Move:
        """The next action, towards the step that is pursued while there is something to do for it.

        It is one of `instead_of` only if the player knows no other.
        """
        aimed = self.aimed_at_step(reading)
        move = None if aimed is None else self.decide(aimed, mind, plan, instead_of)
        if move is None or move.action in (COMPLETED, FAILED):
            move = self.decide(reading, mind, plan, instead_of)
        if not request.claims and move.action.startswith("task "):
            return self.idle._replace(subject=self.idle.subject or move.subject)
        at_a_loss = move.action in instead_of or (move.action == FAILED and instead_of)
        return self.idle if at_a_loss and self.idle.action not in instead_of else move

    def _ranking(self, request: AnswerRequest, reading: Reading[TaskT], mind: Mind, plan: str) -> Sequence[Move]:
        """Different actions, as many as are asked for and known: each is the best without those before it."""
        moves: list[Move] = []
        for _ in range(request.candidates):
            known = request.instead_of | {move.action for move in moves}
            move = self._move(request, reading, mind, plan, known)
            if moves and (move.action in known or move.action == FAILED):
                break
            moves.append(move)
        return moves

    def _reflect(
        self, part: Literal["summary", "flaws", "revision"], messages: Sequence[ChatMessage], mind: Mind
    ) -> str | None:
        job = read_job(messages)
        reading = None if job is None else self.read(job.messages)
        if job is None or reading is None:
            return None
        reading = _without_passed_over(reading, mind)
        match part:
            case "summary":
                end = "The goal was reached." if job.succeeded else "The goal was not reached."
                return _numbered([*self.summarize(reading.steps), end])
            case "flaws":
                return "\n".join(islice(self.find_flaws(reading, job.plan), _MOST_FLAWS)) or NO_FLAW
            case "revision":
                return "\n".join(self.suggest(reading, job.plan, mind.skill)) or NO_CHANGE

    def _look_back(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """What did not work, what works better, and what was left undone, a line each."""
        job = read_job(messages)
        reading = None if job is None else self.read(job.messages)
        if job is None or reading is None:
            return None
        reading = _without_passed_over(reading, mind)
        flaws = islice(self.find_flaws(reading, ""), _MOST_FLAWS)
        lines = [
            f"I did not reach the goal: {reading.task.wording}.",
            *(f"This did not help: {flaw.removeprefix('- ')}" for flaw in flaws if not flaw.startswith(NO_FLAW)),
            *self.suggest(reading, "", mind.skill),
            *islice(self.left_to_do(reading, mind), _MOST_LEFT),
        ]
        return "Reflection: " + "\n".join(lines)

    def _choose(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """The option that has come furthest; of several, the first."""
        before, options = read_options(messages)
        readings = [reading for option in options if (reading := self.read((*before, *option))) is not None]
        if not readings or len(readings) < len(options):
            return None
        marks = [self._mark(reading, mind) for reading in readings]
        order = sorted(range(len(marks)), key=lambda option: -marks[option])
        return f"Choice: {mind.chance.choose(order) + 1}"

    def _mark(self, reading: Reading[TaskT], mind: Mind) -> int:
        progress = self.progress(reading, mind)
        return _TOP_MARK if progress >= 1 else min(_TOP_MARK - 1, 1 + int((_TOP_MARK - 1) * progress))

    def _update(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        update = read_lessons(messages[-1].content, mind.misreading)
        jobs = [(task, lesson) for lesson in update.lessons if (task := self.read_task(lesson.opening)) is not None]
        if not jobs:
            return None
        lines = self.rewrite_plan(update.plan, jobs, instructions_in(messages), mind)
        return f"Plan:\n{update.plan if lines is None else _numbered(lines)}"


def _without_passed_over(reading: Reading[TaskT], mind: Mind) -> Reading[TaskT]:
    return replace(reading, steps=without_passed_over(reading.task.wording, reading.steps, mind.misreading))


def _weighed(moves: Sequence[Move]) -> str:
    """Each action with half the confidence of the one before; the last two have the same, so that the sum is one."""
    last = len(moves) - 1
    return "\n".join(
        f"Action: {move.action} (confidence {0.5 ** min(number + 1, last):g})" for number, move in enumerate(moves)
    )


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _written(made: Decomposition, *, ordered: bool) -> str:
    labels = [f"Step {number}" for number in range(1, len(made.steps) + 1)]
    lines = [made.opening, *(f"{label}: {step}" for label, step in zip(labels, made.steps, strict=True))]
    order = (" OR " if made.any_one else " AND ").join(labels)
    return "\n".join([*lines, f"Execution Order: ({order})"] if ordered else lines)
