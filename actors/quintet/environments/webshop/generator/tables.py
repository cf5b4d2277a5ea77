"""The tables behind made-up products: kinds, attributes, values of options, brands."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class ProductKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of product."""

    category: str
    query: str
    path: str
    """Its place below the category's."""
    titles: tuple[str, ...]
    """What a shop calls it."""
    asked: tuple[str, ...]
    """What a customer calls it; `*` stands for what it has to be."""
    options: Mapping[str, str]
    """The list of values of each option."""
    attributes: tuple[str, ...]
    uses: tuple[str, ...]
    price: tuple[float, float]
    """In dollars, the cheapest and the dearest."""
    about: tuple[str, ...]
    details: tuple[str, ...]


class AttributeWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How an attribute is put into words."""

    said: tuple[str, ...]
    """By the shop; each contains the attribute itself."""
    before: tuple[str, ...] = ()
    """By a customer, before the noun."""
    after: tuple[str, ...] = ()
    """By a customer, after it. At least one of the two has words."""


class _Kinds(Struct, frozen=True, forbid_unknown_fields=True):
    categories: Mapping[str, str]
    kinds: tuple[ProductKind, ...]


CONTRADICTIONS = (
    {"long sleeve", "short sleeve"},
    {"slim fit", "relaxed fit"},
    {"machine washable", "hand wash"},
    {"heavy duty", "light weight"},
    {"stainless steel", "aluminum alloy"},
    {"stainless steel", "food grade silicone"},
    {"fragrance free", "essential oils"},
    {"fragrance free", "tea tree"},
    {"button closure", "drawstring closure"},
)
"""Attributes that no product has at once."""


@cache
def product_kinds() -> tuple[ProductKind, ...]:
    """Every kind; the first twelve have all categories, and so on."""
    table = _kinds()
    by_category = ([kind for kind in table.kinds if kind.category == category] for category in table.categories)
    return tuple(kind for one_of_each in zip(*by_category, strict=True) for kind in one_of_each)


@cache
def category_path(category: str) -> str:
    """A category's place in the shop."""
    return _kinds().categories[category]


@cache
def attribute_words() -> Mapping[str, AttributeWords]:
    """The words of each attribute."""
    return msgspec.toml.decode(_text("attributes.toml"), type=dict[str, AttributeWords])


@cache
def option_values() -> Mapping[str, tuple[str, ...]]:
    """The values of each list, in a shop's order."""
    return msgspec.toml.decode(_text("options.toml"), type=dict[str, tuple[str, ...]])


@cache
def brands() -> tuple[str, ...]:
    return tuple(_text("brands.txt").splitlines())


@cache
def _kinds() -> _Kinds:
    return msgspec.toml.decode(_text("kinds.toml"), type=_Kinds)


def _text(name: str) -> str:
    return files("quintet.environments.webshop.generator").joinpath(name).read_text("utf-8")
