"""Worlds whose states are closed once a clause is done with them: each may hold a process or a connection."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast
from weakref import finalize

from quintet.environments.adapters.plain import beneath
from quintet.errors import one_line
from quintet.ports.world import World, WorldState

_log = logging.getLogger("quintet.testing")


class OpenStates:
    """The states that a clause has opened. One that it does not close is closed when nothing refers to it."""

    def __init__(self) -> None:
        self._closings: list[finalize[Any, _Noted]] = []

    def of(self, world: World) -> World:
        """The world, whose states are noted here."""
        return cast("World", _Noted(world, self))

    def note(self, state: WorldState) -> "_Noted":
        """The state, which is closed at the end."""
        noted = _Noted(state, self)
        noted.closing = finalize(noted, _close, state.close)
        noted.closing.atexit = False  # the thread that would close it may have ended by then
        self._closings = [*(each for each in self._closings if each.alive), noted.closing]
        return noted

    def close(self) -> None:
        """Close all that are still open."""
        for closing in self._closings:
            closing()


def unnoted(world: object) -> object:
    """The object that a world is, whether its states are noted or not."""
    return beneath(world.found if isinstance(world, _Noted) else world)


class _Noted:
    """A world or a state, which notes the states that it makes."""

    closing: "finalize[Any, _Noted] | None" = None
    """What closes it at the end, unless it is closed before."""

    def __init__(self, found: object, states: OpenStates) -> None:
        self.found = found
        self.states = states

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.found, name)
        if name == "close" and self.closing is not None:
            self.closing.detach()
        if name not in ("open", "restore", "fork"):
            return member

        def make(*given: Any) -> _Noted:
            return self.states.note(member(*given))

        return make


def _close(close: Callable[[], None]) -> None:
    """Close a state. What it raises is logged: the clauses are about other things."""
    with suppress(RuntimeError):
        asyncio.get_running_loop()
        return  # collected within an event loop, which closing may have to wait for
    try:
        close()
    except Exception as error:  # noqa: BLE001  a plug-in may raise anything
        _log.warning("close: %s: %s", type(error).__name__, one_line(error))
