"""What Agent Workflow Memory notes: workflows of the attempts that succeeded, together by task type, or one by one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.notes import Note
from quintet.messages.noting import NotesWritten, WriteNotes
from quintet.methods.awm.learning import AwmLearner
from tests.actors.methods.notebook_roles import Answer, NotebookRoles, unanswered
from tests.actors.methods.training_world import lived_through

LEARN = Learn(training=("heat a", "cool b", "heat c", "heat d", "fail"), held_out=(), test=("test",))


def written(request: WriteNotes) -> NotesWritten:
    """One note, of the tasks that it was asked about."""
    return NotesWritten(notes=(Note(text=", ".join(each.task for each in request.attempts)),))


@dataclass(kw_only=True)
class Around(NotebookRoles):
    """Episodes that succeed unless their task is to fail, with the first word of the task as its type."""

    spec = AwmLearner
    typed: bool = True
    answers: Callable[[Any], Answer] = field(default=written)

    def ended(self, request: RunEpisode) -> EpisodeRan:
        task_type = request.task.partition(" ")[0] if self.typed else ""
        lived = replace(lived_through(request), task_type=task_type)
        return EpisodeRan(faulted=False, reward=float(request.task != "fail"), experience=lived)


def test_all_tasks_are_one_window_whose_successes_of_a_type_make_one_prompt() -> None:
    roles = Around()
    assert roles.learn(LEARN) == 1
    assert [(note.text, note.task_type) for _, note in roles.noted] == [
        ("heat a, heat c, heat d", "heat"),
        ("cool b", "cool"),
    ]
    assert {(note.section, note.episode) for _, note in roles.noted} == {
        ("workflows", "heat a"),
        ("workflows", "cool b"),
    }
    assert {request.of for request in roles.requests(WriteNotes)} == {"workflows"}


def test_where_tasks_have_no_types_all_successes_make_one_prompt() -> None:
    roles = Around(typed=False)
    roles.learn(LEARN)
    assert [note.text for _, note in roles.noted] == ["heat a, cool b, heat c, heat d"]


def test_a_prompt_has_as_many_attempts_as_it_may() -> None:
    roles = Around()
    roles.learn(LEARN, batch=2)
    assert [note.text for _, note in roles.noted] == ["heat a, heat c", "heat d", "cool b"]


def test_online_every_success_makes_a_version() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=1) == 5
    assert [(version, note.text) for version, note in roles.noted] == [
        (1, "heat a"),
        (2, "cool b"),
        (3, "heat c"),
        (4, "heat d"),
    ]


def test_where_nothing_is_written_nothing_is_noted() -> None:
    roles = Around(answers=unanswered)
    assert roles.learn(LEARN) == 1
    assert not roles.noted
