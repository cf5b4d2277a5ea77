"""A reader's picture of the shop after some steps: the page, the products seen, and what was chosen and bought."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from quintet.models.sim.stems import tokens
from quintet.models.sim.transcript import Exchange
from quintet.models.sim.webshop.pages import (
    ID,
    ItemPage,
    ListedProduct,
    ResultsPage,
    SearchPage,
    ShopAnswer,
    ShopPage,
    TextPage,
    read_page,
)

_SEARCHING = re.compile(r"search\[(.*)\]", re.DOTALL)
_CLICKING = re.compile(r"click\[(.*)\]", re.DOTALL)
_PRODUCT = re.compile(ID, re.IGNORECASE)
_ENDED = re.compile(r"the task has ended\b", re.IGNORECASE)

PREV, NEXT, BACK, BUY = "click[< prev]", "click[next >]", "click[back to search]", "click[buy now]"


@dataclass
class SeenProduct:
    """What was seen of a product whose page was open."""

    page: ItemPage
    texts: dict[str, str]
    """By button, such as `features`: what was read."""


@dataclass
class ShopPicture:
    """A reader's picture of the shop. It comes from observations alone: what no observation shows is unknown."""

    page: ShopPage | None = None
    """The page that is open; None: unknown."""
    here: str = ""
    """The product whose page or text is open, by its id or, where no click shows it, its title."""
    listed: dict[str, ListedProduct] = field(default_factory=dict[str, ListedProduct])
    """By id: all that was seen on pages of results."""
    found_on: dict[str, int] = field(default_factory=dict[str, int])
    """By id: the number of that page."""
    number: int = 1
    """Of the last page of results."""
    more: bool = False
    """That page has a next one."""
    products: dict[str, SeenProduct] = field(default_factory=dict[str, SeenProduct])
    """Those whose pages were open."""
    read: dict[str, str] = field(default_factory=dict[str, str])
    """By button, such as `features`: the texts of this product that were read, even where its page was not."""
    chosen: list[str] = field(default_factory=list[str])
    """Option values that were clicked on this product, in lower case."""
    queries: list[str] = field(default_factory=list[str])
    """Searches whose results were seen."""
    refused: set[str] = field(default_factory=set[str])
    """Actions that were impossible on this page."""
    bought: str | None = None
    """The product that was bought."""
    score: float | None = None
    actions: int = 0
    """How many actions were read."""

    def learn(self, step: Exchange) -> None:
        """Take in one step."""
        self.actions += bool(step.action)
        seen = read_page(step.observation)
        if seen is None and step.action == BUY and _ENDED.match(step.observation):
            seen = ShopAnswer("bought")
        match seen:
            case None:
                pass
            case ShopAnswer():
                self._learn_answer(seen, step.action)
            case _:
                self.open(seen, step.action)

    def _learn_answer(self, answer: ShopAnswer, action: str) -> None:
        match answer.kind:
            case "invalid":
                self.refused.add(action)
            case "clicked":
                self.page = self.products[self.here].page if self.here in self.products else None
                self.chosen.append(answer.value)
            case "bought":
                self.bought, self.score = self.here, answer.score

    def open(self, page: ShopPage, action: str) -> None:
        """Take in a page, and the action that led to it."""
        self.page, self.refused = page, set()
        clicked = _CLICKING.fullmatch(action)
        match page:
            case SearchPage():
                self.here, self.chosen, self.read = "", [], {}
            case ResultsPage():
                self.here, self.chosen, self.read = "", [], {}
                self.number, self.more = page.number, page.more
                self.listed.update((listing.product, listing) for listing in page.listings)
                self.found_on.update((listing.product, page.number) for listing in page.listings)
                if searched := _SEARCHING.fullmatch(action):
                    self.queries.append(searched[1])
            case ItemPage():
                self._open_item(page, clicked[1] if clicked else "")
            case TextPage():
                self.read[clicked[1] if clicked else "text"] = page.text

    def _open_item(self, page: ItemPage, clicked: str) -> None:
        """What a page does not mark as chosen is known by the button that led there."""
        product = clicked.upper() if _PRODUCT.fullmatch(clicked) else ""
        here = product or (self.here if self._is_here(page.title) else self._known_as(page.title))
        if here != self.here and (product or self.here):
            known = self.products.get(here)
            self.read = {} if known is None else known.texts
        before = self.chosen if here == self.here else []
        now = [value for _, values in page.options for value in values if value == clicked]
        self.here, self.chosen = here, list(page.chosen or dict.fromkeys((*before, *now)))
        self.products[here] = SeenProduct(page, self.read)

    def _known_as(self, title: str) -> str:
        """The id of the product of this title where a page of results shows it, else the title."""
        return next((each.product for each in self.listed.values() if tokens(each.title) == tokens(title)), title)

    def _is_here(self, title: str) -> bool:
        known = self.products.get(self.here)
        return known is not None and tokens(known.page.title) == tokens(title)


def shop_after(page: ShopPage | None, found: str, steps: Iterable[Exchange]) -> ShopPicture:
    """What the steps show that are read, and the page that was open before them, in the words of the prompt.

    Args:
        page: it was open at first; None: no page is shown.
        found: the id of the product that was opened last before; may be empty.
        steps: those that are read.
    """
    seen = ShopPicture()
    if page is not None:
        seen.open(page, f"click[{found.lower()}]" if found else "")
    for step in steps:
        seen.learn(step)
    return seen
