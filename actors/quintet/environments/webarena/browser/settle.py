"""When a page has settled after an action: the navigations and requests that the action began have ended."""

import asyncio
import time
from typing import Final

from msgspec import Struct

from quintet.environments.webarena.browser.devtools import NotAnswering
from quintet.environments.webarena.browser.notes import WindowNotes
from quintet.environments.webarena.browser.requests import RequestWatch
from quintet.environments.webarena.browser.tab import Tab

_QUIET_SECONDS: Final = 0.02
"""In which nothing new begins. A form is sent, and a frame drawn, within it."""
_ROUNDS: Final = 40
"""In which a page may begin something new again and again."""


class Patience(Struct, frozen=True, kw_only=True):
    """How long is waited for pages, in seconds."""

    navigation: float = 15.0
    """For a page to load."""
    action: float = 10.0
    """For a page to take a click or a key, or to answer a script."""
    capture: float = 15.0
    """For a page to be described."""
    requests: float = 2.0
    """For what scripts of a loaded page ask for after an action."""


async def settle(tab: Tab, requests: RequestWatch, mark: int, notes: WindowNotes, patience: Patience) -> None:
    """Wait until what an action began has ended, for a bounded time.

    The page has settled when it answered twice, a moment apart, and between them no navigation, no request of a
    script and no new tab was under way. What begins later by a timer is not waited for.

    Args:
        mark: the requests before the action, which are not waited for: an open stream, say.

    Raises:
        NotAnswering: a script in the page does not end.
        playwright.async_api.Error: the tab was closed.
    """
    until = time.monotonic() + patience.requests
    for _ in range(_ROUNDS):
        await _finish_loading(tab, notes, patience)
        await _answer(tab, patience)
        if not tab.loading and not tab.popups:
            await asyncio.sleep(_QUIET_SECONDS)
            await _answer(tab, patience)
        if tab.loading:
            continue
        if tab.popups:
            await tab.changed(lambda: not tab.popups, patience.requests)
            tab.popups.clear()  # the browser did not open one after all
        elif requests.open_since(mark, tab.page) and time.monotonic() < until:
            await asyncio.sleep(_QUIET_SECONDS)
        else:
            return


async def _finish_loading(tab: Tab, notes: WindowNotes, patience: Patience) -> None:
    if not tab.loading:
        return
    if not await tab.changed(lambda: not tab.loading or tab.page.is_closed(), patience.navigation):
        await tab.stop_loading()
        notes.add(f"The page did not finish loading in {patience.navigation:g} seconds. This much of it came.")


async def _answer(tab: Tab, patience: Patience) -> None:
    """Ask the page for nothing: its answer comes after what was begun before. Ends early if a page begins to load."""
    from playwright.async_api import Error

    # The browser holds the question back while a page is on its way, and hands it to that one.
    limit = patience.navigation + patience.action
    asked = asyncio.ensure_future(tab.devtools.ask("Runtime.evaluate", limit, expression="0"))
    asked.add_done_callback(lambda _: tab.told())
    try:
        if not await tab.changed(lambda: asked.done() or tab.loading, patience.action):
            raise NotAnswering
        if asked.done():
            await asked
    except Error:
        if tab.page.is_closed():
            raise  # else the page gave way to another while it was asked
    finally:
        asked.cancel()
