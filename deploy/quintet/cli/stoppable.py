"""Work on an event loop that the first SIGINT or SIGTERM cancels; the second ends the process at once."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, ExitStack, suppress
from types import FrameType
from typing import Any, TypeVar

from quintet.cli.signals import FirstSignals, handle_signal
from quintet.runs.files import allow_connections

_T = TypeVar("_T")


async def stoppable(work: Coroutine[Any, Any, _T]) -> _T:
    """Do `work`, until the first signal cancels it; a `KeyboardInterrupt` if it was cancelled."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    heeded = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]

    signals, stopped = FirstSignals(), False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        if signals.is_repeated(number):
            return
        if stopped:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        stopped = True
        loop.call_soon_threadsafe(task.cancel)

    with ExitStack() as handlers:
        for number in heeded:
            handlers.enter_context(handle_signal(number, stop))
        try:
            return await task
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


def serve_until_stopped(server: AbstractAsyncContextManager[str], what: str, path: str = "") -> int:
    """Serve until the first signal, and print what is served where.

    Args:
        server: gives its address when it is entered.
        path: behind the address, in what is printed.

    Returns:
        The exit code, 0.
    """
    allow_connections()
    with suppress(KeyboardInterrupt):
        asyncio.run(stoppable(_serve(server, what, path)))
    return 0


async def _serve(server: AbstractAsyncContextManager[str], what: str, path: str) -> None:
    async with server as address:
        print(f"serving {what} at {address}{path}", flush=True)
        await asyncio.get_running_loop().create_future()
