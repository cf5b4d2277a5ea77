"""What an evaluator reads from pages: their HTML, and what a script in them says."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Error, Page

from quintet.environments.webarena.browser.hosts import AllowedHosts
from quintet.environments.webarena.browser.patience import Patience
from quintet.environments.webarena.browser.tab import is_gone
from quintet.environments.webarena.browser.tab_row import TabRow


class PageReader:
    """Reads pages for one window, and leaves its tabs as they are.

    Args:
        hosts: whose pages may be loaded; any other address, such as a file's, is a page that does not load.
        pause: seconds after a page was loaded; 3 in the released code.
    """

    def __init__(self, row: TabRow, hosts: AllowedHosts, patience: Patience, pause: float) -> None:
        self._row = row
        self._hosts = hosts
        self._patience = patience
        self._pause = pause

    async def html(self, url: str | None) -> str:
        """The page's HTML as it is now; empty if it does not load or answer."""

        async def read() -> str:
            async with self._page(url) as page:
                return "" if page is None else await asyncio.wait_for(page.content(), self._patience.action)

        return await _unless_unreadable(read())

    async def evaluate(self, url: str | None, javascript: str, before: Sequence[str]) -> str:
        """A script's value as Python writes it; empty if there is none, if the script fails, or the page does."""

        async def run(page: Page, script: str) -> str:
            value = await asyncio.wait_for(page.evaluate(script), self._patience.action)
            return "" if value is None else str(value)

        async def read() -> str:
            async with self._page(url) as page:
                if page is None:
                    return ""
                for script in before:
                    await _unless_unreadable(run(page, script))
                return await run(page, javascript)

        return await _unless_unreadable(read())

    @asynccontextmanager
    async def _page(self, url: str | None) -> AsyncGenerator[Page | None]:
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


async def _unless_unreadable(read: Coroutine[Any, Any, str]) -> str:
    """What is read; nothing if the page cannot do that, but an error if it has ended."""
    try:
        return await read
    except TimeoutError:
        return ""
    except Error as error:
        if is_gone(error):
            raise
        return ""
