"""A goal: an instruction to buy, and what the purchase is scored by."""

from msgspec import Struct


class WantedOption(Struct, frozen=True):
    """An option that the instruction asks for."""

    value: str
    """As on the product's page: `dark blue`."""
    name: str | None = None
    """The option's name, `color`, which a synthetic goal gives and a human one does not."""


class Goal(Struct, frozen=True, kw_only=True):
    """An instruction, what it asks for, and the product that it was written about."""

    asin: str
    """Of the product."""
    instruction: str
    """The words that the customer sees, with the price limit, without final punctuation."""
    attributes: tuple[str, ...]
    """At least one."""
    options: tuple[WantedOption, ...]
    price_limit: float
    """In dollars, and may be reached. `NO_LIMIT`: the instruction names none."""
    title: str
    """Of the product, as its three classes below."""
    category: str
    query: str
    """The search that lists the product, in lower case."""
    product_category: str
    """From wide to narrow, separated by ` › `."""


NO_LIMIT = 1_000_000.0
"""The released code's limit of a goal without one. A dearer product does not fit."""
