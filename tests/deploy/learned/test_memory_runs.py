"""Runs that are given a memory: in a folder, in memory, resumed, and discarded."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest

from quintet.api import evaluate, open_run
from quintet.cli import main
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


def _recalled(folder: Path) -> list[Recalled]:
    with closing(JournalReader.open(folder / "journal.sqlite")) as reader:
        return [record.event for record in reader.records() if isinstance(record.event, Recalled)]


def test_every_turn_of_an_episode_recalls_from_the_runs_own_copy(crafts: Path, tmp_path: Path) -> None:
    (end,) = evaluate("react", "textcraft", tasks=["beehive"], memory=crafts, journal=tmp_path / "run")
    assert end.fault is None
    found = _recalled(tmp_path / "run")
    assert found
    assert {(event.version, event.batch) for event in found} == {(0, 1)}
    assert (tmp_path / "run" / MEMORY_FILE).is_file()


def test_a_run_without_a_folder_has_a_memory_too(crafts: Path) -> None:
    async def scene() -> int:
        async with open_run("react", "textcraft", tasks=["beehive"], memory=f"{crafts}@0") as run:
            return len([end async for end in run.run(run.left()) if end.fault is None])

    assert asyncio.run(scene()) == 1


def test_a_plan_and_a_memory_are_shown_together(crafts: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("1. Look.")
    tables = {
        "method": {"name": "autoplan", "plan": str(tmp_path / "plan.md")},
        "environment": {"name": "textcraft"},
        "run": {"tasks": ["beehive"]},
        "memory": {"source": str(crafts), "budget": 100},
    }

    async def scene() -> list[object]:
        async with open_evaluation(prepare([from_table(tables, "a test")])) as run:
            (planned,) = run.left()
            return list(planned.request.parts)  # type: ignore[union-attr]

    assert asyncio.run(scene()) == [
        TaskPlan(text="1. Look."),
        Recollection(version=0, batches=1, budget=100),
    ]


def test_a_run_whose_memory_was_exchanged_does_not_go_on(
    crafts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run"
    record = samples.record("react", memory={"source": str(crafts)})
    WritableRun.create(path, record, mounts=samples.NOWHERE).close()
    with closing(Store(path / MEMORY_FILE, world="textcraft")) as other:
        other.add(request((a_tuple(action="wait"),), version=0))
        other.seal(0)
    assert main(["resume", str(path)]) == 2
    said = capsys.readouterr().err
    assert record.memory is not None
    assert f"memory: expected the digest {record.memory.digest}, with which the run was begun, got" in said
    assert str(path / MEMORY_FILE) in said


def test_a_memory_that_is_written_by_another_process_stops_a_run_before_it_begins(crafts: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    record = samples.record("react", memory={"source": str(crafts)})
    with (
        WritableRun.create(path, record, mounts=samples.NOWHERE) as folder,
        closing(Store(path / MEMORY_FILE, world="textcraft")),
        pytest.raises(UsageError, match="memory: expected no other writer, got one"),
    ):
        asyncio.run(_open(folder))


async def _open(folder: WritableRun) -> None:
    async with open_evaluation(folder):
        pass


def test_a_run_that_is_discarded_leaves_no_memory(crafts: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    with WritableRun.create(
        path, samples.record("react", memory={"source": str(crafts)}), mounts=samples.NOWHERE
    ) as run:
        asyncio.run(_open(run))
        assert (path / MEMORY_FILE).is_file()
        run.discard()
    assert not path.exists()


def test_a_report_says_which_memory_was_shown(crafts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate("react", "textcraft", tasks=["beehive"], memory=crafts, journal=tmp_path / "run")
    assert main(["report", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().out
    assert f"react + memory v0: is shown the memory in {crafts}, version 0" in said
    assert "; memory:" not in said
    assert json.loads((tmp_path / "run" / "run.json").read_text())["memory"]["tuples"] == 2


def test_a_report_says_how_a_memory_was_recalled_if_not_by_default(
    crafts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"memory.retrieval": "embedding", "memory.embedder.name": "hashed-words", "memory.budget": 500}
    evaluate("react", "textcraft", tasks=["beehive"], memory=crafts, journal=tmp_path / "run", settings=settings)
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "; memory: retrieval embedding, budget 500, embedder hashed-words\n" in capsys.readouterr().out
