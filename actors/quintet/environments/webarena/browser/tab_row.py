"""A window's tabs: which there are, which is current, what pages do to them on their own, and the notes on that."""

import asyncio
from contextlib import suppress
from typing import Final

from playwright.async_api import BrowserContext, Dialog, Download, Error, Page

from quintet.environments.webarena.browser.tab import ERROR_PAGE, DevTools, NotAnswering, Tab

_MOST: Final = 8
_LONGEST: Final = 200


class WindowNotes:
    """Sentences since they were last taken; at most a few, since a page may open dialogs without end."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._more = 0

    def add(self, sentence: str) -> None:
        """Add a sentence; one that is there already is not repeated."""
        if sentence in self._sentences:
            return
        if len(self._sentences) < _MOST:
            self._sentences.append(sentence)
        else:
            self._more += 1

    def take(self) -> tuple[str, ...]:
        """The sentences, oldest first, which are then forgotten."""
        more = (f"{self._more} more things happened.",) if self._more else ()
        taken = (*self._sentences, *more)
        self._sentences, self._more = [], 0
        return taken


def quoted(words: str) -> str:
    """A page's own words within a sentence: one line, printable, cut."""
    line = " ".join(words[: 10 * _LONGEST].split())
    plain = "".join(sign for sign in line if sign.isprintable())
    return f'"{plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3] + "..."}"'


MOST_TABS: Final = 10
_MOST_DIALOGS: Final = 20
"""That a page may open during one action."""
_CLOSE_SECONDS: Final = 5.0


class TabRow:
    """The tabs of a context, in the order in which they were opened. There is always one after `tidy`."""

    def __init__(self, context: BrowserContext, notes: WindowNotes) -> None:
        self.tabs: list[Tab] = []
        self.number = 0
        """Of the current tab."""
        self._context = context
        self._notes = notes
        self._own: set[Page] = set()
        """Pages that we opened: others were opened by pages."""
        self._arrived: list[Page] = []
        self._asked: dict[Page, str] = {}
        """The addresses that pages opened them with."""
        self._dialogs = 0
        self._answers: set[asyncio.Task[None]] = set()
        context.on("page", self._arrive)
        context.on("dialog", self._dialog)

    @property
    def current(self) -> Tab:
        return self.tabs[self.number]

    def begin(self) -> None:
        """An action begins."""
        self._dialogs = 0

    async def open_page(self) -> Page:
        """A page that is no tab."""
        page = await self._context.new_page()
        self._own.add(page)
        page.on("close", self._forget)
        return page

    async def open(self) -> Tab:
        """An empty tab at the end, which becomes the current one."""
        tab = await self._attach(await self.open_page())
        self.tabs.append(tab)
        self.number = len(self.tabs) - 1
        return tab

    async def focus(self, number: int) -> None:
        self.number = number
        await self._show()

    async def close(self, number: int) -> None:
        """Close a tab; the one before it becomes current, or an empty one if it was the only one."""
        tab = self.tabs.pop(number)
        self.number = max(0, number - 1)
        await self.close_page(tab.page)
        await self.tidy()
        await self._show()

    async def replace(self, tab: Tab) -> Tab:
        """Give up a tab whose page does not answer: an empty one takes its place, and its history."""
        number = self.tabs.index(tab)
        fresh = await self._attach(await self.open_page())
        fresh.history, fresh.index = tab.history, tab.index
        self.tabs[number] = fresh
        await self.close_page(tab.page)
        return fresh

    async def tidy(self) -> None:
        """Take up the tabs that pages opened, forget those that they closed, and make sure that there is one."""
        while self._arrived:
            page = self._arrived.pop(0)
            if page in self._own or page.is_closed():
                continue
            if len(self.tabs) >= MOST_TABS:
                self._notes.add(f"The page opened a tab, which was closed: there are {MOST_TABS}.")
                await self.close_page(page)
                continue
            await self._adopt(page)
        closed = [tab for tab in self.tabs if tab.page.is_closed()]
        if closed:
            self._notes.add("The page closed its tab.")
            current = self.current
            before = sum(not tab.page.is_closed() for tab in self.tabs[: self.number])
            self.tabs = [tab for tab in self.tabs if tab not in closed]
            self.number = self.tabs.index(current) if current in self.tabs else max(0, before - 1)
        if not self.tabs:
            (await self.open()).visited()
        elif closed:
            await self._show()

    async def drop_arrived(self) -> None:
        """Close the tabs that pages opened and that are not taken up."""
        while self._arrived:
            page = self._arrived.pop()
            if page not in self._own:
                await self.close_page(page)

    async def _adopt(self, page: Page) -> None:
        asked = self._asked.pop(page, "")
        try:
            tab = await self._attach(page)
        except (Error, NotAnswering):  # closed already, as where it was opened for a download; or it never answers
            await self.close_page(page)
            return
        tab.failed = asked if page.url.startswith(ERROR_PAGE) else ""
        self.tabs.insert(self.number + 1, tab)
        self.number += 1
        self._notes.add("The page opened a new tab, which is now the current one.")

    async def _attach(self, page: Page) -> Tab:
        tab = Tab(page, DevTools(await page.context.new_cdp_session(page)))
        await tab.listen()
        page.on("download", lambda download: self._download(tab, download))
        refused = "The page asked for a file; no file can be chosen here."
        page.on("filechooser", lambda _: self._notes.add(refused))
        page.on("close", lambda _: tab.told())
        page.on("crash", lambda _: tab.crash())
        return tab

    async def _show(self) -> None:
        with suppress(Error, NotAnswering):  # what a page does now is seen when it is captured
            async with self.current.devtools.answering(_CLOSE_SECONDS):
                await self.current.page.bring_to_front()

    async def close_page(self, page: Page) -> None:
        """Close a page, whether it answers or not."""
        with suppress(Error, TimeoutError):
            await asyncio.wait_for(page.close(), _CLOSE_SECONDS)

    def _forget(self, page: Page) -> None:
        self._own.discard(page)

    def _arrive(self, page: Page) -> None:
        self._arrived.append(page)
        for tab in self.tabs:
            if tab.popups:
                self._asked[page] = tab.popups.pop(0)
                tab.told()
                break

    def _download(self, tab: Tab, download: Download) -> None:
        self._notes.add(f"The download of {quoted(download.suggested_filename)} was refused.")
        tab.loaded()

    def _dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > _MOST_DIALOGS:
            return  # the page waits, and is given up as one that does not answer
        answer = asyncio.get_running_loop().create_task(self._answer(dialog))
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)

    async def _answer(self, dialog: Dialog) -> None:
        words = quoted(dialog.message)
        match dialog.type:
            case "alert":
                self._notes.add(f"The page said {words}.")
            case "confirm":
                self._notes.add(f"The page asked {words}; it was answered with OK.")
            case "beforeunload":
                self._notes.add("The page asked whether to leave it; it was left.")
            case _:
                self._notes.add(f"The page asked for a text, {words}; it was cancelled.")
        with suppress(Error):  # the page is gone already
            await (dialog.dismiss() if dialog.type == "prompt" else dialog.accept())
