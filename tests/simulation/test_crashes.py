"""A crash of the whole process at every journal position resumes to what the uninterrupted run gives."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.events import CallMade
from quintet.journal.writer import SqliteJournal
from quintet.plugins import catalogue
from quintet.plugins.catalogue import model
from quintet.runtime.spec import RunSpec
from quintet.testing.content import content_of
from tests.simulation.content import content, expect_agreement
from tests.simulation.dying import Dying
from tests.simulation.scenes import Noting, Slow, adapt, alternatives, contest, planned, played, tree
from tests.simulation.virtual import run

GOALS = ("beehive", "lantern")

POSITIONS = pytest.mark.parametrize(
    "apart",
    [pytest.param(11, id="every eleventh position"), pytest.param(1, id="every position", marks=pytest.mark.slow)],
)
"""How far apart the positions are at which a run is killed."""


async def crashed(
    file: Path,
    lives: int,
    work: Callable[[SqliteJournal], Coroutine[Any, Any, object]],
    at: tuple[str, str] | None = None,
) -> None:
    """Carry work out on a journal that dies, and leave it there."""
    journal = Dying(file, lives, at)
    running = asyncio.create_task(work(journal))
    await asyncio.wait([running, asyncio.create_task(journal.died.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done() or lives > len(journal.reader.records())
    running.cancel()
    journal.close()


def killed(
    folder: Path, positions: Iterable[int], work: Callable[[SqliteJournal], Coroutine[Any, Any, object]]
) -> Iterator[tuple[str, SqliteJournal]]:
    """Journals of work that was killed at each of the positions, opened again; and in words, at which."""
    for lives in positions:
        file = folder / f"{lives}.sqlite"
        run(crashed(file, lives, work))
        with closing(SqliteJournal(file)) as resumed:
            yield f"after a crash at event {lives}", resumed


@POSITIONS
def test_alternatives_killed_at_a_position_go_on_without_a_repeated_call(apart: int, tmp_path: Path) -> None:
    """The faster of two alternatives may be another one after a kill, unless its end was journaled."""
    goals = ("cyan banner",)
    whole = SqliteJournal(":memory:")
    run(played(alternatives(), whole, planned(alternatives(), goals)))
    expected = content(whole)
    kinds = {kind for _, kind in expected}
    assert {"branch_ended", "branch_stopped"} <= kinds
    differing = 0
    episodes = planned(alternatives(), goals)
    work = partial(played, alternatives(), episodes=episodes)
    for _, resumed in killed(tmp_path, range(1, len(whole.reader.records()), apart), work):
        left = resumed.reader.records()
        model = Noting(catalogue.model("sim-weak"))
        run(played(alternatives(model), resumed, episodes))
        made = {each.event.sampling.seed for each in left if isinstance(each.event, CallMade)}
        assert made.isdisjoint(seed for _, seed in model.asked)
        assert [row.state for row in resumed.reader.episodes()] != [None]
        differing += expect_agreement(expected, content_of(left), content(resumed))
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
    run(played(spec, whole, planned(spec, goals)))
    expected = content(whole)
    positions = len(whole.reader.records())
    assert positions > 50
    work = partial(played, spec, episodes=planned(spec, goals))
    for where, resumed in killed(tmp_path, range(1, positions, apart), work):
        run(played(spec, resumed, planned(spec, goals)))
        assert content(resumed) == expected, where
