"""Sessions on our sites in a real browser."""

from pathlib import Path

import pytest

from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import named, tasks_file, world_of

pytestmark = pytest.mark.web


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, {}, {"start_url": "__GITLAB__ |AND| __REDDIT__", "sites": ["gitlab", "reddit"]})


@in_loop
async def test_a_task_is_played_to_its_end(tasks: Path) -> None:
    async with world_of(tasks) as world:
        session = await world.open(named())
        assert session.opening.setting.startswith("Tab 0 (current): ")
        assert "RootWebArea" in session.opening.setting
        assert session.opening.setting.endswith("URL: http://reddit.com/")
        moved = await session.step("goto [http://reddit.com/forums]")
        assert not moved.rejected
        assert "localhost" not in moved.observation
        ended = await session.step("stop []")
        assert (ended.done, ended.reward) == (True, 1.0)
        await session.close()


@in_loop
async def test_a_task_may_begin_in_several_tabs(tasks: Path) -> None:
    async with world_of(tasks) as world:
        session = await world.open(named(1))
        assert " | Tab 1: " in session.observation.splitlines()[0]
        other = await session.step("tab_focus [1]")
        assert other.observation.endswith("URL: http://reddit.com/")
        await session.close()
