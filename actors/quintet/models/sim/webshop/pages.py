"""The shop's pages as a reader takes them in, in lines or as one line, in either form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.webshop.gym_text import in_client_form

ID = r"[A-Z0-9]{10}"
"""The form of a product's id."""
_PRICE = r"\$(?P<low>\d[\d,]*(?:\.\d+)?)(?: to \$(?P<high>\d[\d,]*(?:\.\d+)?))?"

_SEARCH = re.compile(r"\[search\]", re.IGNORECASE)
_BACK = re.compile(r"\[back to search\]", re.IGNORECASE)
_PAGE = re.compile(r"\bpage (?P<number>\d{1,6}) \(total results: (?P<total>\d{1,9})\)", re.IGNORECASE)
_LISTED = re.compile(rf"\[(?P<id>{ID})\] (?P<title>.+?) {_PRICE}(?= \[{ID}\]|\Z)")
_BUY = re.compile(r"\[buy now\]", re.IGNORECASE)
_ITEM = re.compile(rf"\[< prev\] (?P<head>.*?) ?price: {_PRICE}", re.IGNORECASE)
_OPTION = re.compile(r"(?P<name>[^\[\]]{1,60}?) (?P<values>(?:\[\[?[^\[\]]+\]\]? ?)+)")
_VALUE = re.compile(r"\[([^\[\]]+)\]")
_CHOSEN = re.compile(r"\[\[([^\[\]]+)\]\]")
_SUB = re.compile(r"\[< prev\] ?(?P<text>.*)\Z", re.IGNORECASE)
_CLICKED = re.compile(r"you have clicked (?P<value>.+?)\.?\Z", re.IGNORECASE)
_INVALID = re.compile(r"invalid action\b", re.IGNORECASE)
_SCORE = re.compile(r"\byour score \(min 0(?:\.0)?, max 1(?:\.0)?\):? ?(?P<score>[01](?:\.\d+)?)", re.IGNORECASE)


_LONGEST_NAME = 4
"""Words in the name of an option, at most; what is longer is a title."""


@dataclass(frozen=True)
class ShownPrice:
    """In dollars; a range where it depends on options."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"${self.low:g}" if self.low == self.high else f"${self.low:g} to ${self.high:g}"


@dataclass(frozen=True)
class ListedProduct:
    """A product on a page of results."""

    product: str
    """Its id."""
    title: str
    price: ShownPrice


Options: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""By name: the values. Both in lower case."""


@dataclass(frozen=True)
class SearchPage:
    """Where a search begins."""


@dataclass(frozen=True)
class ResultsPage:
    """What a search found."""

    number: int
    total: int
    """Of results, on all pages."""
    listings: tuple[ListedProduct, ...]
    more: bool
    """There is a next page."""


@dataclass(frozen=True)
class ItemPage:
    """A product."""

    title: str
    options: Options
    chosen: tuple[str, ...]
    """The values that are chosen."""
    price: ShownPrice


@dataclass(frozen=True)
class TextPage:
    """A product's description, features or reviews."""

    text: str


@dataclass(frozen=True)
class ShopAnswer:
    """What the shop says in place of a page."""

    kind: Literal["clicked", "invalid", "bought"]
    value: str = ""
    """The option that was clicked."""
    score: float | None = None
    """Of a purchase."""


ShopPage: TypeAlias = SearchPage | ResultsPage | ItemPage | TextPage
"""What the shop shows until something else is clicked."""


@lru_cache(maxsize=16384)
def read_page(text: str) -> ShopPage | ShopAnswer | None:
    """The page, or the shop's answer; None for any other text."""
    text = in_client_form(text)
    flat = " ".join(text.split())
    if score := _SCORE.search(flat):
        return ShopAnswer("bought", score=float(score["score"]))
    if _INVALID.match(flat):
        return ShopAnswer("invalid")
    if clicked := _CLICKED.fullmatch(flat):
        value = clicked["value"].lower()
        return ShopAnswer("bought") if value == "buy now" else ShopAnswer("clicked", value)
    if not _BACK.search(flat):
        return SearchPage() if _SEARCH.search(flat) else None
    if page := _PAGE.search(flat):
        listings = tuple(_listings(flat[page.end() :]))
        return ResultsPage(int(page["number"]), int(page["total"]), listings, "[next >]" in flat[page.end() :].lower())
    if _BUY.search(flat) and (item := _ITEM.search(flat)):
        return ItemPage(*_title_and_options(text, item["head"]), _price(item))
    return TextPage(sub["text"]) if (sub := _SUB.search(flat)) else None


def _listings(text: str) -> Iterator[ListedProduct]:
    for found in _LISTED.finditer(text):
        yield ListedProduct(found["id"], found["title"], _price(found))


def _title_and_options(text: str, head: str) -> tuple[str, Options, tuple[str, ...]]:
    """The title, the options and the chosen values.

    They are read by lines where there are lines, since a title may have brackets too; else brackets are options.
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    prices = [number for number, line in enumerate(lines) if line.lower().startswith("price: $")]
    if prices and prices[0]:
        title = lines[prices[0] - 1]
        found = [option for line in lines[: prices[0] - 1] if (option := _OPTION.fullmatch(line))]
    else:
        found = list(_leading_options(head))
        title = head[found[-1].end() :].strip() if found else head
    values = [each["values"].lower() for each in found]
    names = [each["name"].strip().lower() for each in found]
    options = tuple((name, tuple(_VALUE.findall(each))) for name, each in zip(names, values, strict=True))
    return title, options, tuple(value for each in values for value in _CHOSEN.findall(each))


def _leading_options(head: str) -> Iterator[re.Match[str]]:
    end = 0
    while (option := _OPTION.match(head, end)) and len(option["name"].split()) <= _LONGEST_NAME:
        yield option
        end = option.end()


def _price(found: re.Match[str]) -> ShownPrice:
    low = float(found["low"].replace(",", ""))
    return ShownPrice(low, float(found["high"].replace(",", "")) if found["high"] else low)
