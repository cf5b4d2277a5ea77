"""Learners of notes through the whole system: what the stand-in notes, what that does where it is recalled."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.memory.notes import notes_in
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.notes import Note
from quintet.models.embedding import wordllama
from quintet.plugins.catalogue import world
from tests.deploy.test_stand_in import way_of

WORDS = {"memory.embedder.name": "hashed-words"}


def learn(method: str, run: Path, tasks: Sequence[str], settings: Mapping[str, Any] | None = None) -> tuple[Note, ...]:
    """The notes that a run learns of these tasks, by a model that never slips."""
    given = {"run.learn": True, "learning.split": "test", "learning.tasks": list(tasks), "learning.eval_every": 0}
    evaluate(
        method, "textcraft", model="sim-strong", tasks=["cake"], journal=run, settings={**given, **(settings or {})}
    )
    with closing(MemoryReader.open(run / MEMORY_FILE)) as reader:
        return tuple(each.note for each in notes_in(reader, max(reader.versions())))


def reward(task: str, memory: Path | None = None, settings: Mapping[str, Any] | None = None) -> float:
    """What ReAct earns with a model that slips at everything that its prompt does not name."""
    given = {"model.error_rate": 1.0, "method.max_steps": 20, **(settings or {})}
    (end,) = evaluate("react", "textcraft", model="sim-fallible", tasks=[task], memory=memory, settings=given)
    return end.reward


def test_a_note_of_a_success_names_what_was_done_and_helps_where_it_is_recalled(tmp_path: Path) -> None:
    (note,) = learn("reasoning_bank", tmp_path / "run", ["beehive"], WORDS)
    assert (note.title, note.about) == ("What was right", "craft beehive")
    assert note.text.splitlines() == [*dict.fromkeys(way_of("beehive"))]
    assert reward("beehive") == 0.0
    recalled = {"memory.retrieval": "embedding", "memory.most": 1, **WORDS}
    assert reward("beehive", tmp_path / "run", recalled) == 1.0


def test_a_note_of_a_failure_names_what_was_missed(tmp_path: Path) -> None:
    (note,) = learn("reasoning_bank", tmp_path / "run", ["beehive"], {"method.inner.max_steps": 1, **WORDS})
    assert (note.title, note.text) == ("What would have been right", way_of("beehive")[1])


@pytest.mark.parametrize("scaling", ["parallel", "sequential"])
def test_scaled_attempts_are_asked_and_contrasted(scaling: str, tmp_path: Path) -> None:
    settings = {"method.scaling": scaling, "method.attempts": 2, "method.inner.max_steps": 3, **WORDS}
    (note,) = learn("reasoning_bank", tmp_path / "run", ["beehive"], settings)
    assert note.title == "What would have been right"
    with closing(JournalReader.open(tmp_path / "run" / "journal.sqlite")) as reader:
        prompts = [
            message.content for record in reader.records() for node in record.prompts for message in node.appended
        ]
    (asked,) = [said for said in prompts if "Attempt 2:" in said]
    assert asked.count("Attempt") == 2
    assert any("Your earlier attempt at this task:" in said for said in prompts) == (scaling == "sequential")


def test_workflows_have_variables_for_what_only_one_task_names(tmp_path: Path) -> None:
    (note,) = learn("awm", tmp_path / "run", ["beehive", "clock"])
    assert (note.section, note.about) == ("workflows", "")
    assert note.text.splitlines() == ["get {x1} {x2}", "get {x3}", "craft {x4} using {x1} {x2} {x3}"]


def test_workflows_are_of_the_type_that_the_world_gives_their_tasks(tmp_path: Path) -> None:
    given = {"run.learn": True, "learning.tasks": 2, "learning.eval_every": 0}
    evaluate("awm", "alfworld", model="sim-strong", tasks=1, journal=tmp_path, settings=given)
    with closing(MemoryReader.open(tmp_path / MEMORY_FILE)) as reader:
        notes = [each.note for each in notes_in(reader, 1)]
    assert notes
    assert all(world("alfworld").metadata(note.episode)["task type"] == note.task_type for note in notes)


def test_a_playbook_says_what_was_done_and_helps_where_it_is_shown(tmp_path: Path) -> None:
    (note,) = learn("ace", tmp_path / "run", ["beehive"], WORDS)
    assert (note.section, note.episode) == ("strategies", "beehive")
    assert all(action in note.text for action in way_of("beehive"))
    assert reward("beehive") == 0.0
    assert reward("beehive", tmp_path / "run") == 1.0


def test_a_failed_attempt_is_reviewed_by_what_was_missed(tmp_path: Path) -> None:
    (note,) = learn("ace", tmp_path / "run", ["beehive"], {"method.inner.max_steps": 1, **WORDS})
    assert note.text == f"Do this where it is due: {way_of('beehive')[1]}."


def test_insights_say_what_successes_share_and_each_success_is_an_example(tmp_path: Path) -> None:
    tasks = ["mushroom stew", "beetroot soup"]
    insight, *examples = learn("expel", tmp_path / "run", tasks, WORDS)
    first, second = ([*map(without_numbers, way_of(task))] for task in tasks)
    shared = [action for action in dict.fromkeys(first) if action in second]
    assert insight.section == "insights"
    assert [without_numbers(action) for action in said_in(insight)] == shared
    assert shared
    assert [(each.section, each.about) for each in examples] == [
        ("examples", "craft mushroom stew"),
        ("examples", "craft beetroot soup"),
    ]
    assert reward("beetroot soup") == 0.0
    nearest = {"memory.sections.examples.retrieval": "lexical", "memory.sections.examples.most": 1}
    assert reward("beetroot soup", tmp_path / "run", nearest) == 1.0


def said_in(note: Note) -> list[str]:
    return note.text.removeprefix("Do this where it is due: ").removesuffix(".").split("; ")


def without_numbers(action: str) -> str:
    return " ".join(word for word in action.split() if not word.isdecimal())


@pytest.mark.parametrize("method", ["reasoning_bank", "ace", "expel"])
def test_without_the_embeddings_extra_the_run_is_refused_before_its_first_call(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_nothing(_name: str) -> None:
        return None

    monkeypatch.setattr(wordllama, "find_spec", find_nothing)
    expected = rf"embedder wordllama: expected the extra embeddings .* name hashed-words .*{method}'s default"
    with pytest.raises(UsageError, match=expected):
        evaluate(method, "textcraft", model="sim-strong", tasks=1, settings={"run.learn": True})
