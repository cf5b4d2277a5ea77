"""The memory that a run is given, the store that it keeps, and what its episodes recall."""

import asyncio
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.api import evaluate, open_run
from quintet.config.sections import MemorySection
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import Recalled
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.learned.memories import count_trajectories, open_store, read_memory
from quintet.memory.copy import copy_version
from quintet.memory.place import find_memory
from quintet.memory.schema import MEMORY_FILE, MEMORY_FORMAT
from quintet.memory.store import Store
from quintet.messages.parts import Recollection, TaskPlan
from quintet.runs.record import RunRecord
from tests.command import printed
from tests.deploy import samples
from tests.deploy.memory.samples import TYPES, a_memory, a_store, a_tuple, request

LINE = '{"goal": "heat egg", "reward": 1, "steps": [{"observation": "A room.", "action": "go to fridge 1"}]}\n'


@pytest.fixture
def kitchens(tmp_path: Path) -> Path:
    file = tmp_path / "kitchens.sqlite"
    a_memory(file).close()
    return file


def _record(source: str, **memory: object) -> RunRecord:
    tables = {
        "method": {"name": "react"},
        "environment": {"name": "alfworld"},
        "run": {"tasks": 1},
        "memory": {"source": source, **memory},
    }
    return prepare([from_table(tables, "a test")]).record


def test_a_memory_is_recalled_as_in_the_run_that_has_it_but_for_what_is_set(tmp_path: Path) -> None:
    run = tmp_path / "run"
    learnt = ["memory.retrieval=lexical", "memory.most=2"]
    settings = {"run.learn": True, "learning.tasks": 1, **dict(each.split("=") for each in learnt)}
    evaluate("examples/insights.py:Insights", "textcraft", model="sim-strong", tasks=1, journal=run, settings=settings)

    def shown(**further: object) -> MemorySection | None:
        layer = {"method.name": "react", "environment.name": "textcraft", "run.tasks": 1, "memory.source": str(run)}
        return prepare(
            [from_table({**layer, **{f"memory.{key}": value for key, value in further.items()}}, "a test")]
        ).config.memory

    as_learnt, fewer = shown(), shown(most=1, budget=9)
    assert as_learnt is not None
    assert fewer is not None
    assert (as_learnt.retrieval, as_learnt.most, as_learnt.budget) == ("lexical", 2, 2_048)
    assert (fewer.retrieval, fewer.most, fewer.budget) == ("lexical", 1, 9)


def test_of_a_strangers_run_no_embedder_is_imported_or_contacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    settings = {"run.learn": True, "learning.tasks": 1, "memory.embedder.name": "hashed-words"}
    evaluate("examples/insights.py:Insights", "textcraft", model="sim-strong", tasks=1, journal=run, settings=settings)
    record = json.loads((run / "run.json").read_text())
    record["configuration"]["memory"]["embedder"] = {"name": "theirs", "url": "http://127.0.0.1:9/v1", "key": "SECRET"}
    (run / "run.json").write_text(json.dumps(record))
    monkeypatch.setenv("SECRET", "s3cret")
    layer = {"method.name": "react", "environment.name": "textcraft", "run.tasks": 1, "memory.source": str(run)}
    with pytest.raises(UsageError, match=r"http://127.0.0.1:9/v1"):
        prepare([from_table(layer, "a test")])
    own = prepare([from_table({**layer, "memory.embedder.name": "hashed-words"}, "a test")]).config.memory
    assert own is not None
    assert own.embedder is not None
    assert own.embedder.name == "hashed-words"


def test_the_record_says_which_memory_it_was(kitchens: Path) -> None:
    given = _record(f"{kitchens}@1").memory
    assert given is not None
    assert (given.file, given.version, given.format, given.world) == (kitchens, 1, MEMORY_FORMAT, "alfworld")
    assert (given.tuples, given.batches, given.goal_types, len(given.digest)) == (5, 1, 2, 64)
    again = RunRecord.model_validate_json(_record(str(kitchens)).model_dump_json())
    assert again.memory == read_memory(str(kitchens), "alfworld")
    with pytest.raises(UsageError, match=r"memory\.source: expected a memory of textcraft, got one of alfworld"):
        read_memory(str(kitchens), "textcraft")


