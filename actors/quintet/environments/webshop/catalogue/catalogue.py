"""The shop's products with their prices, by number, by id and by search; written to a file or to memory, and read."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from quintet.environments.webshop.catalogue.archive import Archive, ArchiveWriter, map_archive
from quintet.environments.webshop.products import Product
from quintet.environments.whole_file import whole_file
from quintet.errors import UsageError, WorldFault

MAX_HITS = 50
"""The most products that a search finds."""
ASIN_BYTES = 10
_READ_AHEAD = 65_536
"""Bytes that the system maps around those that are read."""
_SEARCHES_KEPT = 1_000
_PRODUCTS_KEPT = 2_000

_encode = msgspec.msgpack.Encoder().encode
_decode_product = msgspec.msgpack.Decoder(Product).decode


class Catalogue:
    """Products in the order of their file, numbered from 0. Any number of sessions share one.

    Args:
        archive: as `write_catalogue` writes it; mapped from a file, products that nobody looks at take no memory.
    """

    def __init__(self, archive: Archive) -> None:
        sections = archive.sections
        self.notes = sections["notes"]
        """What the writer wished to keep with the products."""
        self.digest = bytes(sections["digest"]).hex()
        """Hash of the products and their prices."""
        self._archive = archive
        self._records = sections["records"]
        self._starts = sections["record starts"].cast("Q")
        self._prices = sections["prices"].cast("d")
        self._asins = sections["asins"]
        self._by_asin = sections["by asin"].cast("I")
        self.product = lru_cache(_PRODUCTS_KEPT)(self._product)
        """The product of a number; a UsageError if its bytes are damaged."""
        self.search = lru_cache(_SEARCHES_KEPT)(self._search)
        """The numbers of up to 50 products for some words, the best first."""

    def __reduce__(self) -> tuple[Callable[[Archive, str], "Catalogue"], tuple[Archive, str]]:
        return _same_catalogue, (self._archive, self.digest)

    def __len__(self) -> int:
        return len(self._prices)

    def number(self, asin: str) -> int | None:
        """The number of a product; None: there is none of that id."""
        key = asin.encode().ljust(ASIN_BYTES, b"\0")
        place = bisect_left(range(len(self)), key, key=self._asin_at)
        return self._by_asin[place] if place < len(self) and self._asin_at(place) == key else None

    def price(self, number: int) -> float:
        """In dollars."""
        return self._prices[number]

    def _asin_at(self, place: int) -> bytes:
        return bytes(self._asins[place * ASIN_BYTES : (place + 1) * ASIN_BYTES])

    def _product(self, number: int) -> Product:
        self._archive.count(_READ_AHEAD)
        try:
            return _decode_product(self._records[self._starts[number] : self._starts[number + 1]])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"data: expected product {number} of the shop, got damaged bytes: {error}") from error

    def _search(self, query: str) -> tuple[int, ...]:
        return self._find(query, MAX_HITS)

    @cached_property
    def _find(self) -> Callable[[str, int], tuple[int, ...]]:
        from quintet.environments.webshop.search.index import InvertedIndex  # imports numpy

        return InvertedIndex(self._archive).search


def _same_catalogue(archive: Archive, digest: str) -> Catalogue:
    found = Catalogue(archive)
    if found.digest != digest:
        raise UsageError(f"data: expected products of digest {digest}, which were opened first, got {found.digest}")
    return found


def open_catalogue(path: Path) -> Catalogue:
    """The catalogue of a built file."""
    return Catalogue(map_archive(path))


def catalogue_of(products: Iterable[tuple[Product, float]], notes: bytes = b"") -> Catalogue:
    """A catalogue in memory, of products with their prices."""
    file = BytesIO()
    write_catalogue(file, products, notes)
    return Catalogue(Archive(file.getvalue(), "products in memory"))


def build_catalogue(path: Path, products: Iterable[tuple[Product, float]], notes: bytes = b"") -> int:
    """Write a catalogue to a file that is whole once it has its name; the number of products.

    Raises:
        UsageError: the file cannot be written, or the products cannot be read.
    """
    with whole_file(path) as partial, partial.open("wb") as file:
        return write_catalogue(file, products, notes)


def write_catalogue(file: BinaryIO, products: Iterable[tuple[Product, float]], notes: bytes = b"") -> int:
    """Write products with their prices, in dollars, and their index; the number of products.

    Args:
        products: in the order of their numbers, each id once.
        notes: further bytes to keep (`Catalogue.notes`).
    """
    from quintet.environments.webshop.search.index import IndexBuilder  # imports numpy

    index, digest, archive = IndexBuilder(), blake2b(digest_size=8), ArchiveWriter(file)
    starts, prices, asins = array("Q", [0]), array("d"), list[bytes]()
    with archive.section("records") as out:
        for product, price in products:
            record = _encode(product)
            out.write(record)
            digest.update(record)
            starts.append(starts[-1] + len(record))
            prices.append(price)
            asins.append(product.asin.encode().ljust(ASIN_BYTES, b"\0"))
            index.add(product)
    digest.update(prices)
    by_asin = sorted(range(len(asins)), key=asins.__getitem__)
    ordered = b"".join(asins[number] for number in by_asin)
    sections: Iterator[tuple[str, bytes | memoryview]] = chain(
        (
            ("record starts", memoryview(starts)),
            ("prices", memoryview(prices)),
            ("asins", ordered),
            ("by asin", memoryview(array("I", by_asin))),
            ("digest", digest.digest()),
            ("notes", notes),
        ),
        index.sections(by_asin),
    )
    for name, content in sections:
        with archive.section(name) as out:
            out.write(content)
    archive.finish()
    return len(prices)
