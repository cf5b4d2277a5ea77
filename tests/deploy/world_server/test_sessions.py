"""Sessions without sockets, on virtual time: how they are counted, and how idle ones end."""

import asyncio

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.plugins import catalogue
from quintet.world_server.frames import FrameError, ResetMessage, ResetOptions, StateMessage, StepMessage, TextAction
from quintet.world_server.idle import IdleTimer
from quintet.world_server.served_world import ServedWorld
from quintet.world_server.session import WorldSession
from quintet.world_server.sessions import SessionLimits, Sessions
from tests.deploy.world_server.serving import Waiting

_HOUR = 3_600.0


def _session(seconds: float = _HOUR) -> WorldSession:
    return WorldSession(ServedWorld(catalogue.world("textcraft"), workers=1, seconds=seconds), b"key")


async def test_a_timer_expires_once_nothing_has_happened_for_its_time() -> None:
    loop = asyncio.get_running_loop()
    expired: list[float] = []
    timer = IdleTimer(100, lambda: expired.append(loop.time()))
    for _ in range(3):
        await asyncio.sleep(60)
        timer.touch()
    await asyncio.sleep(1_000)
    assert expired == [280]


async def test_a_timer_that_is_cancelled_never_expires() -> None:
    timer = IdleTimer(100, lambda: pytest.fail("expired"))
    timer.cancel()
    await asyncio.sleep(1_000)


async def test_a_copy_that_nobody_takes_ends() -> None:
    sessions = Sessions(SessionLimits(idle_seconds=_HOUR))
    session = _session()
    await session.answer(ResetMessage())
    name = await sessions.fork(session, "here")
    await asyncio.sleep(_HOUR - 1)
    assert len(sessions) == 1
    await asyncio.sleep(2)
    assert len(sessions) == 0
    with pytest.raises(FrameError, match="nobody has taken"):
        sessions.take(name, "here")


async def test_a_copy_counts_for_who_takes_it_and_stays_if_that_one_may_have_no_more() -> None:
    sessions = Sessions(SessionLimits(client_sessions=1))
    session = _session()
    await session.answer(ResetMessage())
    name = await sessions.fork(session, "one")
    sessions.admit("two")
    with pytest.raises(FrameError, match="at most 1 sessions a client"):
        sessions.take(name, "two")
    sessions.leave("two")
    sessions.take(name, "two")
    sessions.admit("one")
    assert len(sessions) == 2
    await sessions.aclose()


async def test_a_copy_that_cannot_be_made_counts_no_more() -> None:
    sessions = Sessions(SessionLimits())
    with pytest.raises(FrameError, match="expected a reset first"):
        await sessions.fork(_session(), "here")
    assert len(sessions) == 0


async def test_a_world_that_never_answers_ends_its_session_after_its_time() -> None:
    world = ServedWorld(as_world(Waiting()), workers=1, seconds=_HOUR)
    session = WorldSession(world, b"key")
    await session.answer(ResetMessage())
    with pytest.raises(FrameError, match="expected an answer within 3600 s, got none"):
        await session.answer(StepMessage(data=TextAction(text="leave")))
    assert asyncio.get_running_loop().time() == _HOUR


async def test_without_a_task_the_seed_chooses_one() -> None:
    session, tasks = _session(), catalogue.world("textcraft").tasks("test")
    for seed in (0, 3, len(tasks) + 3):
        await session.answer(ResetMessage(data=ResetOptions(seed=seed)))
        shown = await session.answer(StateMessage())
        assert getattr(shown.data, "task", "") == tasks[seed % len(tasks)]
