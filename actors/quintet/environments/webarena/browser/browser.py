"""The browser of a host: started by the first window, replaced when it has ended or served its time."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, cast
from weakref import WeakSet

from playwright.async_api import BrowserContext, Error
from playwright.async_api import StorageState as PlaywrightState

from quintet.environments.webarena.browser.launch import BrowserProcess, find_chromium, start_browser
from quintet.environments.webarena.browser.navigation import QUIET_SECONDS
from quintet.environments.webarena.browser.requests import AllowedHosts
from quintet.environments.webarena.browser.tab import Patience
from quintet.environments.webarena.browser.tabs import StorageState
from quintet.environments.webarena.browser.window import Window
from quintet.environments.webarena.observation.nodes import VIEWPORT
from quintet.errors import WorldFault

WINDOWS_EACH: Final = 200
"""That one Chromium opens before another takes its place: what it forgets to give back stays small."""


class Browser:
    """Opens windows, all in one Chromium. It belongs to the event loop of the first window.

    Args:
        pause: seconds between loading a page and reading it for an evaluator.
    """

    def __init__(
        self,
        chromium: Path | str | None = None,
        *,
        windows_each: int = WINDOWS_EACH,
        patience: Patience | None = None,
        pause: float = 0.0,
    ) -> None:
        self._chromium = chromium
        self._windows_each = windows_each
        self._patience = patience or Patience()
        self._pause = pause
        self._process: BrowserProcess | None = None
        self._old: set[BrowserProcess] = set()
        """Those that end with their last window."""
        self._starting: asyncio.Lock | None = None
        self._closed = False
        self.users: WeakSet[Any] = WeakSet()
        """What shares it, as long as that is there."""

    async def start(self) -> BrowserProcess:
        """Start Chromium, unless it runs."""
        self._starting = self._starting or asyncio.Lock()
        async with self._starting:
            if self._closed:
                raise RuntimeError("browser: expected an open one, got one that was closed")
            used = self._process
            if used is not None and (used.ended or used.opened >= self._windows_each):
                self._process = None
                self._old.add(used)
                await self._end_if_unused(used)
            if self._process is None:
                self._process = await start_browser(find_chromium(self._chromium))
            return self._process

    async def window(
        self, *, hosts: Collection[str], storage_state: StorageState | None = None, quiet: float = QUIET_SECONDS
    ) -> Window:
        """Open a window without a tab.

        Args:
            hosts: to which requests may be sent, such as `shop.example:7770`; to others they are refused.
            storage_state: cookies and local storage that it begins with.
            quiet: seconds in which nothing new begins on a page that has settled; 0 for pages whose clock stands still.

        Raises:
            UsageError: there is no Chromium.
            WorldFault: Chromium does not start, or opens no window.
        """
        allowed = AllowedHosts(hosts)
        process = await self.start()
        process.windows += 1
        process.opened += 1
        try:
            context = await self._make(process, allowed, storage_state)
        except BaseException as error:
            await self._window_closed(process)
            if not isinstance(error, Error):
                raise
            if await process.has_ended(error):
                raise process.fault() from error
            raise WorldFault(f"webarena: the browser opens no window: {error.message}") from error

        async def closed() -> None:
            await self._window_closed(process)

        return Window(process, context, allowed, closed, patience=self._patience, pause=self._pause, quiet=quiet)

    async def close(self) -> None:
        """End the browser; returns when none of its processes is left."""
        self._closed = True
        self._starting = self._starting or asyncio.Lock()
        async with self._starting:  # one that starts now is ended too
            for process in (*self._old, *([self._process] if self._process else [])):
                await process.close()
            self._old.clear()
            self._process = None

    async def _make(
        self, process: BrowserProcess, allowed: AllowedHosts, storage_state: StorageState | None
    ) -> BrowserContext:
        """A context; none is left if the caller is cancelled, since the browser makes it all the same."""
        making = asyncio.ensure_future(
            process.browser.new_context(
                accept_downloads=False,
                locale="en-US",
                proxy={"server": process.refusing, "bypass": allowed.bypass},
                service_workers="block",
                storage_state=cast("PlaywrightState | None", storage_state),
                timezone_id="UTC",
                viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
            )
        )
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            await asyncio.wait([making], timeout=self._patience.action)
            if making.done() and not making.cancelled() and making.exception() is None:
                await making.result().close()
            raise

    async def _window_closed(self, process: BrowserProcess) -> None:
        process.windows -= 1
        await self._end_if_unused(process)

    async def _end_if_unused(self, process: BrowserProcess) -> None:
        if process in self._old and not process.windows:
            self._old.discard(process)
            await process.close()
