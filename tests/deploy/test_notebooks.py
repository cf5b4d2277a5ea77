"""Runs that are given a notebook: how it is shown, what the report says of it, and what is refused."""

import asyncio
import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from quintet.api import evaluate
from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.events import Recalled
from quintet.journal.reader import JournalReader
from quintet.launch.prepare import prepare
from quintet.memory.copy import MemoryVersion, copy_version
from quintet.memory.embed import embed_memory
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.notes import Note
from quintet.messages.store import ChangeNotes
from quintet.models.embedding.hashed_words import HashedWords
from quintet.runs.record import RunRecord
from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.memory.notebooks import added
from tests.deploy.memory.samples import a_memory, a_tuple, request

_ADVICE = "Get what the recipe needs before you craft it."


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A notebook of TextCraft: a note on beehives, and 30 on other things."""
    file = tmp_path / "notes.sqlite"
    with closing(Store(file, world="textcraft", kind="notebook")) as store:
        others = [Note(text=f"Number {number} is of no use. " * 20) for number in range(30)]
        beehive = Note(title="Beehives", text=_ADVICE, about="craft beehive")
        store.change(ChangeNotes(version=0, place=0, changes=added(beehive, *others)))
        store.seal(0)
    return file


def _run(notes: Path, run: Path, *settings: str, method: str = "react") -> tuple[str, list[Recalled]]:
    """The prompts of a run of one episode, and what it recalled."""
    given = dict(each.split("=") for each in settings)
    (end,) = evaluate(method, "textcraft", tasks=["beehive"], memory=notes, journal=run, settings=given)
    assert end.fault is None
    with closing(JournalReader.open(run / "journal.sqlite")) as reader:
        records = list(reader.records())
    said = "\n".join(message.content for each in records for node in each.prompts for message in node.appended)
    return said, [each.event for each in records if isinstance(each.event, Recalled)]


@pytest.mark.parametrize("method", ["react", "adapt", "adapt(devils_advocate)", "lats", "plan_execute", "adaplanner"])
def test_any_method_shows_its_executor_or_planner_the_notes_that_are_nearest_to_its_goal(
    method: str, notes: Path, tmp_path: Path
) -> None:
    said, recalled = _run(notes, tmp_path / "run", "memory.retrieval=lexical", method=method)
    assert "## Beehives\n" + _ADVICE in said
    assert (recalled[0].version, recalled[0].batch, recalled[0].ids) == (0, 0, (0,))
    assert (tmp_path / "run" / MEMORY_FILE).is_file()


def test_all_notes_are_shown_within_the_budget_and_the_report_says_what_was_left_out(
    notes: Path, tmp_path: Path
) -> None:
    said, (recalled,) = _run(notes, tmp_path / "run", "memory.budget=500")
    assert said.count("Number 29 is") == 20
    assert "Beehives" not in said
    assert recalled.left_out == 31 - len(recalled.ids) > 0
    report = printed("report", tmp_path / "run")
    assert f"react + notebook v0: is shown the notebook in {notes}, version 0" in report
    assert f"notes were recalled 1 time; the budget left out {recalled.left_out} notes in 1 of them" in report
    assert f"recalled {len(recalled.ids)} notes of version 0, {recalled.left_out} left out" in printed(
        "show", tmp_path / "run", "beehive"
    )
    assert json.loads((tmp_path / "run" / "run.json").read_text())["memory"]["kind"] == "notebook"


def test_each_section_is_recalled_in_its_own_way_and_the_report_says_what_each_left_out(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite"
    insights = [Note(text=f"Insight {number}. " * 10, section="insights") for number in range(8)]
    examples = [Note(text=_ADVICE, about="craft beehive", section="examples"), Note(text="Else.", section="examples")]
    with closing(Store(file, world="textcraft", kind="notebook")) as store:
        store.change(ChangeNotes(version=0, place=0, changes=added(*examples, *insights, Note(text="In no section."))))
        store.seal(0)
    settings = ("memory.sections.insights.retrieval=all", "memory.sections.examples.retrieval=lexical")
    said, recalled = _run(file, tmp_path / "run", *settings, "memory.sections.examples.most=1", "memory.budget=100")
    assert [(each.section, len(each.ids), each.left_out, len(each.scores)) for each in recalled] == [
        ("insights", 3, 5, 0),
        ("examples", 1, 0, 1),
    ]
    assert said.index("Insight 7.") < said.index(_ADVICE)
    assert "In no section." not in said
    report = printed("report", tmp_path / "run")
    assert "notes of section insights were recalled 1 time; the budget left out 5 notes in 1 of them" in report
    assert "notes of section examples were recalled 1 time, none left out" in report
    assert "memory: sections.insights.retrieval all, sections.examples.retrieval lexical" in report
    assert "recalled 3 notes of section insights of version 0, 5 left out" in printed(
        "show", tmp_path / "run", "beehive"
    )


def test_a_control_shows_other_notes_or_words_that_say_nothing(notes: Path, tmp_path: Path) -> None:
    for control in ("shuffled", "random"):
        said, _ = _run(notes, tmp_path / control, "memory.retrieval=lexical", f"memory.control={control}")
        assert "What was learnt from other tasks:" in said, control
        assert _ADVICE not in said, control


def test_notes_are_found_by_embedding_that_a_run_makes_at_its_beginning(notes: Path, tmp_path: Path) -> None:
    settings = ("memory.retrieval=embedding", "memory.embedder.name=hashed-words", "memory.most=1")
    said, (recalled,) = _run(notes, tmp_path / "run", *settings)
    assert (recalled.ids, _ADVICE in said) == ((0,), True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["memory.batch=2"], "memory.batch: expected a memory for it to be 2, got a notebook"),
        (["memory.kind=memory"], "memory.source: expected a memory, got a notebook"),
        (
            ["memory.control=shuffled"],
            "memory.control: expected a retrieval that differs from task to task for 'shuffled' (type, lexical, "
            "embedding), got 'all'",
        ),
    ],
)
def test_what_a_notebook_does_not_take_is_refused(settings: list[str], said: str, notes: Path) -> None:
    with pytest.raises(UsageError) as error:
        _prepare(notes, "textcraft", *settings)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("memory.retrieval=all", "memory.retrieval: expected a notebook for it to be 'all', got a memory"),
        ("memory.most=2", "memory.most: expected a notebook for it to be 2, got a memory"),
        (
            "memory.sections.a.most=3",
            "memory.sections: expected a notebook for it to be ['a'], got a memory (--set memory.sections.a.most=3)",
        ),
        ("memory.kind=notebook", "memory.source: expected a notebook, got a memory"),
    ],
)
def test_what_a_memory_does_not_take_is_refused(setting: str, said: str, tmp_path: Path) -> None:
    a_memory(tmp_path / "m.sqlite").close()
    with pytest.raises(UsageError) as error:
        _prepare(tmp_path / "m.sqlite", "alfworld", setting)
    assert str(error.value).startswith(said)


def test_tuples_are_refused_by_a_method_without_an_executor(tmp_path: Path) -> None:
    a_memory(tmp_path / "m.sqlite").close()
    with pytest.raises(UsageError) as error:
        _prepare(tmp_path / "m.sqlite", "alfworld", "method.name=adaplanner")
    assert str(error.value).startswith("memory.source: expected notes for a method without an executor, got tuples (")


def test_an_empty_notebook_and_one_of_another_world_are_refused(notes: Path, tmp_path: Path) -> None:
    hint = 'to recall its notes in alfworld, say memory.world = "textcraft"'
    with pytest.raises(UsageError, match=f"expected a notebook of alfworld, got one of textcraft; {hint}"):
        _prepare(notes, "alfworld")
    with closing(Store(tmp_path / "empty.sqlite", world="textcraft", kind="notebook")) as store:
        store.seal(0)
    with pytest.raises(UsageError, match="expected notes, got version 0, which is empty"):
        _prepare(tmp_path / "empty.sqlite", "textcraft")


def test_a_run_that_says_so_recalls_notes_of_another_world_and_goes_on_with_them(notes: Path, tmp_path: Path) -> None:
    settings = ("memory.world=textcraft", "memory.retrieval=lexical", "memory.most=1", "run.tasks=1")
    record = _prepare(notes, "alfworld", *settings)
    run = samples.write(tmp_path / "run", record, {})
    assert record.memory is not None
    assert record.memory.world == "textcraft"
    assert "memory.world: expected 'textcraft'" in refused("resume", run, "--set", "memory.world=alfworld")
    report = printed("resume", run)
    assert json.loads(printed("memory", "show", run, "--json"))["world"] == "textcraft"
    assert "memory: world textcraft, retrieval lexical, most 1\n" in report
    assert "notes were recalled 1 time" in report


def test_notes_for_a_type_of_another_worlds_tasks_are_found_for_none_of_this_one(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite"
    with closing(Store(file, world="textcraft", kind="notebook")) as store:
        typed, general = Note(text="Only for bees.", task_type="bees"), Note(text="For everything.")
        store.change(ChangeNotes(version=0, place=0, changes=added(typed, general)))
        store.seal(0)
    settings = {"memory.world": "textcraft", "memory.retrieval": "type"}
    evaluate("react", "alfworld", tasks=1, memory=file, journal=tmp_path / "run", settings=settings)
    with closing(JournalReader.open(tmp_path / "run" / "journal.sqlite")) as reader:
        (recalled,) = [each.event for each in reader.records() if isinstance(each.event, Recalled)]
    assert recalled.ids == (1,)


@pytest.mark.parametrize(
    ("world", "settings", "said"),
    [
        ("textcraft", ["memory.world=alfworld"], "memory.source: expected a memory of alfworld, got one of kitchen ("),
        ("textcraft", ["memory.world=kitchen"], "memory.world: expected 'textcraft' of a memory, whose types are a"),
        (
            "alfworld",
            ["memory.world=kitchen", "method.name=ldm2", "run.learn=true"],
            "memory.world: expected 'alfworld' in a run that learns, got 'kitchen' (",
        ),
    ],
)
def test_a_memory_of_tuples_and_a_run_that_learns_are_of_one_world(
    world: str, settings: list[str], said: str, tmp_path: Path
) -> None:
    with closing(Store(tmp_path / "m.sqlite", world="kitchen")) as store:
        store.add(request((a_tuple(),), version=0))
        store.seal(0)
    with pytest.raises(UsageError) as error:
        _prepare(tmp_path / "m.sqlite", world, *settings)
    assert str(error.value).startswith(said)


_LEARNS = f"method.name={Path(__file__).parents[2] / 'examples' / 'insights.py'}:Insights", "run.learn=true"


@pytest.mark.parametrize(
    ("source", "settings", "said"),
    [
        ("TUPLES", _LEARNS, "memory.source: expected a notebook, got a memory (TUPLES"),
        ("NOTES", ("method.name=ldm2", "run.learn=true"), "memory.source: expected a memory, got a notebook (NOTES"),
        ("NOTES@7", (), "memory: expected a version (0 to 0), got 7 (NOTES"),
    ],
)
def test_a_notebook_of_another_kind_or_version_is_refused_and_stays_as_it_was(
    source: str, settings: tuple[str, ...], said: str, notes: Path, tmp_path: Path
) -> None:
    tuples = tmp_path / "tuples.sqlite"
    copy_version(MemoryVersion(a_memory().reader, 2), into := Store(tuples, world="alfworld"))
    into.close()
    before = [file.read_bytes() for file in (notes, tuples)]
    place, words = (text.replace("NOTES", str(notes)).replace("TUPLES", str(tuples)) for text in (source, said))
    with pytest.raises(UsageError) as error:
        _prepare(Path(place), "textcraft", *settings)
    assert str(error.value).startswith(words)
    assert [file.read_bytes() for file in (notes, tuples)] == before


def test_a_learner_goes_on_with_its_own_notes_and_with_a_file_but_not_with_the_run_of_another(
    notes: Path, tmp_path: Path
) -> None:
    learns, other = tmp_path / "learns.py", tmp_path / "other.py"
    learns.write_text((Path(__file__).parents[2] / "examples" / "insights.py").read_text())
    other.write_text(learns.read_text().replace('"insights"', '"other"'))
    run = tmp_path / "run"
    run.mkdir()
    mine = f"method.name={learns}:Insights", "environment.name=textcraft", "run.learn=true"
    (run / "run.json").write_text(prepare([from_assignments(mine)]).record.model_dump_json())
    shutil.copy(notes, run / MEMORY_FILE)
    _prepare(run, "textcraft", *mine)
    _prepare(run, "textcraft")
    theirs = f"method.name={other}:Insights", "run.learn=true"
    _prepare(notes, "textcraft", *theirs)
    with pytest.raises(UsageError) as error:
        _prepare(run, "textcraft", *theirs)
    expected = f"memory.source: expected what other learnt, got what insights did ({run})"
    assert str(error.value).startswith(expected)


def test_a_run_makes_vectors_of_its_own_embedder_in_its_copy(notes: Path, tmp_path: Path) -> None:
    with closing(Store(notes, world="textcraft", kind="notebook")) as store:
        asyncio.run(embed_memory(store, HashedWords(dimensions=64)))
    settings = ("memory.retrieval=embedding", "memory.embedder.name=hashed-words", "memory.embedder.dimensions=32")
    _, (recalled,) = _run(notes, tmp_path / "run", *settings, "memory.most=1")
    assert recalled.ids == (0,)
    for file, embedder in ((notes, "hashed-words-64"), (tmp_path / "run" / MEMORY_FILE, "hashed-words-32")):
        with closing(MemoryReader.open(file)) as reader:
            assert reader.vectors.embedder == embedder


def _prepare(source: Path, world: str, *settings: str) -> RunRecord:
    named = ("method.name=react", f"environment.name={world}", f"memory.source={source}")
    return prepare([from_assignments((*named, *settings))]).record
