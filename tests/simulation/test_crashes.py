"""A crash of the whole process at every journal position resumes to what the uninterrupted run gives."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.events import CallMade, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.prompts import Prompt
from quintet.plugins import catalogue
from quintet.plugins.catalogue import model
from quintet.ports.model import Asked, Completion, Model, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from quintet.testing.content import content_of
from tests.simulation.content import content, expect_agreement
from tests.simulation.scenes import Slow, adapt, alternatives, answered, contest, planned, tree
from tests.simulation.virtual import run

GOALS = ("beehive", "lantern")

POSITIONS = pytest.mark.parametrize(
    "apart", [pytest.param(5, id="every fifth position"), pytest.param(1, id="every position", marks=pytest.mark.slow)]
)
"""How far apart the positions are at which a run is killed."""


class Dying(SqliteJournal):
    """A journal whose process dies once it has committed so many events."""

    def __init__(self, file: Path, lives: int) -> None:
        super().__init__(file)
        self.lives = lives
        self.died = asyncio.Event()

    def _flush(self) -> None:
        kept = 0
        while kept < len(self._waiting) and self.lives > 0:
            self.lives -= len(self._waiting[kept].records)  # a group is committed whole
            kept += 1
        del self._waiting[kept:]
        if self.lives <= 0:
            self.died.set()
        super()._flush()

    async def append(self, records: Iterable[Record]) -> None:
        await super().append(records)
        if self.died.is_set():
            await asyncio.Event().wait()  # the process is dead


async def uninterrupted(spec: RunSpec, episodes: list[Planned], journal: SqliteJournal) -> None:
    async with LocalRuntime(spec, journal, concurrency=2) as runtime:
        async for _ in runtime.run(episodes):
            pass


async def crashed(file: Path, lives: int, work: Callable[[SqliteJournal], Coroutine[Any, Any, object]]) -> None:
    """Carry work out on a journal that dies, and leave it there."""
    journal = Dying(file, lives)
    running = asyncio.create_task(work(journal))
    await asyncio.wait([running, asyncio.create_task(journal.died.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done() or lives > len(journal.reader.records())
    running.cancel()
    journal.close()


class Noting:
    """Notes the seeds of another model's calls; no two calls of an episode have the same."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.seeds: list[int | None] = []

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.seeds.append(sampling.seed)
        return await self._model.complete(prompt, sampling)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self.seeds.append(sampling.seed)
        return await answered(self._model, prompt, sampling, asked)


@POSITIONS
def test_alternatives_killed_at_a_position_go_on_without_a_repeated_call(apart: int, tmp_path: Path) -> None:
    """The faster of two alternatives may be another one after a kill, unless its end was journaled."""
    goals = ("cyan banner",)
    whole = SqliteJournal(":memory:")
    run(uninterrupted(alternatives(), planned(alternatives(), goals), whole))
    expected = content(whole)
    kinds = {kind for _, kind in expected}
    assert {"branch_ended", "branch_stopped"} <= kinds
    differing = 0
    for lives in range(1, len(whole.reader.records()), apart):
        file = tmp_path / f"{lives}.sqlite"
        episodes = planned(alternatives(), goals)
        run(crashed(file, lives, partial(uninterrupted, alternatives(), episodes)))
        resumed = SqliteJournal(file)
        left = resumed.reader.records()
        model = Noting(catalogue.model("sim-weak"))
        ended = {row.path for row in resumed.reader.episodes() if row.state is not None}
        run(uninterrupted(alternatives(model), [each for each in episodes if each.path not in ended], resumed))
        assert not {each.event.sampling.seed for each in left if isinstance(each.event, CallMade)} & set(model.seeds)
        assert [row.state for row in resumed.reader.episodes()] != [None]
        differing += expect_agreement(expected, content_of(left), content(resumed))
        resumed.close()
    assert differing > 0


@POSITIONS
@pytest.mark.parametrize(
    ("spec", "goals"),
    [
        pytest.param(contest(), GOALS, id="contest"),
        pytest.param(tree(width=2), ("beehive",), id="tree"),
        pytest.param(
            adapt(Slow(model("sim-weak")), max_depth=3, max_steps=3, rollback=True), ("lantern", "beehive"), id="adapt"
        ),
    ],
)
def test_a_crash_at_a_position_resumes_to_the_same_content(
    spec: RunSpec, goals: tuple[str, ...], apart: int, tmp_path: Path
) -> None:
    whole = SqliteJournal(":memory:")
    run(uninterrupted(spec, planned(spec, goals), whole))
    expected = content(whole)
    positions = len(whole.reader.records())
    assert positions > 50
    for lives in range(1, positions, apart):
        file = tmp_path / f"{lives}.sqlite"
        run(crashed(file, lives, partial(uninterrupted, spec, planned(spec, goals))))
        resumed = SqliteJournal(file)
        ended = {row.path for row in resumed.reader.episodes() if row.state is not None}
        left = [episode for episode in planned(spec, goals) if episode.path not in ended]
        run(uninterrupted(spec, left, resumed))
        assert content(resumed) == expected, f"after a crash at event {lives}"
        resumed.close()
