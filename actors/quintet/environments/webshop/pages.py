"""The shop's pages: where a customer is, what the page there holds, and its two texts."""

import json
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from quintet.environments.webshop.products import Product

SEARCH: Final = "Search"
BACK_TO_SEARCH: Final = "Back to Search"
NEXT_PAGE: Final = "Next >"
PREVIOUS: Final = "< Prev"
BUY_NOW: Final = "Buy Now"

PageText: TypeAlias = Literal["client", "gym"]
"""`client`: a part a line, with what can be clicked in brackets. `gym`: parts between ` [SEP] `."""

INVALID_ACTION = "Invalid action!"
_SCORE = "Your score (min 0.0, max 1.0)"
_THANKS = "Thank you for shopping with us!", "Your code:", "None", "(Paste it in your MTurk interface.)", "Purchased"
_UNKNOWN = (
    *("attrs", "None", "category", "None", "query", "None", "product category", "None"),
    *("Target", "asin", "options", "attrs", "price upper", "instuction text", "category", "product category", "query"),
    *("Goal", "None", "Reward"),
)
_DETAILS = "Reward Details", "None"
_ESCAPES = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&'"}

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


class PlainText(Struct, frozen=True):
    """Words that cannot be clicked."""

    words: str

    @property
    def client(self) -> str:
        return self.words

    @property
    def gym(self) -> tuple[str, ...]:
        return _seen(self.words)


class Button(Struct, frozen=True):
    """A button, or a link to a product."""

    label: str

    @property
    def client(self) -> str:
        return f"[{self.label}]"

    @property
    def gym(self) -> tuple[str, ...]:
        return (self.label,)


class OptionRow(Struct, frozen=True):
    """An option and its values, each of which can be clicked."""

    name: str
    values: tuple[str, ...]
    chosen: str | None

    @property
    def client(self) -> str:
        values = (f"[[{value}]]" if value == self.chosen else f"[{value}]" for value in self.values)
        return f"{self.name} {''.join(values)}"

    @property
    def gym(self) -> tuple[str, ...]:
        return tuple(text for each in (self.name, *self.values) for text in _seen(each))


PagePart: TypeAlias = PlainText | Button | OptionRow
"""`client` is its line for the client; `gym` are its texts in the released environment."""


def _seen(text: str) -> tuple[str, ...]:
    """A text of a page as Beautiful Soup finds it: none, if it is empty or only a new line; blanks alone are one."""
    bare = text.strip()
    return (bare,) if bare or (text and "\n" not in text) else ()


def search_page(instruction: str) -> tuple[PagePart, ...]:
    """The page on which a task begins."""
    return PlainText("WebShop"), *instruction_lines(instruction), Button(SEARCH)


def instruction_lines(instruction: str) -> tuple[PagePart, ...]:
    """What the released environment shows on top of every page."""
    return PlainText("Instruction:"), PlainText(instruction)


def results_page(products: Sequence[Product], number: int, total: int, *, more: bool) -> tuple[PagePart, ...]:
    """A page of results.

    Args:
        number: of this page, from 1.
        total: the number of products on all pages.
    """
    back = (Button(PREVIOUS),) * (number > 1)
    onward = (Button(NEXT_PAGE),) * more
    listed = (
        part for each in products for part in (Button(each.asin), PlainText(each.title), PlainText(each.price_text))
    )
    return Button(BACK_TO_SEARCH), PlainText(f"Page {number} (Total results: {total})"), *back, *onward, *listed


def item_page(product: Product, chosen: Sequence[tuple[str, str]]) -> tuple[PagePart, ...]:
    """The page of a product."""
    values = dict(chosen)
    options = (OptionRow(name, each, values.get(name)) for name, each in product.options.items())
    about = PlainText(product.title), PlainText(f"Price: {product.price_text}"), PlainText("Rating: N.A.")
    pages = (Button(page.capitalize()) for page in SUB_PAGES)
    return Button(BACK_TO_SEARCH), Button(PREVIOUS), *options, *about, *pages, Button(BUY_NOW)


def sub_page(texts: Sequence[str]) -> tuple[PagePart, ...]:
    """A page about a product: its description, features or reviews."""
    return Button(BACK_TO_SEARCH), Button(PREVIOUS), *map(PlainText, texts)


def buttons(parts: Sequence[PagePart]) -> dict[str, str]:
    """What can be clicked on a page: labels by their lower-case form, and `name` of the option of each value.

    A value of two options belongs to the last, and a button comes before a value of the same name.
    """
    values = {value.lower(): part.name for part in parts if isinstance(part, OptionRow) for value in part.values}
    return values | {part.label.lower(): "" for part in parts if isinstance(part, Button) and part.label != SEARCH}


def render(parts: Sequence[PagePart], form: PageText) -> str:
    """A page as text."""
    if form == "client":
        return "\n".join(part.client for part in parts)
    return " [SEP] ".join(text for part in parts for text in part.gym)


def said_on_click(value: str) -> str:
    """The client's answer when an option's value was chosen."""
    return f"You have clicked {value}."


def score_page(bought: ShopPosition, reward: float, form: PageText) -> str:
    """The page after a purchase; the released one has all labels, hidden ones too, and nothing beside most of them."""
    if form == "client":
        return f"{_SCORE}: {reward}"
    chosen = json.dumps(dict(bought.chosen), sort_keys=True).translate(_ESCAPES)
    purchase = "asin", bought.asin, "options", chosen
    return " [SEP] ".join((*_THANKS, *purchase, *_UNKNOWN, _SCORE, str(reward), *_DETAILS))
