"""Our own tasks in a real browser: each walk solves its task, and a walk that falls short of its end does not."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

import pytest

from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.world import WebArena
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from tests.actors.environments.webarena.live import world_of
from tests.actors.environments.webarena.loops import in_loop

pytestmark = pytest.mark.web
LIBRARY = open_library(None)
AT_ONCE = 2


def grouped() -> dict[str, list[str]]:
    """The tasks by their first site and kind."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name, task in LIBRARY.tasks.items():
        groups[f"{task.sites[0]} {task.kind}"].append(name)
    return groups


GROUPS = grouped()


async def follow(session: WebSession, steps: int) -> Outcome | None:
    """Take up to so many steps of the walk, none of which may be rejected."""
    outcome = None
    for _ in range(steps):
        advised = await session.expert()
        assert advised, f"the walk leads nowhere from here:\n{session.observation}"
        outcome = await session.step(advised[0])
        assert not outcome.rejected, f"{advised[0]}: {outcome.observation}"
    return outcome


async def solved(session: WebSession, name: str) -> float:
    """The reward of the whole walk; a judge, if the task has one, finds its answer correct."""
    outcome = await follow(session, len(LIBRARY.walks[name]))
    assert outcome is not None
    assert outcome.done
    if outcome.to_grade:
        assert LIBRARY.tasks[name].judge == "always"
        outcome = await session.graded((True,) * len(outcome.to_grade))
    return outcome.reward


async def fallen_short(session: WebSession, name: str) -> float:
    """The reward of a wrong answer, or of a walk without its last step."""
    if LIBRARY.tasks[name].kind in ("read", "impossible"):
        outcome = await session.step("stop [I could not find it.]")
        if outcome.to_grade:
            outcome = await session.graded((False,) * len(outcome.to_grade))
        return outcome.reward
    await follow(session, len(LIBRARY.walks[name]) - 2)
    return (await session.step("stop []")).reward


async def rewards(group: str, play: Callable[[WebSession, str], Awaitable[float]]) -> dict[str, float]:
    """The reward of each task of a group, or an exception with the task's name."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(world: WebArena, name: str) -> float:
        async with places:
            session = await world.open(Task(name=name, seed=0))
            try:
                return await play(session, name)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error
            finally:
                await session.close()

    async with world_of() as world:
        names = GROUPS[group]
        return dict(zip(names, await asyncio.gather(*(one(world, name) for name in names)), strict=True))


@pytest.mark.parametrize("group", GROUPS)
@in_loop
async def test_a_walk_solves_its_task(group: str) -> None:
    assert {name: reward for name, reward in (await rewards(group, solved)).items() if reward != 1.0} == {}


@pytest.mark.parametrize("group", GROUPS)
@in_loop
async def test_a_wrong_answer_or_a_walk_without_its_last_step_earns_nothing(group: str) -> None:
    assert {name: reward for name, reward in (await rewards(group, fallen_short)).items() if reward != 0.0} == {}


def test_every_task_of_our_own_has_a_walk() -> None:
    assert LIBRARY.tasks.keys() == LIBRARY.walks.keys()
