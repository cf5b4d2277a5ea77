"""Whether the package is there that the world is made of, and what tests do in its worlds."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

import pytest

from quintet.environments.miniwob.session import MiniwobSession
from quintet.environments.miniwob.world import Miniwob
from quintet.messages.environment import Task

needs_package = pytest.mark.skipif(find_spec("miniwob") is None, reason="needs miniwob: `make test-worlds`")
in_browser = [pytest.mark.web, pytest.mark.real_time, needs_package]


@asynccontextmanager
async def world_of(**options: Any) -> AsyncGenerator[Miniwob]:
    """A world that ends with its browser."""
    world = Miniwob(**options)
    try:
        yield world
    finally:
        await world.aclose()


@asynccontextmanager
async def opened(name: str, seed: int = 0, **options: Any) -> AsyncGenerator[MiniwobSession]:
    """A session of a task in a world of its own."""
    async with world_of(**options) as world:
        session = await world.open(Task(name=name, seed=seed))
        try:
            yield session
        finally:
            await session.close()


async def walk(session: MiniwobSession, most: int = 50) -> list[str]:
    """Take the expert's actions until it has none, or so many; returns them."""
    taken = list[str]()
    while len(taken) < most and (advised := await session.expert()):
        taken += advised
        assert not (await session.step(advised[0])).rejected, advised
    return taken


def number(session: MiniwobSession, line: str) -> int:
    """The number of the first element whose line begins so."""
    found = re.search(rf"\[(\d+)\] {line}", session.observation)
    assert found, f"expected {line} in {session.observation}"
    return int(found[1])
