"""A tab's page at one moment, as the browser describes it."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from msgspec import ValidationError

from quintet.environments.webarena.browser.tab import NotAnswering, Tab
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
    """Describe the page; the tab then knows its title and how far it is scrolled.

    Raises:
        TooLarge: it has too many elements, or too long a text.
    """
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
