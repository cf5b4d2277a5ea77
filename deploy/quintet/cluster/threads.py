"""Threads: Ray's blocking calls, kept off the event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Like `asyncio.to_thread`, but never leaves work behind: who is cancelled meanwhile ends when the work does."""
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise
