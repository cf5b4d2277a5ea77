"""The seconds of an episode that was begun more than once."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.events import Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path
from quintet.messages.solving import Solve
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from tests.simulation.scenes import Fetcher, Slow, contest
from tests.simulation.virtual import run

EPISODE = Path("beehive/0/0")


async def episode(file: FilePath, *, until: float | None = None) -> list[Record]:
    """Run an episode, for at most so many seconds."""
    journal = SqliteJournal(file)
    spec = contest(model=Slow(Fetcher()))
    runtime = LocalRuntime(spec, journal, concurrency=1)

    async def ends() -> None:
        async with runtime:
            async for _ in runtime.run([Planned(EPISODE, Solve(task=spec.task("beehive", 0)))]):
                pass

    try:
        async with asyncio.timeout(until):
            await ends()
    except TimeoutError:
        pass
    finally:
        records = journal.reader.records(EPISODE)
        journal.close()
    return records


def write_starts(file: FilePath, *starts: tuple[int, float, float]) -> None:
    """Write into a journal when its records were made: a start's number, when it began, and when it was killed."""
    with closing(sqlite3.connect(file)) as connection:
        for incarnation, began, killed in starts:
            mine = "start IN (SELECT id FROM _starts WHERE incarnation = ?)"
            events = ("_calls", "_sessions", "_steps", "_exchanges", "_decisions")
            for table in events:
                connection.execute(f"UPDATE {table} SET at = ?, seconds = 0 WHERE {mine}", (1000 * killed, incarnation))
            ids = " UNION ALL ".join(f"SELECT id FROM {table} WHERE {mine}" for table in events)
            (first,) = connection.execute(f"SELECT min(id) FROM ({ids})", (incarnation,) * len(events)).fetchone()
            for table in events:
                connection.execute(
                    f"UPDATE {table} SET at = ?, seconds = 2000000 WHERE id = ?", (1000 * (began + 2), first)
                )
        connection.commit()


def test_an_episodes_seconds_are_those_of_all_its_starts(tmp_path: FilePath) -> None:
    file = tmp_path / "journal"
    assert len(run(episode(file, until=1.5))) > 1
    write_starts(file, (1, 1_000, 1_060))
    assert {record.incarnation for record in run(episode(file, until=2.5))} == {1, 2}
    write_starts(file, (1, 1_000, 1_060), (2, 5_000, 5_007))
    (end,) = [record for record in run(episode(file)) if record.event.kind == "episode_ended"]
    assert end.incarnation == 3
    assert end.seconds == pytest.approx(67, abs=5)


def test_the_seconds_of_one_start_are_its_own(tmp_path: FilePath) -> None:
    (end,) = [record for record in run(episode(tmp_path / "journal")) if record.event.kind == "episode_ended"]
    assert 0 < end.seconds < 30
