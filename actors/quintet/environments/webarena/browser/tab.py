"""One tab: its DevTools session, what it loads and showed, and when it has settled.

Whatever is done in a page raises `NotAnswering` where a script in it does not end, and `playwright.async_api.Error`
where its tab was closed.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from msgspec import Struct
from playwright.async_api import CDPSession, Error, Page

from quintet.environments.webarena.browser.tabs import TabState


class Patience(Struct, frozen=True, kw_only=True):
    """How long is waited for pages, in seconds."""

    navigation: float = 15.0
    """For a page to load."""
    settling: float = 30.0
    """For a page to stop loading one page after another."""
    action: float = 10.0
    """For a page to take a click or a key, or to answer a script."""
    capture: float = 15.0
    """For a page to be described."""
    requests: float = 2.0
    """For what scripts of a loaded page ask for after an action."""


_NO_REPLY: Final = 10.0
"""Seconds after which a page that does nothing but answer is said not to answer."""


class NotAnswering(Exception):
    """A page does not answer: a script in it does not end, it is too busy, or it crashed."""


def is_gone(error: Error) -> bool:
    """Whether a call failed because what it asked has ended: a tab, or all of the browser."""
    return "has been closed" in error.message


class DevTools:
    """Sends commands, and hears of events."""

    def __init__(self, session: CDPSession) -> None:
        self.crashed = False
        """The page's process has ended."""
        self._session = session
        # The public wrapper walks the whole answer in Python, which takes ten times as long as reading it.
        self._answers: Any = session._impl_obj  # pyright: ignore[reportPrivateUsage]

    def on(self, event: str, handler: Callable[[Mapping[str, Any]], None]) -> None:
        """Call a function with each event of a kind."""
        self._session.on(event, handler)

    async def ask(self, command: str, seconds: float = _NO_REPLY, **parameters: Any) -> Mapping[str, Any]:
        """Send a command, and wait for the answer.

        Raises:
            NotAnswering: none came in time.
            playwright.async_api.Error: the browser answers that it cannot do that.
        """
        async with self.answering(seconds):
            answer: Mapping[str, Any] = await self._answers.send(command, parameters, None)
            return answer

    async def evaluate(self, script: str, seconds: float) -> Any:
        """The value of an expression in the page; None: it has none, or throws. Raises what `ask` does."""
        answer = await self.ask("Runtime.evaluate", seconds, expression=script, returnByValue=True)
        return answer["result"].get("value")

    @asynccontextmanager
    async def answering(self, seconds: float) -> AsyncGenerator[None]:
        """Within it, something is done in the page, for so many seconds.

        Raises:
            NotAnswering: it takes longer, or the page crashed.
            playwright.async_api.Error: the page cannot do that.
        """
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as error:
            raise NotAnswering from error
        except Error as error:
            if self.crashed:
                raise NotAnswering from error
            raise


EMPTY: Final = "about:blank"
ERROR_PAGE: Final = "chrome-error:"
"""How the address of the browser's own page begins, which it shows instead of one that did not load."""


class Tab:
    """A page with a DevTools session of its own.

    Its history is a list of its own: the addresses that it showed when an action had ended.
    """

    def __init__(self, page: Page, devtools: DevTools) -> None:
        self.page = page
        self.devtools = devtools
        self.history: list[str] = []
        self.index = -1
        self.title = ""
        self.scroll: tuple[int, int] = (0, 0)
        self.failed = ""
        """The address that did not load, if the page says so instead."""
        self.popups: list[str] = []
        """The addresses of tabs that the page opened and that are not there yet."""
        self._loading: set[str] = set()
        self._changed = asyncio.Event()

    @property
    def state(self) -> TabState:
        """What another browser needs to show the same."""
        url = self.history[self.index] if self.history else EMPTY
        return TabState(url=url, title=self.title, history=tuple(self.history), index=self.index, scroll=self.scroll)

    @property
    def loading(self) -> bool:
        """Whether a navigation of the page or of a frame in it is under way."""
        return bool(self._loading)

    async def listen(self) -> None:
        """Hear of the page's navigations from now on."""
        started, stopped = self._started, self._stopped
        for event, handler in {
            "frameRequestedNavigation": started,
            "frameStartedNavigating": started,
            "frameStartedLoading": started,
            "frameStoppedLoading": stopped,
            "frameDetached": stopped,
            "frameNavigated": self._navigated,
            "windowOpen": self._popup,
        }.items():
            self.devtools.on(f"Page.{event}", handler)
        await self.devtools.ask("Page.enable")

    def visited(self) -> None:
        """Remember the address that is shown now, unless it was shown before."""
        url = self.page.url
        if self.failed or (self.history and self.history[self.index] == url):
            return
        self.history[self.index + 1 :] = [url]
        self.index += 1

    def crash(self) -> None:
        """The page's process has ended."""
        self.devtools.crashed = True
        self.loaded()

    async def changed(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait until something holds that follows from what the page told; returns whether it does in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        return holds()

    def told(self) -> None:
        """Something was told that `changed` may wait for."""
        self._changed.set()

    async def stop_loading(self) -> None:
        """Give up what is still loading."""
        with suppress(Error):  # the page gives way to another at this moment, or its tab is closed
            await self.devtools.ask("Page.stopLoading")
        self._loading.clear()

    def loaded(self) -> None:
        """A navigation ended otherwise than with a page, such as with a download."""
        self._loading.clear()
        self.told()

    def _started(self, event: Mapping[str, Any]) -> None:
        if event.get("navigationType", "").startswith(("sameDocument", "historySameDocument")):
            return
        if event.get("disposition", "currentTab") == "currentTab":
            self._loading.add(event["frameId"])
            self.told()

    def _stopped(self, event: Mapping[str, Any]) -> None:
        self._loading.discard(event["frameId"])
        self.told()

    def _navigated(self, event: Mapping[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self.failed = event["frame"].get("unreachableUrl", "")

    def _popup(self, event: Mapping[str, Any]) -> None:
        self.popups.append(event["url"])
