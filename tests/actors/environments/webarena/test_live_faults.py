"""Sessions that are cancelled: nothing is left, and the next session opens."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.environments.webarena.provision.own import OwnSites
from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.world import WebArena
from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import named, tasks_file, world_of

pytestmark = pytest.mark.web


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, {})


def held(world: WebArena) -> Mapping[str, int]:
    """How many windows and instances there are."""
    provider = world._provider  # pyright: ignore[reportPrivateUsage]
    assert isinstance(provider, OwnSites)
    instances = provider._server._instances  # pyright: ignore[reportPrivateUsage]
    process = world._browser.browser._process  # pyright: ignore[reportPrivateUsage]
    return {"windows": process.windows if process else 0, "instances": len(instances)}


@in_loop
async def test_a_step_that_is_cancelled_leaves_nothing_once_its_session_is_closed(tasks: Path) -> None:
    async with world_of(tasks) as world:
        session = await world.open(named())
        assert held(world) == {"windows": 1, "instances": 1}
        step = asyncio.create_task(session.step("goto [http://reddit.com/forums]"))
        for _ in range(10):
            await asyncio.sleep(0)
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        await session.close()
        await session.close()
        assert held(world) == {"windows": 0, "instances": 0}
        assert not (await (await world.open(named())).step("scroll [down]")).rejected


@pytest.mark.parametrize("turns", [0, 1, 3, 10, 30, 100, 300])
@in_loop
async def test_an_opening_that_is_cancelled_leaves_nothing(turns: int, tasks: Path) -> None:
    async with world_of(tasks) as world:
        await (await world.open(named())).close()
        opening = asyncio.create_task(world.open(named()))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        (session,) = await asyncio.gather(opening, return_exceptions=True)
        if isinstance(session, WebSession):
            await session.close()  # it was open by then
        assert held(world) == {"windows": 0, "instances": 0}
