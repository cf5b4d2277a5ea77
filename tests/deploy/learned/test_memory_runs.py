"""Runs that are given a memory: in a folder, in memory, resumed, and discarded."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest

from quintet.api import evaluate, open_run
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import Recalled
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.parts import Recollection, TaskPlan
from tests.command import printed
from tests.deploy import samples
from tests.deploy.memory.samples import TYPES, a_tuple, request


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
        parts = planned.request.parts  # type: ignore[union-attr]
    assert list(parts) == [TaskPlan(text="1. Look."), Recollection(version=0, batches=1, budget=100)]


def test_a_memory_that_another_process_writes_stops_a_run_before_it_begins_and_a_discarded_run_leaves_none(
    crafts: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    record = samples.record("react", memory={"source": str(crafts)})
    with WritableRun.create(path, record, mounts=samples.NOWHERE) as folder:
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
