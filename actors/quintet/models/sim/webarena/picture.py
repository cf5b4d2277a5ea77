"""A reader's picture of some steps on websites: the page that is open, and what was done on which page."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from quintet.models.sim.transcript import Exchange
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage, read_web_page

_ON_ELEMENT = re.compile(r"(?P<verb>click|hover|type) ?\[(?P<number>\d{1,9})\]", re.IGNORECASE)
_TYPED = re.compile(r"type ?\[\d{1,9}\] ?\[(?P<text>.*?)\](?: ?\[[01]\])?(?: \[on [^\]]*\])?", re.IGNORECASE)
_LABEL = re.compile(r" \[on (?P<role>[A-Za-z]+) (?P<name>.*) at (?P<url>\S*)\]\Z")
_STOPPED = re.compile(r"stop\b", re.IGNORECASE)
_SCROLLED = re.compile(r"scroll ?\[?(?:direction=)?(?P<way>down|up)", re.IGNORECASE)
TRIED = "tried: "
"""Begins an action that was undone: it is known, and has no effect."""


class Deed(NamedTuple):
    """Something that was done to an element of a page."""

    url: str
    role: str
    name: str
    typed: str = ""


@dataclass
class WebPicture:
    """What a reader knows of the websites. It comes from observations alone."""

    page: BrowsedPage | None = None
    """The page that is open; None: unknown."""
    done: set[Deed] = field(default_factory=set[Deed])
    scrolled: Counter[str] = field(default_factory=Counter[str])
    """By address: how often downwards was tried."""
    below: Counter[str] = field(default_factory=Counter[str])
    """By address: how many windows below its beginning a page was left."""
    trail: list[Deed] = field(default_factory=list[Deed])
    """What was done to elements and not undone, in order."""
    pages: dict[str, BrowsedPage] = field(default_factory=dict[str, BrowsedPage])
    """The pages that were seen, by address, each as it was last."""
    refused: set[str] = field(default_factory=set[str])
    """Actions that could not be carried out on this page."""
    last: Deed | None = None
    """The last that was done to an element."""
    actions: int = 0
    ended: bool = False
    """The answer was given."""
    answer: str = ""

    def learn(self, step: Exchange) -> None:
        """Take in one step."""
        undone = step.action.startswith(TRIED)
        action = step.action.removeprefix(TRIED)
        self.actions += bool(action)
        deed = deed_of(action, self.page)
        if deed is not None:
            self.done.add(deed)
        if undone:
            return
        if deed is not None:
            self.last = deed
            self.trail.append(deed)
        if self.page is not None and (scrolled := _SCROLLED.match(action)):
            self._scroll(self.page.url, down=scrolled["way"].lower() == "down", moved="Tab 0" in step.observation)
        if _STOPPED.match(action):
            self.ended, self.answer = True, action[4:].strip(" []")
        elif (page := read_web_page(step.observation)) is not None:
            self.refused = self.refused if page == self.page else set()
            self.page = page
            self.pages[page.url] = page
        elif action and step.observation:
            self.refused.add(action.partition(" [on ")[0])

    def _scroll(self, url: str, *, down: bool, moved: bool) -> None:
        self.scrolled[url] += down
        if moved:
            self.below[url] += 1 if down else -1


def deed_of(action: str, page: BrowsedPage | None) -> Deed | None:
    """What an action does to which element; None: to none that is known."""
    acted = _ON_ELEMENT.match(action)
    if acted is None:
        return None
    typed = _TYPED.match(action) if acted["verb"].lower() == "type" else None
    words = " ".join(typed["text"].lower().split()) if typed else ""
    if label := _LABEL.search(action):
        return Deed(label["url"], label["role"], label["name"], words)
    node = page.named(int(acted["number"])) if page is not None else None
    return None if node is None or page is None else Deed(page.url, _kind(node), plain_name(node.name), words)


def labelled(action: str, page: BrowsedPage | None) -> str:
    """An action with the words of its element, which its number alone does not tell later."""
    deed = deed_of(action, page)
    return action if deed is None else f"{action} [on {deed.role} {deed.name} at {deed.url}]"


def is_done(picture: WebPicture, node: BrowsedNode, typed: str = "", page: BrowsedPage | None = None) -> bool:
    """Whether an element of a page, by default the open one, was clicked, or had this typed into it."""
    on = page or picture.page
    url = "" if on is None else on.url
    return Deed(url, _kind(node), plain_name(node.name), " ".join(typed.lower().split())) in picture.done


def _kind(node: BrowsedNode) -> str:
    """Its role; a button that opens a menu is none that does something."""
    return "menu" if node.role == "button" and "expanded" in node.properties else node.role


@lru_cache(maxsize=16384)
def plain_name(name: str) -> str:
    """The name of an element as a deed keeps it."""
    return " ".join(re.sub(r"[\[\]:]", " ", name).split())


def pages_after(page: BrowsedPage | None, steps: Iterable[Exchange]) -> WebPicture:
    """The picture after some steps.

    Args:
        page: it was open at first; None: unknown.
        steps: those that are read.
    """
    picture = WebPicture(page)
    if page is not None:
        picture.pages[page.url] = page
    for step in steps:
        picture.learn(step)
    return picture
