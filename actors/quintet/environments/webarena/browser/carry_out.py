"""Carries an action out in a window's current tab."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, assert_never

from playwright.async_api import Error

from quintet.environments.webarena.actions import (
    BrowserAction,
    Click,
    CloseTab,
    FocusTab,
    GoBack,
    GoForward,
    GoTo,
    Hover,
    NewTab,
    Press,
    Scroll,
    Type,
)
from quintet.environments.webarena.browser.elements import ElementGone, FoundElement, choose_option, find_element
from quintet.environments.webarena.browser.keys import WindowClipboard, clipboard_use, date_words, named_keys
from quintet.environments.webarena.browser.navigation import Navigation
from quintet.environments.webarena.browser.tab import ERROR_PAGE, Patience
from quintet.environments.webarena.browser.tab_row import MOST_TABS, TabRow
from quintet.environments.webarena.observation.tree import PageElement

_LONGEST_TYPED: Final = 200
"""Characters that are typed key by key; a longer text is put in at once."""

_SCROLL: Final = """(() => {
    const page = document.scrollingElement || document.documentElement, before = page.scrollTop;
    page.scrollTo({top: before + %d * window.innerHeight, behavior: "instant"});
    return page.scrollTop !== before;
})()"""


class Hands:
    """What a person's hands do in a window."""

    def __init__(self, row: TabRow, navigation: Navigation, patience: Patience) -> None:
        self._row = row
        self._navigation = navigation
        self._patience = patience
        self._clipboard = WindowClipboard()

    async def act(self, action: BrowserAction, elements: Mapping[int, PageElement]) -> str:
        """Carry an action out; returns why it was rejected, else nothing. What it begins is not waited for."""
        row = self._row
        match action:
            case Click(element) | Hover(element) | Type(element):
                return await self._on_element(action, element, elements)
            case Press(keys):
                return await self._press(keys)
            case Scroll(direction):
                return await self._scroll(direction)
            case GoTo(url):
                return await self._go_to(url)
            case NewTab():
                if len(row.tabs) >= MOST_TABS:
                    return f"There are {MOST_TABS} tabs already."
                await row.open()
            case FocusTab(number):
                if number >= len(row.tabs):
                    return f"There is no tab {number}; the last is tab {len(row.tabs) - 1}."
                await row.focus(number)
            case CloseTab():
                await row.close(row.number)
            case GoBack():
                return await self._go(-1, "before")
            case GoForward():
                return await self._go(1, "after")
            case _:
                assert_never(action)
        return ""

    async def _on_element(self, action: Click | Hover | Type, number: int, elements: Mapping[int, PageElement]) -> str:
        element = elements.get(number)
        if element is None:
            return f"There is no element [{number}] on this page."
        if element.backend_id is None:
            return f"Element [{number}] is no part of the page's document."
        seconds = self._patience.action
        try:
            found = await find_element(self._row.current, element.backend_id, seconds)
            listed = found.tag == "option" or element.role == "option"
            chosen = isinstance(action, Click) and listed and found.tag in ("option", "#text")
            if chosen or (isinstance(action, Type) and found.tag == "select"):
                words = action.text if isinstance(action, Type) else ""
                return _unchosen(number, await choose_option(self._row.current, element.backend_id, words, seconds))
        except ElementGone:
            return f"Element [{number}] is gone from the page."
        if found.middle is None:
            return f"Element [{number}] cannot be seen."
        match action:
            case Click():
                return await self._click(number, found, element.backend_id)
            case Hover():
                async with self._row.current.devtools.answering(seconds):
                    await self._row.current.page.mouse.move(*found.middle)
            case Type(_, text, enter):
                if not found.takes_text:
                    return f"Element [{number}] takes no text."
                await self._type(found, element.backend_id, text, enter=enter)
        return ""

    async def _click(self, number: int, found: FoundElement, backend_id: int) -> str:
        tab = self._row.current
        if found.tag == "select":
            # Its popup would be drawn by the system, and take the next click.
            await self._focus(backend_id)
        elif found.tag == "input" and found.kind == "file":
            return f"Element [{number}] asks for a file; no file can be chosen here."
        elif found.middle is not None:
            async with tab.devtools.answering(self._patience.action):
                await tab.page.mouse.click(*found.middle)
        return ""

    async def _focus(self, backend_id: int) -> None:
        with suppress(Error):  # one that is disabled takes no focus
            await self._row.current.devtools.ask("DOM.focus", self._patience.action, backendNodeId=backend_id)

    async def _type(self, found: FoundElement, backend_id: int, text: str, *, enter: bool) -> None:
        tab = self._row.current
        async with tab.devtools.answering(self._patience.action):
            keyboard = tab.page.keyboard
            words: Sequence[str] = (text,)
            if found.has_parts:
                await tab.devtools.evaluate("document.activeElement.blur()", self._patience.action)
                await self._focus(backend_id)
                words = date_words(text)
            elif found.middle is not None:
                await tab.page.mouse.click(*found.middle)
            await keyboard.press("Control+A")
            if not text:
                await keyboard.press("Delete")
            elif len(text) > _LONGEST_TYPED:
                await keyboard.insert_text(text)
            else:
                for at, word in enumerate(words):
                    if at:
                        await keyboard.press("ArrowRight")
                    await keyboard.type(word)
            if enter:
                await keyboard.press("Enter")

    async def _press(self, keys: str) -> str:
        tab = self._row.current
        if (use := clipboard_use(keys)) is not None:
            await self._clipboard.use(tab, use, self._patience.action)
            return ""
        try:
            async with tab.devtools.answering(self._patience.action):
                await tab.page.keyboard.press(named_keys(keys))
        except Error as error:
            if "Unknown key" not in error.message:
                raise
            return f"There is no key {keys!r}."
        return ""

    async def _scroll(self, direction: str) -> str:
        script = _SCROLL % (1 if direction == "down" else -1)
        moved = await self._row.current.devtools.evaluate(script, self._patience.action)
        return "" if moved else f"The page does not scroll further {direction}."

    async def _go_to(self, url: str) -> str:
        tab = self._row.current
        why = await self._navigation.load(tab, url)
        if why and tab.page.url.startswith(ERROR_PAGE):
            await self._navigation.put_back(tab)
        return f"{why}." if why else ""

    async def _go(self, step: int, where: str) -> str:
        tab = self._row.current
        index = tab.index + step
        if not 0 <= index < len(tab.history):
            return f"There is no page {where} this one in this tab."
        why = await self._navigation.load(tab, tab.history[index])
        if why:
            await self._navigation.put_back(tab)
            return f"{why}."
        tab.index = index
        return ""


def _unchosen(number: int, why: str) -> str:
    if why == "missing":
        return f"Element [{number}] has no such option."
    return f"Element [{number}] cannot be chosen now." if why else ""
