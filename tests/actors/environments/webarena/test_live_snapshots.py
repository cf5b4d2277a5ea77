"""Snapshots of sessions on our sites: random walks are restored, and go on alike."""

from pathlib import Path
from random import Random

import pytest

from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.world import WebArena
from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import (
    any_action,
    named,
    number_of,
    tasks_file,
    wander,
    world_of,
)

pytestmark = pytest.mark.web

STARTS = (
    {"start_url": "__REDDIT__", "sites": ["reddit"]},
    {"start_url": "__GITLAB__", "sites": ["gitlab"]},
    {"start_url": "__SHOPPING__", "sites": ["shopping"]},
    {"start_url": "__SHOPPING__/LMP-1210.html |AND| __REDDIT__", "sites": ["shopping", "reddit"]},
)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, *STARTS)


@pytest.mark.parametrize("walks", [range(6), pytest.param(range(6, 60), marks=pytest.mark.slow)])
@in_loop
async def test_sessions_that_wandered_are_restored_and_go_on_alike(walks: range, tasks: Path) -> None:
    async with world_of(tasks) as world:
        for walk in walks:
            await wander_and_restore(world, walk)


async def wander_and_restore(world: WebArena, walk: int) -> None:
    """Wander, restore what is reached, and wander on in both."""
    chance, task = Random(walk), named(walk % len(STARTS))
    session = await world.open(task)
    taken = await wander(session, chance.randrange(9), chance)
    actions = [action for action, _ in taken]
    snapshot = await session.snapshot()
    restored = await world.restore(task, snapshot)
    assert restored.observation == session.observation, (walk, actions)
    assert restored.opening == session.opening
    assert await restored.snapshot() == snapshot, (walk, actions)
    await go_on_alike(session, restored, chance, (walk, actions))
    for each in (session, restored):
        await each.close()


async def go_on_alike(one: WebSession, other: WebSession, chance: Random, before: object) -> None:
    """Take the same actions in both."""
    taken: list[str] = []
    for _ in range(6):
        taken.append(any_action(one.observation, chance))
        outcomes = [await session.step(taken[-1]) for session in (one, other)]
        assert outcomes[0] == outcomes[1], (before, taken)
        if outcomes[0].done:
            break
    snapshots = [await session.snapshot() for session in (one, other)]
    assert snapshots[0] == snapshots[1], (before, taken)


@in_loop
async def test_what_was_typed_and_not_sent_is_restored(tasks: Path) -> None:
    async with world_of(tasks) as world:
        session = await world.open(named())
        field = number_of(session.observation, "(?:searchbox|textbox)", "Search")
        typed = await session.step(f"type [{field}] [salt and thyme] [0]")
        restored = await world.restore(named(), await session.snapshot())
        assert restored.observation == typed.observation
        assert "salt and thyme" in restored.observation
