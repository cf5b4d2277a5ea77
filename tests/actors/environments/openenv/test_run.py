"""Whole runs in environments of servers."""

from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web

from quintet.api import open_run
from quintet.errors import UsageError
from tests.actors.environments.openenv.servers import Session, in_thread, observation, strange_server

pytestmark = pytest.mark.real_time


async def _dies_in_one(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
    if message["type"] == "reset":
        session.count = message["data"]["seed"]
        await socket.send_str(observation("Go on.", admissible=["on"]))
    elif session.count == 1:
        await socket.close()
    else:
        await socket.send_str(observation("Won.", reward=1.0, done=True))


async def test_a_server_that_dies_in_one_episode_faults_that_one_alone() -> None:
    with in_thread(strange_server(_dies_in_one)) as address:
        async with open_run("random", f"openenv:{address}", tasks=3) as run:
            ends = {str(end.path).partition("/")[0]: end async for end in run.run(run.left())}
    assert {task: end.reward for task, end in ends.items()} == {"seed-0": 1.0, "seed-1": 0.0, "seed-2": 1.0}
    assert [task for task, end in ends.items() if end.fault is not None] == ["seed-1"]
    assert "the server closed the connection" in ends["seed-1"].why


async def test_a_method_that_forks_is_refused_where_the_server_neither_copies_nor_repeats() -> None:
    with in_thread(strange_server(sessions=1)) as address, pytest.raises(UsageError, match="lats"):
        async with open_run("lats", f"openenv:{address}", tasks=1):
            pass
