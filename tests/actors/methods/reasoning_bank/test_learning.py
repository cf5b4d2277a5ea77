"""What ReasoningBank notes: of a success, of a failure, of several attempts at a task; by judged verdicts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.memory import NotesChanged, RememberNotes
from quintet.messages.message import Request, Unanswered
from quintet.messages.notes import AddNote, Note
from quintet.messages.noting import NotesWritten, WriteNotes
from quintet.messages.reflection import AttemptJudged, JudgeAttempt
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import Seal, Sealed
from quintet.methods.reasoning_bank.learning import ReasoningBankLearner
from tests.actors.methods.training_world import TrainingRoles, lived_through

LEARN = Learn(training=("one", "two"), held_out=(), test=("test",), feedback="judged")


def written(request: WriteNotes) -> NotesWritten | Unanswered:
    """Two notes of what it was asked about."""
    task = request.attempts[0].task
    return NotesWritten(notes=tuple(Note(title=request.of, text=f"{task}, {way}") for way in ("fast", "slow")))


class _Actor:
    def __init__(self, roles: "Around") -> None:
        self._roles = roles

    async def receive(
        self, request: RememberNotes | Seal | JudgeAttempt | WriteNotes
    ) -> NotesChanged | Sealed | AttemptJudged | NotesWritten | Unanswered:
        match request:
            case RememberNotes():
                return NotesChanged(ids=tuple(range(len(request.changes))))
            case Seal():
                return Sealed(added=0, digest="")
            case JudgeAttempt():
                return AttemptJudged(succeeded=request.experience.task in self._roles.succeed)
            case WriteNotes():
                return self._roles.write(request)


@dataclass(kw_only=True)
class Around(TrainingRoles):
    """Episodes that all earn nothing, of so many attempts; what the judge takes for a success; and a writer."""

    spec = ReasoningBankLearner
    attempts: int = 1
    succeed: tuple[str, ...] = ("one",)
    write: Callable[[WriteNotes], NotesWritten | Unanswered] = field(default=written)

    def ended(self, request: RunEpisode) -> EpisodeRan:
        processes = tuple(
            DecisionProcess(
                session=f"s{number}",
                goal=f"do {request.task}",
                setting="",
                reward=0.0,
                turns=(Turn(completion=f"Action: way {number}", observation=""),),
            )
            for number in range(self.attempts)
        )
        return EpisodeRan(faulted=False, reward=0.0, experience=replace(lived_through(request), processes=processes))

    def actor(self, request: Request[Any]) -> Any:
        return _Actor(self)

    @property
    def noted(self) -> list[tuple[int, Note]]:
        """The versions and the notes that were added."""
        return [
            (request.version, change.note)
            for request in self.requests(RememberNotes)
            for change in request.changes
            if isinstance(change, AddNote)
        ]


def test_a_success_and_a_failure_by_verdict_have_instructions_of_their_own_and_all_notes_are_appended() -> None:
    roles = Around()
    assert roles.learn(LEARN, most=2) == 2
    asked = [(request.of, request.most, len(request.attempts)) for request in roles.requests(WriteNotes)]
    assert asked == [("success", 2, 1), ("failure", 2, 1)]
    assert [(version, note.title, note.text) for version, note in roles.noted] == [
        (1, "success", "one, fast"),
        (1, "success", "one, slow"),
        (2, "failure", "two, fast"),
        (2, "failure", "two, slow"),
    ]


def test_a_note_is_found_by_the_goal_of_its_task_and_says_which_it_is_from() -> None:
    roles = Around()
    roles.learn(LEARN)
    assert [(note.about, note.episode) for _, note in roles.noted[::2]] == [("do one", "one"), ("do two", "two")]


def test_an_episode_that_was_cut_short_has_no_processes_and_its_notes_are_found_by_its_opening() -> None:
    roles = Around(attempts=0)
    roles.learn(LEARN)
    assert roles.noted[0][1].about == "Please do one."


@pytest.mark.parametrize("succeed", [(), ("one", "two")])
def test_several_attempts_are_contrasted_whatever_the_verdict_on_the_answer(succeed: tuple[str, ...]) -> None:
    roles = Around(attempts=3, succeed=succeed)
    roles.learn(LEARN)
    first, second = roles.requests(WriteNotes)
    assert (first.of, second.of) == ("contrast", "contrast")
    assert [each.turns[0].completion for each in first.attempts] == [f"Action: way {number}" for number in range(3)]
    assert {(each.task, each.opening) for each in second.attempts} == {("two", "Please do two.")}


@pytest.mark.parametrize("answer", [Unanswered(reason="hm"), NotesWritten(notes=())])
def test_where_nothing_is_written_nothing_is_noted_and_learning_goes_on(answer: NotesWritten | Unanswered) -> None:
    roles = Around(write=lambda request: answer if request.attempts[0].task == "one" else written(request))
    assert roles.learn(LEARN) == 2
    assert [version for version, _ in roles.noted] == [2, 2]
