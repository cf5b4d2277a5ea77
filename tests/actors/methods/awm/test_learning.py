"""What Agent Workflow Memory notes: workflows of the attempts that succeeded, together by task type, or one by one."""

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.memory import NotesChanged, RememberNotes
from quintet.messages.message import Request, Unanswered
from quintet.messages.notes import AddNote, Note
from quintet.messages.noting import NotesWritten, WriteNotes
from quintet.messages.store import Seal, Sealed
from quintet.methods.awm.learning import AwmLearner
from tests.actors.methods.training_world import TrainingRoles, lived_through

LEARN = Learn(training=("heat a", "cool b", "heat c", "heat d", "fail"), held_out=(), test=("test",))


class _Actor:
    def __init__(self, silent: bool) -> None:
        self._silent = silent

    async def receive(
        self, request: RememberNotes | Seal | WriteNotes
    ) -> NotesChanged | Sealed | NotesWritten | Unanswered:
        match request:
            case RememberNotes():
                return NotesChanged(ids=tuple(range(len(request.changes))))
            case Seal():
                return Sealed(added=0, digest="")
            case WriteNotes():
                tasks = ", ".join(each.task for each in request.attempts)
                return Unanswered(reason="hm") if self._silent else NotesWritten(notes=(Note(text=tasks),))


@dataclass(kw_only=True)
class Around(TrainingRoles):
    """Episodes that succeed unless their task is to fail, with the first word of the task as its type."""

    spec = AwmLearner
    typed: bool = True
    silent: bool = False

    def ended(self, request: RunEpisode) -> EpisodeRan:
        task_type = request.task.partition(" ")[0] if self.typed else ""
        lived = replace(lived_through(request), task_type=task_type)
        return EpisodeRan(faulted=False, reward=float(request.task != "fail"), experience=lived)

    def actor(self, request: Request[Any]) -> Any:
        return _Actor(self.silent)

    @property
    def noted(self) -> list[tuple[int, int, Note]]:
        """Version, place and note of what was added."""
        found = [
            (request.version, request.place, change.note)
            for request in self.requests(RememberNotes)
            for change in request.changes
            if isinstance(change, AddNote)
        ]
        return sorted(found, key=lambda each: each[:2])


def test_all_tasks_are_one_window_whose_successes_of_a_type_make_one_prompt() -> None:
    roles = Around()
    assert roles.learn(LEARN) == 1
    assert [(place, note.text, note.task_type) for _, place, note in roles.noted] == [
        (0, "heat a, heat c, heat d", "heat"),
        (1, "cool b", "cool"),
    ]
    assert {(note.section, note.episode) for _, _, note in roles.noted} == {
        ("workflows", "heat a"),
        ("workflows", "cool b"),
    }
    assert {request.of for request in roles.requests(WriteNotes)} == {"workflows"}


def test_where_tasks_have_no_types_all_successes_make_one_prompt() -> None:
    roles = Around(typed=False)
    roles.learn(LEARN)
    assert [note.text for _, _, note in roles.noted] == ["heat a, cool b, heat c, heat d"]


def test_a_prompt_has_as_many_attempts_as_it_may() -> None:
    roles = Around()
    roles.learn(LEARN, batch=2)
    assert [note.text for _, _, note in roles.noted] == ["heat a, heat c", "heat d", "cool b"]


def test_online_every_success_makes_a_version() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=1) == 5
    assert [(version, note.text) for version, _, note in roles.noted] == [
        (1, "heat a"),
        (2, "cool b"),
        (3, "heat c"),
        (4, "heat d"),
    ]


def test_where_nothing_is_written_nothing_is_noted() -> None:
    roles = Around(silent=True)
    assert roles.learn(LEARN) == 1
    assert not roles.noted
