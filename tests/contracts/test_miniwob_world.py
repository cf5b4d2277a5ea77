"""MiniWoB++ keeps the contract of environments on tasks of several steps."""

import asyncio
from functools import cache

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.miniwob.installed import needs_package, opened, walk

pytestmark = [pytest.mark.web, needs_package]

_MALFORMED = ("goto [http://miniwob/miniwob/click-test.html]", "new_tab", "tab_focus [0]", "click [0]", "click click")


@pytest.fixture(params=["click-checkboxes", "login-user"])
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    task = Task(name=str(request.param), seed=3)
    return EnvironmentCase(NamedPlugIn("miniwob"), task, _way(task), solves=True, own_malformed_actions=_MALFORMED)


@cache
def _way(task: Task) -> tuple[str, ...]:
    async def play() -> tuple[str, ...]:
        async with opened(task.name, task.seed) as session:
            return tuple(await walk(session))

    return asyncio.run(play())
