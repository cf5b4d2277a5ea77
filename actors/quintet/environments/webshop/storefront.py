"""The shop's front: the page at a position, and where an action leads."""

import re
from typing import assert_never

from msgspec.structs import replace

from quintet.environments.webshop import pages
from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.pages import SUB_PAGES, PagePart, ShopPosition
from quintet.environments.webshop.products import Product

_ACTION = re.compile(r"\s*(search|click) ?\[(.+)\]\s*\Z", re.DOTALL)
_RELEASED_ACTION = re.compile(r"(.+)\[(.+)\]")
_SEARCH_PAGE = ShopPosition()


class Storefront:
    """The pages over a catalogue.

    Args:
        page_len: the most products on a page of results.
        released: as in the released text environment: every page takes a search, every page of results leads on, and
            the page of reviews is empty; of an action, blanks before it are kept, and what follows the last bracket is
            not read. Else as for the client: only the first page takes a search, since it has the field for it, and
            neither blanks in a button's name nor the brackets that it is shown in matter.
    """

    def __init__(self, catalogue: Catalogue, page_len: int, *, released: bool) -> None:
        self.catalogue = catalogue
        self._page_len = page_len
        self._released = released

    def act(self, now: ShopPosition, action: str) -> ShopPosition | None:
        """Where an action leads; None: it is impossible here."""
        read = (_RELEASED_ACTION if self._released else _ACTION).match(action)
        if read is None or now.page == "bought":
            return None
        verb, argument = read[1], read[2].lower()
        if verb == "click":
            return self._click(now, argument)
        searches = verb == "search" and (self._released or now == _SEARCH_PAGE)
        return ShopPosition(page="results", query=argument) if searches else None

    def parts(self, now: ShopPosition, instruction: str) -> tuple[PagePart, ...]:
        """The page at a position.

        Args:
            now: before anything is bought.
        """
        match now.page:
            case "search":
                return pages.search_page(instruction)
            case "results":
                hits = self.catalogue.search(now.query)
                end = now.number * self._page_len
                listed = [self.catalogue.product(hit) for hit in hits[end - self._page_len : end]]
                return pages.results_page(listed, now.number, len(hits), more=self._released or end < len(hits))
            case "item" | "bought":
                return pages.item_page(self.product(now), now.chosen)
            case "reviews" if self._released:
                return pages.sub_page(())
            case "reviews":
                return pages.sub_page(("No reviews found",))
            case "features":
                blank = " " * self._released  # so that an empty feature is a part
                return pages.sub_page([f"{blank}{bullet}" for bullet in self.product(now).bullets])
            case "description":
                return pages.sub_page((self.product(now).description,))
            case _:
                assert_never(now.page)

    def product(self, now: ShopPosition) -> Product:
        """The product that is open."""
        number = self.catalogue.number(now.asin)
        assert number is not None
        return self.catalogue.product(number)

    def page_of(self, query: str, asin: str) -> int | None:
        """The page of results that lists a product, from 1; None: none does."""
        number = self.catalogue.number(asin)
        hits = self.catalogue.search(query.lower())
        return hits.index(number) // self._page_len + 1 if number in hits else None

    def _click(self, now: ShopPosition, label: str) -> ShopPosition | None:
        clickable = pages.buttons(self.parts(now, ""))
        if label not in clickable and not self._released:
            label = next((each for each in clickable if _bare(each) == _bare(label)), label)
        if label not in clickable:
            return None
        if label == pages.BACK_TO_SEARCH.lower():
            return _SEARCH_PAGE
        if label == pages.PREVIOUS.lower():
            return self._previous(now)
        if now.page == "results":
            if label == pages.NEXT_PAGE.lower():
                return replace(now, number=now.number + 1)
            return replace(now, page="item", asin=label.upper())
        if label == pages.BUY_NOW.lower():
            return replace(now, page="bought", clicked=False)
        for page in SUB_PAGES:
            if label == page:
                return replace(now, page=page, clicked=False)
        option = clickable[label]
        others = tuple(each for each in now.chosen if each[0] != option)
        return replace(now, chosen=(*others, (option, label)), clicked=True)

    def _previous(self, now: ShopPosition) -> ShopPosition:
        if now.page == "results":
            return replace(now, number=now.number - 1)
        if now.page == "item":
            return ShopPosition(page="results", query=now.query, number=now.number)
        return replace(now, page="item")


def _bare(label: str) -> str:
    """A button's name without blanks and the brackets that it is shown in."""
    return "".join(label.split()).strip("[]")
