"""A context that is held open by a task, and what it does with that task."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from quintet.environments.tool_world.held_context import HeldContext
from quintet.errors import WorldFault
from tests.actors.environments.loops import in_loop


@in_loop
async def test_a_context_that_is_entered_although_it_was_cancelled_is_exited() -> None:
    entering, exited = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def stubborn() -> AsyncGenerator[None]:
        with suppress(asyncio.CancelledError):
            entering.set()
            await asyncio.Event().wait()
        yield
        exited.set()

    held = HeldContext(stubborn(), "tools: one")
    call = asyncio.create_task(held.enter())
    await entering.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert exited.is_set()


@in_loop
async def test_a_context_that_cancels_itself_is_a_fault_and_cancels_nobody_else() -> None:
    @asynccontextmanager
    async def cancelled() -> AsyncGenerator[None]:
        yield
        raise asyncio.CancelledError

    held = HeldContext(cancelled(), "tools: one")
    await held.enter()
    with pytest.raises(WorldFault, match="tools: one: expected a session that stays open, got one that ended"):
        await held.exit()
    with pytest.raises(ValueError, match="the cause"):
        async with held.exited_on_error():
            raise ValueError("the cause")
