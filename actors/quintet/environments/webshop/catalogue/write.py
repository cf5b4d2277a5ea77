"""Writes a catalogue: products, prices and index, to a file or to memory."""

from array import array
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from quintet.environments.webshop.catalogue.archive import Archive, ArchiveWriter
from quintet.environments.webshop.catalogue.catalogue import ASIN_BYTES, Catalogue
from quintet.environments.webshop.products import Product
from quintet.environments.whole_file import whole_file

_encode = msgspec.msgpack.Encoder().encode


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
    from quintet.environments.webshop.search.build import IndexBuilder  # imports numpy

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
