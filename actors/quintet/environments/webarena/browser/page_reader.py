"""What is read of pages: for a model their description, for an evaluator their HTML and what a script in them says."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from msgspec import ValidationError
from playwright.async_api import Error, Page

from quintet.environments.webarena.browser.requests import AllowedHosts
from quintet.environments.webarena.browser.tab import NotAnswering, Patience, Tab, is_gone
from quintet.environments.webarena.browser.tab_row import TabRow
from quintet.environments.webarena.observation.nodes import AXNode, AXValue, CapturedPage, read_capture

MOST_ELEMENTS: Final = 20_000
MOST_CHARACTERS: Final = 2_000_000
"""Of a page that is described. More would take seconds of the browser's time, and of the host's from other sessions."""
_SIZE: Final = """(() => {
    const length = nodes => nodes.reduce((sum, node) => sum + node.textContent.length, 0);
    const silent = [...document.querySelectorAll("script, style")];
    return [document.querySelectorAll("*").length, length([document.documentElement]) - length(silent)];
})()"""


class TooLarge(Exception):
    """A page is larger than what is described; the text says how large."""


async def capture_tab(tab: Tab, seconds: float) -> CapturedPage:
    """Describe the page, and note in the tab its title and scrolling; a `TooLarge` if it has too much."""
    match await tab.devtools.evaluate(_SIZE, seconds):
        case [int(elements), int(characters)] if elements > MOST_ELEMENTS or characters > MOST_CHARACTERS:
            raise TooLarge(f"{elements:,} elements and {characters:,} characters")
        case _:
            pass  # a page may make nonsense of it, and is then given up if it takes too long
    accessibility, layout = await asyncio.gather(
        tab.devtools.ask("Accessibility.getFullAXTree", seconds),
        tab.devtools.ask("DOMSnapshot.captureSnapshot", seconds, computedStyles=[]),
    )
    document: Mapping[str, Any] = layout["documents"][0]
    title = document.get("title", -1)
    tab.title = layout["strings"][title] if title >= 0 else ""
    tab.scroll = (round(document.get("scrollOffsetX", 0)), round(document.get("scrollOffsetY", 0)))
    try:
        return read_capture(tab.page.url, tab.title, accessibility, layout)
    except ValidationError as error:
        raise NotAnswering from error


def empty_page(url: str, words: str) -> CapturedPage:
    """A page that shows nothing but a heading."""
    return CapturedPage(
        url=url,
        title=words,
        nodes=(AXNode(node_id="1", role=AXValue("RootWebArea"), name=AXValue(words)),),
        boxes={},
    )


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
