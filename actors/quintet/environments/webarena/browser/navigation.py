"""Loads addresses in a tab, waits until a page has settled, and puts a tab back where one did not load."""

import asyncio
import time
from typing import Final

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from quintet.environments.webarena.browser.requests import AllowedHosts, RequestWatch, host_of
from quintet.environments.webarena.browser.tab import EMPTY, ERROR_PAGE, NotAnswering, Patience, Tab, is_gone
from quintet.environments.webarena.browser.tab_row import WindowNotes

QUIET_SECONDS: Final = 0.02
"""In which nothing new begins on a page that has settled. A form is sent, and a frame drawn, within it."""
_ROUNDS: Final = 40
"""In which a page may begin something new again and again."""
_NO_ADDRESS: Final = ("", ":")
"""What a tab's address is before its first page; newer Chromiums say the second."""


class Navigation:
    """Loads pages for one window.

    Args:
        quiet: seconds in which nothing new begins on a page that has settled.
    """

    def __init__(
        self, hosts: AllowedHosts, requests: RequestWatch, notes: WindowNotes, patience: Patience, quiet: float
    ) -> None:
        self._hosts = hosts
        self._requests = requests
        self._notes = notes
        self._patience = patience
        self._quiet = quiet

    async def load(self, tab: Tab, url: str) -> str:
        """Load an address; returns why it did not load, else nothing. The tab may then show the browser's own page."""
        if not self._hosts.allow(url):
            return self._why(url)
        try:
            await tab.page.goto(url, wait_until="commit", timeout=1000 * self._patience.navigation)
        except PlaywrightTimeout:
            await tab.stop_loading()
            return f"{url} did not answer in {self._patience.navigation:g} seconds"
        except Error as error:
            if is_gone(error):
                raise
            if "Download is starting" in error.message:
                tab.loaded()
                return ""
            return self._why(url)
        return ""

    async def settle(self, tab: Tab, mark: int) -> bool:
        """Wait for what an action began in a tab; if its page did not load, show the one before it.

        Returns:
            Whether it shows a page: not where a page opened the tab and its first address did not load.
        """
        await self._wait(tab, mark)
        if tab.page.url in _NO_ADDRESS:  # where it was opened for a download, say
            self._notes.add("The new tab showed no page, and was closed.")
            return False
        if not tab.page.url.startswith(ERROR_PAGE):
            return True
        why = self._why(tab.failed)
        if not tab.history:
            self._notes.add(f"{why}. The new tab was closed.")
            return False
        self._notes.add(f"{why}. The tab shows {tab.history[tab.index]} again.")
        await self.put_back(tab)
        return True

    async def put_back(self, tab: Tab) -> None:
        """Load anew what the tab showed last; an empty page if that does not load either."""
        before = tab.history[tab.index] if tab.history else EMPTY
        if await self.load(tab, before):
            await self.load(tab, EMPTY)
        await self._wait(tab, self._requests.mark)
        if tab.page.url.startswith(ERROR_PAGE):
            await self.load(tab, EMPTY)

    def _why(self, url: str) -> str:
        if not self._hosts.allow(url):
            return f"Requests to {host_of(url)} are refused, as it is none of the sites"
        return f"{url} did not load ({self._requests.failures.get(url, 'the browser does not say why')})"

    async def _wait(self, tab: Tab, mark: int) -> None:
        """Wait until what an action began has ended, for a bounded time.

        The page has settled when it answered twice, a moment apart, and between them no navigation, no request of a
        script and no new tab was under way. What begins later by a timer is not waited for, nor are the requests
        before `mark`: an open stream, say.
        """
        begun = time.monotonic()
        until, last = begun + self._patience.requests, begun + self._patience.settling
        for _ in range(_ROUNDS):
            if time.monotonic() > last:
                await self._stop(tab, self._patience.settling)
                return
            await self._finish_loading(tab)
            await self._answer(tab)
            if not tab.loading and not tab.popups:
                await asyncio.sleep(self._quiet)
                await self._answer(tab)
            if tab.loading:
                continue
            if tab.popups:
                await tab.changed(lambda: not tab.popups, self._patience.requests)
                tab.popups.clear()  # the browser did not open one after all
            elif self._requests.open_since(mark, tab.page) and time.monotonic() < until:
                await asyncio.sleep(self._quiet)
            else:
                return

    async def _finish_loading(self, tab: Tab) -> None:
        seconds = self._patience.navigation
        if tab.loading and not await tab.changed(lambda: not tab.loading or tab.page.is_closed(), seconds):
            await self._stop(tab, seconds)

    async def _stop(self, tab: Tab, seconds: float) -> None:
        await tab.stop_loading()
        self._notes.add(f"The page did not finish loading in {seconds:g} seconds. This much of it came.")

    async def _answer(self, tab: Tab) -> None:
        """Ask the page for nothing: its answer comes after what was begun before. Ends early if it begins to load."""
        # The browser holds the question back while a page is on its way, and hands it to that one.
        limit = self._patience.navigation + self._patience.action
        asked = asyncio.ensure_future(tab.devtools.ask("Runtime.evaluate", limit, expression="0"))
        asked.add_done_callback(lambda _: tab.told())
        try:
            if not await tab.changed(lambda: asked.done() or tab.loading, self._patience.action):
                raise NotAnswering
            if asked.done():
                await asked
        except Error:
            if tab.page.is_closed():
                raise  # else the page gave way to another while it was asked
        finally:
            asked.cancel()
