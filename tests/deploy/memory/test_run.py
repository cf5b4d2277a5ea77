"""The memory of a whole run: a disk that fills, and a file that is lost or cut, leave a resume the same content."""

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation
from quintet.launch.writable_run import WritableRun
from quintet.memory import store
from quintet.memory.place import find_memory
from quintet.memory.schema import MEMORY_FILE, create_memory
from quintet.messages.learning import MemoryKind
from quintet.messages.store import Sealed
from tests.command import Said, command, refused
from tests.deploy.memory.samples import HEAT, request

_OPTIMIZE = (
    *("optimize", "ldm2", "textcraft", "--model", "sim-fallible", "--tasks", "1", "--train-tasks", "4"),
    *("--batch", "2", "--set", "learning.rounds=1", "--set", "learning.goals=1", "--eval-every", "9"),
)


class WholeRun(NamedTuple):
    """A run, what it printed, and the versions of its memory."""

    path: Path
    said: Said
    versions: dict[int, Sealed]


def _small_disk(connection: sqlite3.Connection, kind: MemoryKind, world: str) -> None:
    create_memory(connection, kind, world)
    ((pages,),) = connection.execute("PRAGMA page_count")
    connection.execute(f"PRAGMA max_page_count={pages}")


def _suspended(run: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    with monkeypatch.context() as small:
        small.setattr(store, "create_memory", _small_disk)
        return command(*_OPTIMIZE, "--out", run, code=130)


def _calls(said: Said) -> int:
    """Model calls of all attempts, by the table of phases."""
    table = said.out.split("By phase")[1].split("\n\n")[0]
    return sum(int(count.replace(",", "")) for count in re.findall(r"^\w+ +([\d,]+)", table, re.MULTILINE))


def _versions(run: Path) -> dict[int, Sealed]:
    with closing(find_memory(str(run)).reader) as reader:
        return reader.versions()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> WholeRun:
    """A run that nothing disturbed."""
    run = tmp_path_factory.mktemp("whole") / "run"
    said = command(*_OPTIMIZE, "--out", run, code=0)
    versions = _versions(run)
    assert versions[1].tuples > 0
    return WholeRun(run, said, versions)


@pytest.mark.parametrize("then", ["as it is", "lost", "cut"])
def test_a_full_disk_suspends_a_run_and_a_resume_makes_the_same_memory_without_further_calls(
    then: str, whole: WholeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    said = _suspended(run, monkeypatch)
    assert "memory: expected a file that can be written, got database or disk is full" in said.err
    file = run / MEMORY_FILE
    if then == "cut":
        file.write_bytes(file.read_bytes()[:10_000])
        cut = f"expected a whole file, got one that is cut off ({file}); if its run has not ended, remove"
        assert cut in refused("resume", run)
    if then != "as it is":
        file.unlink()
    resumed = command("resume", run, code=0)
    assert _versions(run) == whole.versions
    assert _calls(resumed) == _calls(whole.said)


@pytest.mark.parametrize("then", ["lost", "another"])
def test_a_run_whose_learner_has_ended_does_not_go_on_without_its_memory(
    then: str, whole: WholeRun, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole.path, run)
    (run / MEMORY_FILE).unlink()
    if then == "another":
        with closing(store.Store(run / MEMORY_FILE, world="textcraft")) as other:
            for version in whole.versions:
                if version:
                    other.add(request(HEAT, version=version, place=version))
                other.seal(version)

    async def open_again() -> None:
        with WritableRun.open(run) as folder:
            async with open_evaluation(folder):
                raise AssertionError("opened")

    found = "none" if then == "lost" else "[0-9a-f]{64}"
    with pytest.raises(
        UsageError, match=rf"expected version [01] with the digest [0-9a-f]{{64}}, .* got {found}; put the"
    ):
        asyncio.run(open_again())
