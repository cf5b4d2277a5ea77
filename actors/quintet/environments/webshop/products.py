"""Products of the shop, and the official files that list them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from mmap import ACCESS_READ, mmap
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from quintet.errors import UsageError
from quintet.plugins.files import open_regular

_UNPRICED = 100.0
"""The price in dollars of a product whose record has none."""
_LONGEST_ASIN = 10
_ASIN = re.compile(r"[0-9A-Z]+")


class Product(Struct, frozen=True, kw_only=True):
    """A product."""

    asin: str
    """Its id, in capitals and digits."""
    title: str
    description: str
    bullets: tuple[str, ...]
    """Its features."""
    price_text: str
    """As its page shows it: `$10.99`, or `$10.99 to $20.0` if the options differ in price."""
    price_range: tuple[float, float]
    """In dollars; equal if there is one price."""
    options: Mapping[str, tuple[str, ...]]
    """The values of each option, in lower case."""
    category: str
    query: str
    """The search that lists it, in lower case."""
    product_category: str
    """From wide to narrow, separated by ` › `."""
    attributes: tuple[str, ...]
    """What its text says about it, as in `long lasting`: hidden from the customer, and part of the score."""


class _Value(Struct, frozen=True):
    value: str


class _Record(Struct, frozen=True):
    """A record of the official file; further fields are ignored."""

    asin: str
    name: str
    full_description: str
    small_description: list[str] | str
    category: str
    query: str
    product_category: str
    pricing: str | None = None
    customization_options: dict[str, list[_Value] | None] | str | None = None
    """Text stands for no options, and is empty."""


_decode_record = msgspec.json.Decoder(_Record).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode


def read_products(path: Path, attributes: Mapping[str, Sequence[str]]) -> Iterator[Product]:
    """The products of an official file, `items_shuffle.json` or one like it, in its order.

    Like the released code, it leaves out a product whose id is longer than ten characters or came before.

    Raises:
        UsageError: the file cannot be read, is cut off, or has a record of another schema, which is named.
    """
    seen = {"nan"}
    for place, raw in enumerate(_records(path), start=1):
        where = f"{path}, record {place}"
        product = _product(raw, attributes, where)
        if product.asin in seen or len(product.asin) > _LONGEST_ASIN:
            continue
        if _ASIN.fullmatch(product.asin) is None:
            got = f"{product.asin!r} ({where}, field asin)"
            raise UsageError(f"products: expected an id of capitals and digits, got {got}")
        seen.add(product.asin)
        yield product


def _records(path: Path) -> Iterator[Raw]:
    try:
        with open(path, "rb", opener=open_regular) as file:
            if path.stat().st_size == 0:
                raise UsageError(f"products: expected a JSON list, got an empty file ({path})")
            yield from _decode_list(mmap(file.fileno(), 0, access=ACCESS_READ))
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"products: expected a JSON list of records, got: {error} ({path})") from error
    except OSError as error:
        raise UsageError(f"products: expected a file, got {error.strerror} ({path})") from error


def _product(raw: Raw, attributes: Mapping[str, Sequence[str]], where: str) -> Product:
    try:
        record = _decode_record(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"products: expected a record of WebShop's schema, got: {error} ({where})") from error
    prices = _prices(record.pricing, f"{where}, field pricing")
    bullets = record.small_description
    return Product(
        asin=record.asin,
        title=record.name,
        description=record.full_description,
        bullets=(bullets,) if isinstance(bullets, str) else tuple(bullets),
        price_text=" to ".join(f"${price}" for price in prices),
        price_range=(prices[0], prices[-1]),
        options=_options(record, f"{where}, field customization_options"),
        category=record.category,
        query=record.query.lower().strip(),
        product_category=record.product_category,
        attributes=tuple(attributes.get(record.asin, ())),
    )


def _prices(pricing: str | None, where: str) -> tuple[float, ...]:
    """One price, or the first two of several."""
    if not pricing:
        return (_UNPRICED,)
    try:
        prices = [float(re.sub(r"[^\d.]", "", price)) for price in pricing.split("$")[1:3]]
    except ValueError:
        prices = []
    if not prices or inf in prices:
        raise UsageError(f"products: expected a price as $10.99 or $10.99 - $20.00, got {pricing!r} ({where})")
    return tuple(prices)


def _options(record: _Record, where: str) -> Mapping[str, tuple[str, ...]]:
    options = record.customization_options or {}
    if isinstance(options, str):
        raise UsageError(f"products: expected options by name, got {json.dumps(options)[:80]} ({where})")
    return {name.lower(): tuple(map(_shown, values)) for name, values in options.items() if values is not None}


def _shown(option: _Value) -> str:
    return option.value.strip().replace("/", " | ").lower()
