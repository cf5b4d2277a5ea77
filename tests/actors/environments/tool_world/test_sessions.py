"""Sessions of tools with a process each: opened, copied, and closed whatever happens."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from quintet.api import evaluate
from quintet.environments.tool_world.state import ToolState
from quintet.environments.tool_world.world import ToolWorld
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.loops import in_loop
from tests.actors.environments.tool_world import counters
from tests.actors.environments.tool_world.counters import COUNTERS
from tests.actors.environments.webarena.browser.processes import below, left_of

SAY = 'say {"word": "tea"}'


@pytest.fixture(autouse=True)
def no_process_is_left() -> Generator[None]:
    before = below(os.getpid())
    yield
    assert left_of([each for each in below(os.getpid()) if each not in before]) == []


async def opened(name: str = "one") -> ToolState:
    return await COUNTERS.open(Task(name=name, seed=0))


@in_loop
async def test_each_session_has_its_own_and_the_rubric_sees_it() -> None:
    first, second = await opened(), await opened()
    assert [(await state.step(SAY)).observation for state in (first, second, first)] == ["1", "1", "2"]
    assert (await first.step('submit {"answer": "2"}')).reward == 1
    for state in (first, second):
        await state.close()


@in_loop
async def test_a_fork_opens_another_session_and_repeats_the_calls() -> None:
    state = await opened()
    await state.step(SAY)
    await state.step("nonsense")
    fork = await state.fork()
    assert await fork.snapshot() == await state.snapshot()
    assert [(await each.step(SAY)).observation for each in (fork, fork, state)] == ["2", "3", "2"]
    restored = await COUNTERS.restore(Task(name="one", seed=0), await fork.snapshot())
    assert (await restored.step(SAY)).observation == "4"
    for each in (state, fork, restored):
        await each.close()


@in_loop
async def test_a_replay_that_is_answered_otherwise_is_a_fault_and_closed() -> None:
    state = await opened()
    await state.step(SAY)
    snapshot = (await state.snapshot()).replace(b"tea", b"die")
    await state.close()
    for wrong in (snapshot, b"no snapshot"):
        with pytest.raises(WorldFault, match="expected"):
            await COUNTERS.restore(Task(name="one", seed=0), wrong)


@in_loop
async def test_a_session_is_closed_if_it_cannot_be_opened_whole() -> None:
    broken = ToolWorld(
        "broken",
        {"one": "one"},
        question=str,
        tools=counters.broken_tools,
        rubric={"any": lambda _, __: 0.0},
        session=counters.counter,
    )
    with pytest.raises(RuntimeError, match="no tools for"):
        await broken.open(Task(name="one", seed=0))


@pytest.mark.parametrize("cancelled", ["open", "step"])
@in_loop
async def test_a_session_is_closed_if_its_call_is_cancelled(cancelled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = None if cancelled == "open" else await opened()
    monkeypatch.setattr(counters, "ASKED", asked := asyncio.Event())  # of this loop
    call = asyncio.create_task(opened("late") if state is None else state.step('say {"word": "hang"}'))
    await asked.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    if state is not None:
        await state.close()


@in_loop
async def test_what_closing_raises_is_told_once_it_is_closed() -> None:
    state = await opened("sticky")
    with pytest.raises(RuntimeError, match="would not close"):
        await state.close()


@in_loop
async def test_a_closed_session_ends_even_if_nobody_waits_and_the_world_waits_for_it() -> None:
    before = below(os.getpid())
    state = await opened()
    assert below(os.getpid()) != before
    closing = asyncio.create_task(state.close())
    await asyncio.sleep(0)
    closing.cancel()
    await COUNTERS.aclose()
    assert below(os.getpid()) == before


def test_a_tools_fault_ends_its_episode_and_so_does_one_that_takes_too_long(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    for word, kind, limit in (("die", "WorldFault", {}), ("hang", "DeadlineExceeded", {"limits.step_seconds": 1.0})):
        script.write_text(f'["Action: say {{\\"word\\": \\"{word}\\"}}"]')
        settings = {"model.script": str(script), **limit}
        (end,) = evaluate("react", COUNTERS, tasks=["one"], model="scripted", settings=settings)
        assert end.fault is not None
        assert end.fault.kind == kind


def test_a_killed_process_leaves_none_of_its_sessions() -> None:
    with subprocess.Popen([sys.executable, "-m", counters.__name__], stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"1\n"
        children = below(host.pid)
        assert children
        host.kill()
    assert left_of(children) == []
