"""A crash of the whole process at every journal position resumes to what the uninterrupted run gives."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from actors.catalogue import model
from deploy.journal.schema import EventRow, PromptRow
from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly
from deploy.runtime.driver import Planned
from deploy.runtime.local import LocalRuntime
from protocols.events import Record
from tests.simulation.content import content
from tests.simulation.scenes import Slow, adapt, contest, planned
from tests.simulation.virtual import run

GOALS = ("beehive", "lantern")


class Dying(SqliteJournal):
    """A journal whose process dies once it has committed so many events."""

    def __init__(self, file: Path, lives: int) -> None:
        super().__init__(file)
        self.lives = lives
        self.died = asyncio.Event()

    def _write(self, events: list[EventRow], prompts: list[PromptRow]) -> None:
        if not self.died.is_set():
            super()._write(events[: self.lives], prompts)
            self.lives -= len(events)
        if self.lives <= 0:
            self.died.set()

    async def append(self, records: Iterable[Record]) -> None:
        await super().append(records)
        if self.died.is_set():
            await asyncio.Event().wait()  # nobody is told of anything any more


async def uninterrupted(assembly: Assembly, journal: SqliteJournal, episodes: list[Planned]) -> None:
    async with LocalRuntime(assembly, journal, concurrency=2) as runtime:
        async for _ in runtime.run(episodes):
            pass


async def crashed(assembly: Assembly, file: Path, episodes: list[Planned], lives: int) -> None:
    journal = Dying(file, lives)
    running = asyncio.create_task(uninterrupted(assembly, journal, episodes))
    await asyncio.wait([running, asyncio.create_task(journal.died.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done() or lives > len(journal.reader.records())
    running.cancel()
    journal.close()


@pytest.mark.parametrize(
    ("assembly", "goals"),
    [
        pytest.param(contest(), GOALS, id="contest"),
        pytest.param(
            adapt(Slow(model("sim-weak")), max_depth=3, executor_calls=3, rollback=True), ("lantern",), id="adapt"
        ),
    ],
)
def test_a_crash_at_every_position_resumes_to_the_same_content(
    assembly: Assembly, goals: tuple[str, ...], tmp_path: Path
) -> None:
    whole = SqliteJournal(":memory:")
    run(uninterrupted(assembly, whole, planned(assembly, goals)))
    expected = content(whole)
    positions = len(whole.reader.records())
    assert positions > 50
    for lives in range(1, positions):
        file = tmp_path / f"{lives}.sqlite"
        run(crashed(assembly, file, planned(assembly, goals), lives))
        resumed = SqliteJournal(file)
        ended = {record.event.path for record in resumed.reader.ended()}
        left = [episode for episode in planned(assembly, goals) if episode.path not in ended]
        run(uninterrupted(assembly, resumed, left))
        assert content(resumed) == expected, f"after a crash at event {lives}"
        resumed.close()