@pytest.mark.parametrize(
    ("source", "memory", "said"),
    [
        ("{file}@9", {}, "memory: expected a version (0 to 2), got 9 ({file}, a test)"),
        ("{file}@0", {}, "memory.source: expected tuples, got version 0, which is empty ({file}@0, a test)"),
        ("{file}.gone", {}, "memory: expected a run folder or a memory file, found none ({file}.gone, a test)"),
        ("{file}", {"batch": 3}, "memory.batch: expected at most 1, the batch memories of {file}, got 3 (a test)"),
    ],
)
def test_a_memory_that_cannot_be_shown_is_refused(
    source: str, memory: dict[str, object], said: str, kitchens: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        _record(source.format(file=kitchens), **memory)
    assert str(caught.value) == said.format(file=kitchens)


def test_a_run_s_own_store_begins_with_a_copy_and_keeps_its_digest(kitchens: Path, tmp_path: Path) -> None:
    record = _record(f"{kitchens}@1")
    own = tmp_path / "memory.sqlite"
    for file in (own, own, None):
        store = open_store(record, file)
        assert {version: sealed.digest for version, sealed in store.reader.versions().items()} == {
            0: record.memory.digest if record.memory else ""
        }
        assert store.reader.versions()[0].tuples == 5
        store.close()
    kitchens.unlink()
    open_store(record, own).close()


def test_a_source_that_changed_before_it_was_copied_is_refused(kitchens: Path) -> None:
    record = _record(str(kitchens))
    kitchens.unlink()
    with closing(a_store(kitchens, request((a_tuple(action="look"),)))) as store:
        store.add(request((a_tuple(action="wait"),), version=2, types=()))
        store.seal(2)
    with pytest.raises(UsageError, match=r"memory: expected the digest \w+, with which the run was begun, got \w+ \("):
        open_store(record, None)


def test_a_run_goes_on_with_no_other_memory_than_it_began_with(kitchens: Path, tmp_path: Path) -> None:
    record, own = _record(str(kitchens)), tmp_path / "memory.sqlite"
    open_store(record, own).close()
    own.unlink()
    open_store(_record(f"{kitchens}@1"), own).close()
    with pytest.raises(UsageError, match=rf"with which the run was begun, got \w+ \({own}\)"):
        open_store(record, own)
    shutil.copy(kitchens, own)  # its version 0 is empty
    with pytest.raises(UsageError, match="with which the run was begun"):
        open_store(record, own)


def test_a_run_goes_on_with_its_own_copy_unchanged_alone(kitchens: Path, tmp_path: Path) -> None:
    record, own = _record(str(kitchens)), tmp_path / "memory.sqlite"
    open_store(record, own).close()
    with closing(sqlite3.connect(own)) as memory:
        memory.executescript("DELETE FROM tuples WHERE id = (SELECT min(id) FROM tuples)")
    with pytest.raises(
        UsageError, match=rf"memory: version 0: expected the digest \w+ of 6 tuples, .* of 5: .*\({own}\)"
    ):
        open_store(record, own)


def _learning(tmp_path: Path) -> RunRecord:
    file = tmp_path / "expert.jsonl"
    file.write_text(LINE + LINE.replace("heat egg", "heat cup"))
    tables = {
        "method": {"name": "ldm2"},
        "environment": {"name": "alfworld"},
        "run": {"tasks": 1, "learn": True},
        "learning": {"tasks": 2, "source": "given", "batch": 1, "goals": 1},
        "memory": {"trajectories": [str(file)]},
    }
    return prepare([from_table(tables, "a test")]).record


def test_trajectories_lie_in_the_store_and_version_0_is_empty(tmp_path: Path) -> None:
    record, own = _learning(tmp_path), tmp_path / "memory.sqlite"
    section = record.configuration.memory
    assert section is not None
    assert record.trajectories == count_trajectories(section, "alfworld", frozenset())
    open_store(record, own).close()
    (tmp_path / "expert.jsonl").unlink()
    with closing(open_store(record, own)) as store:
        assert [each.goal for each in store.reader.trajectories(0, 9)] == ["heat egg", "heat cup"]
        assert store.reader.versions()[0].tuples == 0


def test_a_run_that_learns_from_trajectories_goes_on_with_no_others_and_no_memory(
    kitchens: Path, tmp_path: Path
) -> None:
    record, own = _learning(tmp_path), tmp_path / "memory.sqlite"
    (tmp_path / "expert.jsonl").write_text(LINE)
    with pytest.raises(UsageError, match=r"got \w+ \(memory\.trajectories, memory\.from_runs\)"):
        open_store(record, tmp_path / "again.sqlite")
    with closing(Store(own, world="alfworld")) as store:
        store.give_trajectories([])
        store.seal(0)
    with pytest.raises(UsageError, match=rf"expected the digest \w+, .*, got \w+ \(trajectories in {own}\)"):
        open_store(record, own)
    own.unlink()
    with closing(Store(own, world="alfworld")) as store, closing((found := find_memory(f"{kitchens}@1")).reader):
        copy_version(found, store)
    with pytest.raises(UsageError, match=rf"expected an empty version 0, .*, got one of 5 tuples \({own}\)"):
        open_store(record.model_copy(update={"trajectories": None}), own)


def test_a_pipe_of_trajectories_is_refused_before_it_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match=rf"expected a file, which a resume may read again, got a pipe .*\({pipe}\)"):
        count_trajectories(MemorySection(trajectories=(pipe,)), "alfworld", frozenset())


