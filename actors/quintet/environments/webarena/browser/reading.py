"""What an evaluator reads from pages: their HTML, and what a script in them says."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from quintet.environments.webarena.browser.hosts import AllowedHosts
from quintet.environments.webarena.browser.settle import Patience
from quintet.environments.webarena.browser.tab_row import TabRow

if TYPE_CHECKING:
    from playwright.async_api import Page


class PageReader:
    """Reads pages for one window, and leaves its tabs as they are.

    Args:
        row: the window's tabs.
        hosts: whose pages may be loaded; any other address, such as a file's, is a page that does not load.
        patience: how long is waited for a page and for a script.
        pause: seconds after a page was loaded; 3 in the released code.
    """

    def __init__(self, row: TabRow, hosts: AllowedHosts, patience: Patience, pause: float) -> None:
        self._row = row
        self._hosts = hosts
        self._patience = patience
        self._pause = pause

    async def html(self, url: str | None) -> str:
        """The page's HTML as it is now; empty if it does not load or answer."""
        from playwright.async_api import Error

        with suppress(Error, TimeoutError):
            async with self._page(url) as page:
                if page is not None:
                    return await asyncio.wait_for(page.content(), self._patience.action)
        return ""

    async def evaluate(self, url: str | None, javascript: str, before: Sequence[str]) -> str:
        """A script's value as Python writes it; empty if there is none, if the script fails, or the page does."""
        from playwright.async_api import Error

        with suppress(Error, TimeoutError):
            async with self._page(url) as page:
                if page is None:
                    return ""
                for script in before:
                    with suppress(Error):
                        await asyncio.wait_for(page.evaluate(script), self._patience.action)
                value = await asyncio.wait_for(page.evaluate(javascript), self._patience.action)
                return "" if value is None else str(value)
        return ""

    @asynccontextmanager
    async def _page(self, url: str | None) -> "AsyncGenerator[Page | None]":
        if url is None:
            yield self._row.current.page
            return
        if not self._hosts.allow(url):
            yield None
            return
        page = await self._row.open_page()
        try:
            await page.goto(url, timeout=1000 * self._patience.navigation)
            await asyncio.sleep(self._pause)
            yield page
        finally:
            await self._row.close_page(page)
            await self._row.drop_arrived()
