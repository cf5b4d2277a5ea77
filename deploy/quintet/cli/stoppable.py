"""Work on an event loop that the first SIGINT or SIGTERM cancels; the second ends the process at once."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import ExitStack
from types import FrameType
from typing import Any, TypeVar

from quintet.cli.signals import FirstSignals, handle_signal

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
