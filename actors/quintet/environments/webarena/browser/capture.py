"""A tab's page at one moment, as the browser describes it."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from msgspec import ValidationError

from quintet.environments.webarena.browser.devtools import NotAnswering
from quintet.environments.webarena.browser.tab import Tab
from quintet.environments.webarena.observation.nodes import AXNode, AXValue, CapturedPage, read_capture

MOST_NODES: Final = 50_000
"""Of a page that is described: more would take its host's memory, and its event loop's time from other sessions."""


class TooLarge(Exception):
    """A page has more than `MOST_NODES`; the text says how many."""


async def capture_tab(tab: Tab, seconds: float) -> CapturedPage:
    """Describe the page; the tab then knows its title and how far it is scrolled.

    Raises:
        TooLarge: it has too many nodes.
        NotAnswering: a script in it does not end, or the answer takes too long.
        playwright.async_api.Error: the tab was closed.
    """
    metrics = await tab.devtools.ask("Performance.getMetrics", seconds)
    nodes = next((each["value"] for each in metrics["metrics"] if each["name"] == "Nodes"), 0)
    if nodes > MOST_NODES:
        raise TooLarge(f"{nodes:,.0f}")
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
