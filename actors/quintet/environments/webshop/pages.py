"""The shop's pages: where a customer is, and what the page there holds."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from quintet.environments.webshop.products import Product

SEARCH: Final = "Search"
BACK_TO_SEARCH: Final = "Back to Search"
NEXT_PAGE: Final = "Next >"
PREVIOUS: Final = "< Prev"
BUY_NOW: Final = "Buy Now"

PageKind: TypeAlias = Literal["search", "results", "item", "description", "features", "reviews", "bought"]
SUB_PAGES: Final[tuple[PageKind, ...]] = ("description", "features", "reviews")


class ShopPosition(Struct, frozen=True, kw_only=True):
    """Where a customer is, and what was chosen on the way there."""

    page: PageKind = "search"
    query: str = ""
    """In lower case."""
    number: int = 1
    """Of the page of results, from 1."""
    asin: str = ""
    """The product that is open, or was bought."""
    chosen: tuple[tuple[str, str], ...] = ()
    """Options of that product with their values, the latest choice last."""
    clicked: bool = False
    """The last action chose an option."""


class Text(Struct, frozen=True):
    """Words that cannot be clicked."""

    words: str


class Button(Struct, frozen=True):
    """A button, or a link to a product."""

    label: str


class OptionRow(Struct, frozen=True):
    """An option and its values, each of which can be clicked."""

    name: str
    values: tuple[str, ...]
    chosen: str | None


PagePart: TypeAlias = Text | Button | OptionRow


def search_page(instruction: str) -> tuple[PagePart, ...]:
    """The page on which a task begins."""
    return Text("WebShop"), *instruction_lines(instruction), Button(SEARCH)


def instruction_lines(instruction: str) -> tuple[PagePart, ...]:
    """What the released environment shows on top of every page."""
    return Text("Instruction:"), Text(instruction)


def results_page(products: Sequence[Product], number: int, total: int, *, more: bool) -> tuple[PagePart, ...]:
    """A page of results.

    Args:
        number: of this page, from 1.
        total: the number of products on all pages.
    """
    back = (Button(PREVIOUS),) * (number > 1)
    onward = (Button(NEXT_PAGE),) * more
    listed = (part for product in products for part in _listed(product))
    return Button(BACK_TO_SEARCH), Text(f"Page {number} (Total results: {total})"), *back, *onward, *listed


def _listed(product: Product) -> tuple[PagePart, ...]:
    return Button(product.asin), Text(product.title), Text(product.price_text)


def item_page(product: Product, chosen: Sequence[tuple[str, str]]) -> tuple[PagePart, ...]:
    """The page of a product."""
    values = dict(chosen)
    options = (OptionRow(name, each, values.get(name)) for name, each in product.options.items())
    about = Text(product.title), Text(f"Price: {product.price_text}"), Text("Rating: N.A.")
    pages = (Button(page.capitalize()) for page in SUB_PAGES)
    return Button(BACK_TO_SEARCH), Button(PREVIOUS), *options, *about, *pages, Button(BUY_NOW)


def sub_page(product: Product, page: PageKind) -> tuple[PagePart, ...]:
    """A page about a product: its description, features or reviews."""
    return Button(BACK_TO_SEARCH), Button(PREVIOUS), *map(Text, _about(product, page))


def _about(product: Product, page: PageKind) -> Iterator[str]:
    if page == "features":
        yield from product.bullets
    else:
        yield product.description if page == "description" else "No reviews found"


def buttons(parts: Sequence[PagePart]) -> dict[str, str]:
    """What can be clicked on a page: labels by their lower-case form, and `name` of the option of each value.

    A value of two options belongs to the last, and a button comes before a value of the same name.
    """
    values = {value.lower(): part.name for part in parts if isinstance(part, OptionRow) for value in part.values}
    return values | {part.label.lower(): "" for part in parts if isinstance(part, Button) and part.label != SEARCH}
