"""Closes what a session holds: once, in whatever way the session ends."""

import asyncio
import weakref
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

from quintet.environments.webarena.provision.port import SessionSites

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window

_CLOSINGS: Final[set[asyncio.Task[None]]] = set()
"""What runs is held here: a loop holds its tasks weakly."""


class HeldBySession:
    """A session's window and sites. They are closed with `close`, or when the session is collected as garbage."""

    def __init__(self, session: object, sites: SessionSites, window: "Window") -> None:
        self._held = sites, window
        self._finalizer = weakref.finalize(session, _close_later, asyncio.get_running_loop(), sites, window)
        self._finalizer.atexit = False  # a browser ends with its process

    async def close(self) -> None:
        """Close both, even if the caller is cancelled meanwhile. A second call has no effect."""
        if self._finalizer.detach() is not None:
            await asyncio.shield(_start(_close(*self._held)))


async def _close(sites: SessionSites, window: "Window") -> None:
    try:
        await window.close()
    finally:
        sites.close()


def _close_later(loop: asyncio.AbstractEventLoop, sites: SessionSites, window: "Window") -> None:
    """In whatever thread the garbage is collected."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: _start(_close(sites, window)))


def _start(closing: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    task = asyncio.get_running_loop().create_task(closing)
    _CLOSINGS.add(task)
    task.add_done_callback(_CLOSINGS.discard)
    return task
