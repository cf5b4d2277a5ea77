"""OpenEnv's own server as a world."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.environments.openenv.world import OpenEnvWorld
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.command import printed

pytestmark = pytest.mark.slow
pytest.importorskip("openenv.core", reason="needs the dependency group `peers`: make test-worlds", exc_type=ImportError)

SEED_7 = Task(name="seed-7", seed=0)


@contextmanager
def their_server(kind: str, sessions: int = 64) -> Generator[str, None, None]:
    words = [sys.executable, "-m", "tests.actors.environments.openenv.their_server", kind, str(sessions)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


def test_their_echo_is_a_world_of_texts_that_is_copied_by_repeating() -> None:
    with their_server("echo") as address:
        found = OpenEnvWorld(address)
        assert found.forks == "replay"
        world = as_world(found)
        state = world.open(SEED_7)
        assert state.opening.setting == "Ready, 7."
        assert state.step("hello").observation == "hello"
        crashed = state.step("crash")
        assert (crashed.observation, crashed.rejected) == ("Not carried out: the echo is gone", True)
        fork = state.fork()
        assert fork.observation == "hello"
        assert (fork.step("win").reward, state.step("again").reward) == (1.0, 0.0)
        back = world.restore(SEED_7, state.snapshot())
        assert back.observation == "again"
        for each in (state, fork, back):
            each.close()


def test_their_typed_actions_are_json() -> None:
    with their_server("move") as address:
        state = as_world(OpenEnvWorld(address)).open(SEED_7)
        assert '"by"' in state.opening.setting
        assert state.step('{"by": "one"}').rejected
        assert state.step('{"by": 1}').observation == '{"at":8,"trail":[7,8]}'
        won = state.step('{"by": 2, "note": "last"}')
        assert (won.reward, won.done) == (1.0, True)
        state.close()


def test_their_server_with_one_session_has_no_forks() -> None:
    with their_server("echo", 1) as address:
        assert OpenEnvWorld(address).forks == "none"


def test_their_server_that_is_killed_is_a_fault() -> None:
    with their_server("echo") as address:
        state = as_world(OpenEnvWorld(address)).open(SEED_7)
    with pytest.raises(WorldFault, match=r"the server closed the connection|expected to send step"):
        state.step("hello")
    state.close()


def test_their_server_keeps_the_contract_of_worlds() -> None:
    with their_server("move") as address:
        said = printed("check", "environment", f"openenv:{address}", "--task", "seed-7")
    assert " 0 broken" in said, said
