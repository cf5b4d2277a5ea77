"""A world that blocks, in processes: what one session does to its process, and what the others notice."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.adapters.called import CalledState
from quintet.environments.adapters.processes import ProcessCaller
from quintet.errors import HostLost, ProcessLost, UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.plugins.code_places import raised_at
from quintet.plugins.sources import load_module
from tests.actors.environments.adapters.stairs import LOW, ProcessStairs
from tests.actors.environments.loops import in_loop


def _pid(observation: str) -> str:
    return observation.rpartition(" ")[2]


@in_loop
async def test_every_member_is_called_in_a_process() -> None:
    world = ProcessCaller(ProcessStairs(), 1)
    state = await world.begin("open", LOW)
    fork = await state.call("fork")
    outcome = await state.call("step", "up")
    assert outcome.observation == state.observation
    assert outcome.observation.startswith("You are 1 steps up.")
    assert fork.observation == fork.opening.observation == state.opening.observation
    assert await state.call("expert") == ("up",)
    restored = await world.begin("restore", LOW, await state.call("snapshot"))
    assert restored.observation.startswith("You are 1 steps up.")
    with pytest.raises(ZeroDivisionError, match="no stair") as raised:
        await state.call("step", "raise")
    assert "raise ZeroDivisionError" in "".join(raised.value.__notes__)
    assert raised_at(raised.value).endswith(", in step"), "where it was raised in the other process"
    with pytest.raises(UsageError, match="task: expected one such as low stairs, got 'x'"):
        await world.begin("open", Task(name="x", seed=0))
    await state.call("step", "print")  # it does not end up among the answers
    await state.close()
    assert (await fork.call("step", "up")).observation.startswith("You are 1 steps up.")
    await world.aclose()


@pytest.mark.slow
@in_loop
async def test_sessions_share_the_processes_evenly() -> None:
    world = ProcessCaller(ProcessStairs(), 2)
    states = [await world.begin("open", LOW) for _ in range(4)]
    pids = [_pid((await state.call("step", "up")).observation) for state in states]
    assert pids[:2] == pids[2:]
    assert len(set(pids)) == 2
    await world.aclose()


async def give_up(session: CalledState, action: str) -> None:
    """Cancel a step under way, and close its session."""
    step = asyncio.create_task(session.call("step", action))
    await asyncio.sleep(0)
    step.cancel()
    with suppress(asyncio.CancelledError):
        await step
    await session.close()


@pytest.mark.slow
@in_loop
async def test_a_call_that_never_returns_is_ended_with_its_process_and_the_other_sessions_there_begin_again() -> None:
    world = ProcessCaller(ProcessStairs(), 1, grace=0.1)
    hung, other = await world.begin("open", LOW), await world.begin("open", LOW)
    await give_up(hung, "hang")
    with pytest.raises(ProcessLost, match="expected the process of a session, got one that was killed"):
        await other.call("step", "up")
    assert issubclass(ProcessLost, HostLost)
    await other.close()
    again = await world.begin("open", LOW)
    assert (await again.call("step", "up")).observation.startswith("You are 1 steps up.")
    await world.aclose()


@pytest.mark.slow
@in_loop
async def test_a_call_that_was_given_up_and_returns_in_time_costs_its_own_session_only() -> None:
    world = ProcessCaller(ProcessStairs(), 1)
    left, other = await world.begin("open", LOW), await world.begin("open", LOW)
    await give_up(left, "up")
    assert (await other.call("step", "up")).observation.startswith("You are 1 steps up.")
    await world.aclose()


@pytest.mark.slow
@in_loop
async def test_a_world_that_ends_its_process_is_at_fault() -> None:
    world = ProcessCaller(ProcessStairs(), 1)
    state = await world.begin("open", LOW)
    with pytest.raises(WorldFault, match="stairs: step: expected an answer, but its process ended with exit code 3"):
        await state.call("step", "exit")
    await world.aclose()


@pytest.mark.slow
@in_loop
async def test_a_world_of_a_users_file_goes_to_a_process_with_the_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_stairs.py").write_text("from tests.actors.environments.adapters.stairs import ProcessStairs\n")
    file = tmp_path / "users_stairs.py"
    file.write_text("import beside_stairs\nclass Mine(beside_stairs.ProcessStairs):\n    pass\n")
    module = load_module(file)

    world = ProcessCaller(module.Mine(), 1)
    state = await world.begin("open", LOW)
    assert (await state.call("step", "up")).observation.startswith("You are 1 steps up.")
    await world.aclose()


@pytest.mark.slow
@in_loop
async def test_a_process_that_ends_by_itself_is_told_with_its_own_exit_code() -> None:
    class Unreadable(ProcessStairs):
        def __reduce__(self) -> Any:
            return sys.exit, (7,)

    world = ProcessCaller(Unreadable(), 1)
    with pytest.raises(WorldFault, match="its process ended with exit code 7"):
        await world.begin("open", LOW)
    await world.aclose()
