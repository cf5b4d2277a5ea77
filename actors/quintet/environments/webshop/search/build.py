"""Builds the inverted index."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy import float64, uint8, uint32, uint64
from numpy.typing import NDArray

from quintet.environments.webshop.products import Product
from quintet.environments.webshop.search.analysis import analyze
from quintet.environments.webshop.search.index import MAX_COUNT, encode_lengths, encode_postings, term_shares


def searchable_text(product: Product) -> str:
    """The text that products are found by.

    Source: the released code: title, description, first feature, and options, in lower case.
    """
    options = ", and ".join(f"{name}: {', '.join(values)}" for name, values in product.options.items())
    return " ".join((product.title, product.description, *product.bullets[:1], options)).lower()


class IndexBuilder:
    """Takes products one after the other, and gives the index as sections of the catalogue's file."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """By term, in the order in which they were met."""
        self._terms = array("I")
        self._counts = array("B")
        self._sizes = array("I")
        """By product, how many terms it holds, each counted once."""
        self._lengths = array("I")

    def add(self, product: Product) -> None:
        counted = Counter(analyze(searchable_text(product)))
        numbers = self._numbers
        self._terms.extend([numbers.setdefault(term, len(numbers)) for term in counted])
        self._counts.extend([min(count, MAX_COUNT) for count in counted.values()])
        self._sizes.append(len(counted))
        self._lengths.append(counted.total())

    def sections(self, by_asin: Sequence[int]) -> Iterator[tuple[str, bytes | memoryview]]:
        """The sections by name.

        Args:
            by_asin: the products' numbers, counted from 0 as they were added, in the order of their ids.
        """
        names = sorted(self._numbers)
        yield "terms", "".join(names).encode()
        yield "term starts", _starts(np.array([len(name.encode()) for name in names], dtype=uint64)).data
        places = np.empty(len(names), dtype=uint32)
        places[[self._numbers[name] for name in names]] = np.arange(len(names), dtype=uint32)

        terms = places[np.frombuffer(self._terms, uint32)]
        order = np.argsort(terms, kind="stable")
        starts = _starts(np.bincount(terms, minlength=len(names)))
        yield "posting starts", starts.data
        sizes = np.frombuffer(self._sizes, uint32)
        products = np.repeat(np.arange(len(sizes), dtype=uint32), sizes)[order]
        yield "posting products", products.data

        lengths = np.frombuffer(self._lengths, uint32).astype(float64)
        filled = lengths[lengths > 0]
        mean = float(filled.mean()) if len(filled) else 1.0
        yield "statistics", np.array([mean, float(len(filled))]).data
        codes = encode_postings(np.frombuffer(self._counts, uint8)[order], encode_lengths(lengths)[products])
        yield "posting codes", codes.data
        shares = term_shares(mean)[codes]
        greatest = np.maximum.reduceat(shares, starts[:-1].astype(np.intp)) if len(shares) else shares
        yield "greatest shares", greatest.data
        ranks = np.empty(len(by_asin), dtype=uint32)
        ranks[np.array(by_asin, dtype=np.intp)] = np.arange(len(by_asin), dtype=uint32)
        yield "ranks", ranks.data


def _starts(sizes: NDArray[np.generic]) -> NDArray[uint64]:
    """Where each of some consecutive runs starts, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=uint64), np.cumsum(sizes, dtype=uint64)])