@pytest.fixture
def crafts(tmp_path: Path) -> Path:
    """A memory of TextCraft with one version of two tuples."""
    file = tmp_path / "crafts.sqlite"
    with closing(Store(file, world="textcraft")) as store:
        process = (
            a_tuple("craft stick", "Crafting commands", "get 1 log"),
            a_tuple("craft stick", "Got 1 log", "look"),
        )
        store.add(request(process, version=0, types=TYPES))
        store.seal(0)
    return file


def test_every_turn_of_an_episode_recalls_from_the_runs_own_copy_and_a_report_says_so(
    crafts: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    (end,) = evaluate("react", "textcraft", tasks=["beehive"], memory=crafts, journal=run)
    assert end.fault is None
    with closing(JournalReader.open(run / "journal.sqlite")) as reader:
        found = [record.event for record in reader.records() if isinstance(record.event, Recalled)]
    assert {(event.version, event.batch) for event in found} == {(0, 1)}
    assert (run / MEMORY_FILE).is_file()
    said = printed("report", run)
    assert f"react + memory v0: is shown the memory in {crafts}, version 0" in said
    assert "; memory:" not in said
    assert json.loads((run / "run.json").read_text())["memory"]["tuples"] == 2


@pytest.mark.real_time
async def test_a_run_without_a_folder_has_a_memory_too(crafts: Path) -> None:
    async with open_run("react", "textcraft", tasks=["beehive"], memory=f"{crafts}@0") as run:
        assert len([end async for end in run.run(run.left()) if end.fault is None]) == 1


@pytest.mark.real_time
async def test_a_plan_and_a_memory_are_shown_together(crafts: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("1. Look.")
    tables = {
        "method": {"name": "autoplan", "plan": str(tmp_path / "plan.md")},
        "environment": {"name": "textcraft"},
        "run": {"tasks": ["beehive"]},
        "memory": {"source": str(crafts), "budget": 100},
    }

    async with open_evaluation(prepare([from_table(tables, "a test")])) as run:
        (planned,) = run.left()
        parts: tuple[object, ...] = planned.request.parts  # type: ignore[union-attr]
    assert parts == (TaskPlan(text="1. Look."), Recollection(version=0, batches=1, budget=400))


def test_a_memory_that_another_process_writes_stops_a_run_before_it_begins_and_a_discarded_run_leaves_none(
    crafts: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    record = samples.record("react", memory={"source": str(crafts)})
    with WritableRun.create(path, record) as folder:
        with (
            closing(Store(path / MEMORY_FILE, world="textcraft")),
            pytest.raises(UsageError, match="memory: expected no other writer, got one"),
        ):
            asyncio.run(_open(folder))
        (path / MEMORY_FILE).unlink()
        asyncio.run(_open(folder))
        assert (path / MEMORY_FILE).is_file()
        folder.discard()
    assert not path.exists()


async def _open(folder: WritableRun) -> None:
    async with open_evaluation(folder):
        pass


def test_a_report_says_how_a_memory_was_recalled_if_not_by_default(crafts: Path, tmp_path: Path) -> None:
    settings = {"memory.retrieval": "embedding", "memory.embedder.name": "hashed-words", "memory.budget": 500}
    evaluate("react", "textcraft", tasks=["beehive"], memory=crafts, journal=tmp_path / "run", settings=settings)
    said = printed("report", tmp_path / "run")
    assert "; memory: retrieval embedding, budget 500, embedder hashed-words\n" in said
