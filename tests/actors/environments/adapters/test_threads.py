"""A world that blocks, in threads, and their pool: bounded, in order, never held up by a call that nobody waits for."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from quintet.environments.adapters.called import CalledState, CalledWorld
from quintet.environments.adapters.threads import ThreadPool
from quintet.errors import WorldFault
from tests.actors.environments.adapters.stairs import LOW, MeetingClimb, ThreadStairs
from tests.actors.environments.loops import in_loop


async def four_at_once() -> list[str]:
    world = CalledWorld(ThreadStairs(), 4)
    states = [await world.open(LOW) for _ in range(4)]
    await asyncio.gather(*(state.call("step", "meet") for state in states))
    await world.aclose()
    return [state.observation for state in states]


def test_four_steps_take_the_time_of_one() -> None:
    # Each step ends only while all four are under way.
    assert asyncio.run(four_at_once()) == ["You are 1 steps up."] * 4


@in_loop
async def test_a_state_whose_call_was_given_up_is_closed_by_the_thread_that_makes_the_call() -> None:
    state: CalledState = await CalledWorld(ThreadStairs(), 1).open(LOW)
    for event in (MeetingClimb.hanging, MeetingClimb.let_go, MeetingClimb.closed):
        event.clear()
    step = asyncio.create_task(state.call("step", "hang"))
    await asyncio.to_thread(MeetingClimb.hanging.wait, 60)
    step.cancel()
    with suppress(asyncio.CancelledError):
        await step
    await state.close()
    assert not MeetingClimb.closed.is_set()
    MeetingClimb.let_go.set()
    assert await asyncio.to_thread(MeetingClimb.closed.wait, 60)


_SECONDS = 60.0
"""After which a test that hangs fails."""


def test_so_many_calls_are_made_at_a_time_and_the_rest_in_order() -> None:
    gate, began = threading.Barrier(2), list[int]()

    def meet(number: int) -> int:
        began.append(number)
        gate.wait(timeout=_SECONDS)  # two at a time, or this breaks
        return number

    async def call() -> list[int]:
        pool = ThreadPool("w", 2)
        return await asyncio.gather(*(pool.call(lambda n=number: meet(n)) for number in range(4)))  # type: ignore[misc]

    assert asyncio.run(call()) == [0, 1, 2, 3]
    assert [sorted(began[:2]), sorted(began[2:])] == [[0, 1], [2, 3]]


def test_what_is_raised_in_a_thread_is_raised_where_it_is_waited_for() -> None:
    def leave() -> None:
        raise SystemExit("bye")

    async def call(work: Callable[[], object]) -> object:
        return await ThreadPool("w", 1).call(work)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(call(lambda: 1 / 0))
    with pytest.raises(RuntimeError, match="SystemExit: bye"):
        asyncio.run(call(leave))


async def _give_up(pool: ThreadPool, work: Callable[[], object], dispose: Callable[[object], object]) -> None:
    began = asyncio.Event()
    loop = asyncio.get_running_loop()

    def begin() -> object:
        loop.call_soon_threadsafe(began.set)
        return work()

    call = asyncio.create_task(pool.call(begin, dispose))
    await began.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


def test_a_call_that_was_given_up_keeps_no_turn_and_its_result_is_disposed_of() -> None:
    async def give_up() -> object:
        pool, let_go = ThreadPool("w", 1), threading.Event()
        disposed: asyncio.Queue[object] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def work() -> str:
            let_go.wait(timeout=_SECONDS)
            return "late"

        await _give_up(pool, work, lambda result: loop.call_soon_threadsafe(disposed.put_nowait, result))
        assert await pool.call(lambda: "next") == "next"
        assert pool.given_up == 1
        let_go.set()
        result = await disposed.get()
        assert pool.given_up == 0
        pool.close()
        return result

    assert asyncio.run(give_up()) == "late"


@in_loop
async def test_a_caller_that_is_cancelled_before_its_turn_has_begun_nothing() -> None:
    pool, let_go = ThreadPool("w", 1), threading.Event()
    first = asyncio.create_task(pool.call(lambda: let_go.wait(timeout=_SECONDS)))
    second = asyncio.create_task(pool.call(lambda: pytest.fail("it was called")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    second.cancel()
    let_go.set()
    assert await first
    assert pool.given_up == 0


@in_loop
async def test_beyond_a_number_of_calls_that_do_not_return_no_call_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.adapters.threads._MOST_GIVEN_UP", 1)
    let_go = threading.Event()

    pool = ThreadPool("w", 1)
    await _give_up(pool, lambda: let_go.wait(timeout=_SECONDS), lambda _: None)
    try:
        with pytest.raises(WorldFault, match="w: expected calls that return, got 1 that did not"):
            await pool.call(lambda: None)
    finally:
        let_go.set()
