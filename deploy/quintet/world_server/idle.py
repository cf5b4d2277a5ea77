"""A timer that is put off whenever something happens."""

import asyncio
from collections.abc import Callable
from math import inf


class IdleTimer:
    """Calls `expire` once nothing has happened for so many seconds."""

    __slots__ = ("_expire", "_handle", "_loop", "_seconds", "_touched")

    def __init__(self, seconds: float, expire: Callable[[], None]) -> None:
        self._seconds = seconds
        self._expire = expire
        self._loop = asyncio.get_running_loop()
        self._touched = self._loop.time()
        self._handle = self._loop.call_at(self._touched + seconds, self._look)

    def touch(self) -> None:
        """Something happened. A new timer for each message would cost more than the look at the end."""
        self._touched = self._loop.time()

    def hold(self) -> None:
        """Something is under way: until the next touch, time does not count."""
        self._touched = inf

    def cancel(self) -> None:
        """Never expire."""
        self._handle.cancel()

    def _look(self) -> None:
        due, now = self._touched + self._seconds, self._loop.time()
        if due <= now:
            self._expire()
        else:
            self._handle = self._loop.call_at(min(due, now + self._seconds), self._look)
