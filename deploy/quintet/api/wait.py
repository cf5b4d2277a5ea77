"""A program without an event loop of its own, and a notebook that has one, wait for work on a loop."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

_T = TypeVar("_T")


def wait_for(work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """Run `work` to its end and return its result; an event loop may already be running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    # A notebook's loop is busy running the cell that called us.
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[_T]]] = Future()

    async def announce() -> _T:
        task = asyncio.create_task(work())
        begun.set_result((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(lambda: asyncio.run(announce()))
        try:
            return done.result()
        except KeyboardInterrupt:
            if begun.done():
                loop, task = begun.result()
                with suppress(RuntimeError):  # the loop has just closed
                    loop.call_soon_threadsafe(task.cancel)
            raise
