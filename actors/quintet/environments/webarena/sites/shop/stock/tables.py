"""The tables from which the shop is drawn."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct


class StockSizes(Struct, frozen=True, forbid_unknown_fields=True):
    """The measure by which things of a kind differ."""

    name: str
    values: tuple[str, ...]


class StockKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A subcategory, and how its products are called."""

    category: str
    name: str
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    materials: tuple[str, ...]
    sizes: StockSizes
    price: tuple[int, int]
    """In dollars, the cheapest and the dearest."""
    about: tuple[str, ...]


class StockTables(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is sold."""

    brands: tuple[str, ...]
    colours: tuple[str, ...]
    kinds: tuple[StockKind, ...]


class ReviewWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What customers write, by the number of stars where it depends on them."""

    titles: tuple[tuple[str, ...], ...]
    openings: tuple[tuple[str, ...], ...]
    bad: tuple[str, ...]
    good: tuple[str, ...]


class PeopleTables(Struct, frozen=True, forbid_unknown_fields=True):
    """Customers' names, places and words."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    streets: tuple[str, ...]
    cities: tuple[tuple[str, str, str], ...]
    reviews: ReviewWords


def _read(name: str) -> Mapping[str, object]:
    return tomllib.loads((Path(__file__).parent / name).read_text())


@cache
def stock_tables() -> StockTables:
    return msgspec.convert(_read("catalogue.toml"), StockTables)


@cache
def people_tables() -> PeopleTables:
    return msgspec.convert(_read("people.toml"), PeopleTables)
