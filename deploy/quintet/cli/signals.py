"""SIGINT and SIGTERM: the first of them stops a run cleanly, a second ends the process at once.

`timeout` signals a process, and then the process's group: two SIGTERM within a moment are one.
"""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any, TypeAlias, TypeVar

_T = TypeVar("_T")

_MOMENT = 1.0
"""Seconds within which a further SIGTERM belongs to the first."""

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


class FirstSignals:
    """Tells a second signal from one that is sent with the first."""

    def __init__(self) -> None:
        self._terminated: float | None = None
        """When the first SIGTERM came."""

    def is_repeated(self, number: int) -> bool:
        """Whether a signal that arrives now was sent with the first; the first itself was not."""
        if number != signal.SIGTERM:
            return False
        now = time.monotonic()
        first = self._terminated
        self._terminated = now if first is None else first
        return first is not None and now - first < _MOMENT


def interrupt_once() -> Handler:
    """A handler that raises `KeyboardInterrupt`, once for signals that are sent together."""
    signals = FirstSignals()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if not signals.is_repeated(number):
            raise KeyboardInterrupt

    return interrupt


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
