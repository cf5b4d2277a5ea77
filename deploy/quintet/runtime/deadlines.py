"""Deadlines: what is late is expired. One timer serves all, since nearly everything ends in time."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Deadlines(Generic[_T]):
    """Watches things that must end in time.

    The timer is set for the earliest deadline when it was set, and is left alone when that thing ends; so most things
    come and go without touching it. When it goes off, it is set for the earliest deadline that is left.

    Args:
        expire: called once with each thing that is late.
    """

    def __init__(self, expire: Callable[[_T], None]) -> None:
        self._expire = expire
        self._watched: dict[_T, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, thing: _T, deadline: float) -> None:
        """Expire `thing` at a time of the running loop, unless it is dropped before."""
        self._watched[thing] = deadline
        if self._timer is None or deadline < self._timer.when():
            self._set_timer(deadline)

    def drop(self, thing: _T) -> None:
        """It ended."""
        self._watched.pop(thing, None)

    def close(self) -> None:
        """Expire nothing any more."""
        self._watched.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(deadline, self._go_off)

    def _go_off(self) -> None:
        now = asyncio.get_running_loop().time()
        self._timer = None
        for thing in [thing for thing, deadline in self._watched.items() if deadline <= now]:
            del self._watched[thing]
            self._expire(thing)
        if self._watched:
            self._set_timer(min(self._watched.values()))
