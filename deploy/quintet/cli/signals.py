"""SIGINT and SIGTERM as a process of ours handles them, from its first import on: so nothing heavy is imported here.

`timeout` signals a process, and then the process's group: two SIGTERM within a moment are one.
"""

import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

_MOMENT = 1.0
"""Seconds within which a further SIGTERM belongs to the first."""

Handler: TypeAlias = Callable[[int, FrameType | None], Any]


@contextmanager
def handle_signal(
    number: signal.Signals, handler: Handler, afterwards: signal.Handlers | None = None
) -> Generator[None, None, None]:
    """Handle a signal, unless this process was started to ignore it, as by `nohup` or in a shell's background.

    Args:
        afterwards: what handles it after that; None: what did before.
    """
    before = signal.getsignal(number)
    if before is signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before if afterwards is None else afterwards)


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
