"""One session's window: its tabs, its cookies, and what is done in it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from msgspec import convert, to_builtins
from playwright.async_api import BrowserContext, Error

from quintet.environments.webarena.actions import BrowserAction
from quintet.environments.webarena.browser.carry_out import Hands
from quintet.environments.webarena.browser.launch import BrowserProcess
from quintet.environments.webarena.browser.navigation import Navigation
from quintet.environments.webarena.browser.page_reader import PageReader, TooLarge, capture_tab, empty_page
from quintet.environments.webarena.browser.requests import AllowedHosts, RequestWatch
from quintet.environments.webarena.browser.tab import NotAnswering, Patience, Tab, is_gone
from quintet.environments.webarena.browser.tab_row import TabRow, WindowNotes
from quintet.environments.webarena.browser.tabs import TabState, WebCookie
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.observation.tree import PageElement
from quintet.errors import WorldFault

_QUALITY: Final = 60
"""Of pictures, in percent."""
_CAPTURES: Final = 4
"""That are tried of a page which gives way to another while it is described."""


class Window:
    """A window with tabs and cookies of its own. Made by `Browser.window`; its calls are made one at a time.

    Every call raises `ProcessLost` if the browser has ended. A call that is cancelled is the last but `close`.
    """

    def __init__(
        self,
        process: BrowserProcess,
        context: BrowserContext,
        hosts: AllowedHosts,
        closed: Callable[[], Awaitable[None]],
        *,
        patience: Patience,
        pause: float,
        quiet: float,
    ) -> None:
        self.context: Final = context
        self._process = process
        self._closed = closed
        self._open = True
        self._patience = patience
        self._notes = WindowNotes()
        self._requests = RequestWatch(context)
        self._row = TabRow(context, self._notes)
        self._navigation = Navigation(hosts, self._requests, self._notes, patience, quiet)
        self._hands = Hands(self._row, self._navigation, patience)
        self._reader = PageReader(self._row, hosts, patience, pause)

    @property
    def tabs(self) -> tuple[TabState, ...]:
        """The tabs; titles and scrolling as of their last capture."""
        return tuple(tab.state for tab in self._row.tabs)

    @property
    def current(self) -> int:
        """The current tab's number, from 0."""
        return self._row.number

    @property
    def last_url(self) -> str:
        """The real address of the current tab."""
        return self._row.current.page.url

    @property
    def sent_changes(self) -> bool:
        """Whether anything but GET and HEAD was sent since `clear_changes`."""
        return self._requests.sent_changes

    def clear_changes(self) -> None:
        """What was sent until now does not count."""
        self._requests.sent_changes = False

    def notes(self) -> tuple[str, ...]:
        """What happened beside the actions since this was last asked, in sentences with real addresses."""
        return self._notes.take()

    async def open(self, urls: Sequence[str]) -> None:
        """Show pages, a tab each, the first current, in a new window; a `WorldFault` if the first does not load."""
        async with self.calls():
            for number, url in enumerate(urls):
                why = await self._load(await self._row.open(), url)
                if why and not number:
                    raise WorldFault(f"webarena: {why}")
                shown = self._row.current
                with suppress(Error, TimeoutError):
                    shown.title = await asyncio.wait_for(shown.page.title(), self._patience.action)
            await self._row.tidy()
            await self._row.focus(0)

    async def carry_out(self, action: BrowserAction, elements: Mapping[int, PageElement]) -> str:
        """Carry an action out, and wait until the page has settled.

        Args:
            elements: of the page that was captured last.

        Returns:
            Why it was rejected, in a sentence; the page is then as it was. Empty: it was carried out.
        """
        async with self.calls():
            self._row.begin()
            mark = self._requests.mark
            tab = self._row.current
            try:
                why = await self._hands.act(action, elements)
            except NotAnswering:
                await self._give_up(tab)
                return ""
            except Error as error:
                if not tab.page.is_closed():
                    self._notes.add(f"The page did not take it ({error.message.partition(chr(10))[0]}).")
                why = ""
            if why:
                await self._answers()
            await self._settle(mark)
            return why

    async def capture(self) -> CapturedPage:
        """The current tab's page. One that does not answer is closed, and an empty one shown, as the notes say."""
        async with self.calls():
            for _ in range(_CAPTURES):
                tab = self._row.current
                try:
                    return await capture_tab(tab, self._patience.capture)
                except NotAnswering:
                    await self._give_up(tab)
                except TooLarge as error:
                    self._notes.add(f"The page has {error}, which are too many to show.")
                    return empty_page(tab.page.url, "A page too large to show")
                except Error:  # it closed its tab, or gave way to another
                    await self._row.tidy()
            await self._answers()
            return empty_page(self.last_url, "A page that cannot be shown")

    async def picture(self) -> bytes:
        """The viewport as JPEG; empty if the page does not answer."""
        async with self.calls():
            page = self._row.current.page
            try:
                return await asyncio.wait_for(page.screenshot(type="jpeg", quality=_QUALITY), self._patience.action)
            except TimeoutError:
                return b""
            except Error as error:
                await self._unless_ended(error)
                return b""

    async def cookies(self) -> tuple[WebCookie, ...]:
        """All cookies, in an order that depends on them alone."""
        async with self.calls():
            found = convert(await self.context.cookies(), list[WebCookie])
            return tuple(sorted(found, key=lambda cookie: (cookie.domain, cookie.path, cookie.name)))

    async def restore(self, tabs: Sequence[TabState], current: int, cookies: Sequence[WebCookie]) -> None:
        """Show other tabs instead, each loaded anew from its address; the notes say which did not load."""
        async with self.calls():
            await self.context.clear_cookies()
            await self.context.add_cookies(to_builtins(cookies))
            before, self._row.tabs = self._row.tabs, []
            for state in tabs:
                tab = await self._row.open()
                why = await self._load(tab, state.url)
                if tab.page.is_closed():  # by the page itself, or because it did not answer
                    continue
                tab.history, tab.index, tab.title = list(state.history), state.index, state.title
                if any(state.scroll) and not why:
                    x, y = state.scroll
                    with suppress(Error, NotAnswering):
                        scroll = f"window.scrollTo({{left: {x}, top: {y}, behavior: 'instant'}})"
                        await tab.devtools.ask("Runtime.evaluate", expression=scroll)
                    tab.scroll = state.scroll
            for tab in before:
                await self._row.close_page(tab.page)
            await self._row.tidy()
            await self._row.focus(min(current, len(self._row.tabs) - 1))

    async def html(self, url: str | None) -> str:
        """The HTML of an address, loaded in a tab of its own; None: of the current tab as it is. Empty: none came."""
        async with self.calls():
            return await self._read(self._reader.html(url))

    async def evaluate(self, url: str | None, javascript: str, before: Sequence[str] = ()) -> str:
        """What a script says within a page, as text.

        Args:
            url: loaded in a tab of its own, which is closed after; None: the current tab as it is.
            javascript: a function without parameters.
            before: scripts that run first, whatever becomes of them.

        Returns:
            The value as Python writes it; empty if the page or the script fails.
        """
        async with self.calls():
            return await self._read(self._reader.evaluate(url, javascript, before))

    async def close(self) -> None:
        """Close it with all its tabs; further calls of this do nothing."""
        if not self._open:
            return
        self._open = False
        with suppress(Error, TimeoutError):
            await asyncio.wait_for(self.context.close(), self._patience.action)
        await self._closed()

    async def _read(self, reading: Coroutine[Any, Any, str]) -> str:
        try:
            return await reading
        except Error as error:
            await self._unless_ended(error)
            return ""

    async def _unless_ended(self, error: Error) -> None:
        """Raise if what failed did so because the browser has ended, and not only a page."""
        if is_gone(error):
            await self._answers()

    async def _answers(self) -> None:
        """Raise if the browser has ended: then it is not the page that does not do what was asked of it."""
        await self.context.cookies()

    async def _load(self, tab: Tab, url: str) -> str:
        """Load an address in the current tab, and wait until it has settled; returns why it did not load."""
        try:
            why = await self._navigation.load(tab, url)
        except NotAnswering:
            await self._give_up(tab)
            return ""
        except Error as error:  # the page closed its tab
            await self._unless_ended(error)
            why = ""
        if why:
            self._notes.add(f"{why}.")
        await self._settle(self._requests.mark)
        return why

    async def _settle(self, mark: int) -> None:
        while True:
            tab = self._row.current
            try:
                if not await self._navigation.settle(tab, mark):
                    await self._row.close(self._row.tabs.index(tab))
            except NotAnswering:
                await self._give_up(tab)
                return
            except Error:
                if not tab.page.is_closed():
                    raise
            await self._row.tidy()
            if self._row.current is tab:
                tab.visited()
                return

    async def _give_up(self, tab: Tab) -> None:
        what = "crashed" if tab.devtools.crashed else "does not answer"
        self._notes.add(f"The page at {tab.page.url} {what}; its tab was emptied.")
        fresh = await self._row.replace(tab)
        fresh.visited()

    @asynccontextmanager
    async def calls(self) -> AsyncGenerator[None]:
        """Within it, an error of the browser is the fault that it stands for, also of calls of `context`."""
        if self._process.ended:
            raise self._process.fault()
        try:
            yield
            if self._process.ended:
                raise self._process.fault()
        except Error as error:
            if await self._process.has_ended(error):
                raise self._process.fault() from error
            raise WorldFault(f"webarena: the browser: {error.message}") from error
