"""Products of the shop."""

from collections.abc import Mapping

from msgspec import Struct


class Product(Struct, frozen=True, kw_only=True):
    """A product."""

    asin: str
    title: str
    description: str
    bullets: tuple[str, ...]
    price_text: str
    price_range: tuple[float, float]
    options: Mapping[str, tuple[str, ...]]
    category: str
    query: str
    product_category: str
    attributes: tuple[str, ...]
