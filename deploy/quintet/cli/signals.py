"""SIGINT and SIGTERM: the first of them stops a run cleanly, the second ends the process at once."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any, TypeAlias, TypeVar

_T = TypeVar("_T")

Handler: TypeAlias = Callable[[int, FrameType | None], Any]


@contextmanager
def handle_signal(number: signal.Signals, handler: Handler) -> Generator[None, None, None]:
    """Handle a signal, unless this process was started to ignore it, as by `nohup` or in a shell's background."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


async def stoppable(work: Coroutine[Any, Any, _T]) -> _T:
    """Do `work`, until the first signal cancels it; a `KeyboardInterrupt` if it was cancelled."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    heeded = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]

    def stop(_number: int, _frame: FrameType | None) -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(task.cancel)

    with ExitStack() as handlers:
        for number in heeded:
            handlers.enter_context(handle_signal(number, stop))
        try:
            return await task
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
