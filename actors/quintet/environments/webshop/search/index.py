"""The inverted index and its builder: which products hold a term, and the best of them by BM25 as Lucene has it."""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy import float32, float64, uint8, uint16, uint32, uint64
from numpy.typing import NDArray

from quintet.environments.webshop.catalogue.archive import Archive
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.search.analysis import analyze

_K1: Final = 0.9
_B: Final = 0.4
MAX_COUNT: Final = 255
"""A term that occurs more often in a product counts as that often."""
_EXACT: Final = 24
"""Lengths below this are kept as they are; the rest of a larger one is kept with four significant bits."""


@cache
def lengths() -> NDArray[float64]:
    """The length that each byte stands for.

    Source: Lucene's SmallFloat.byte4ToInt.
    """
    return np.array([float(_length(code)) for code in range(256)])


def _length(code: int) -> int:
    if code < _EXACT:
        return code
    bits, shift = (code - _EXACT) & 7, (code - _EXACT) >> 3
    return _EXACT + (bits if shift == 0 else (bits | 8) << (shift - 1))


def encode_lengths(counts: NDArray[float64]) -> NDArray[uint8]:
    """The byte of the greatest length that is not above each count of terms."""
    return (np.searchsorted(lengths(), counts, side="right") - 1).astype(uint8)


def encode_postings(counts: NDArray[uint8], lengths_held: NDArray[uint8]) -> NDArray[uint16]:
    """How often products hold a term, in the high byte, and the bytes of their lengths, in the low one."""
    return counts.astype(uint16) * uint16(256) + lengths_held


def weight(products: int, holders: int) -> float:
    """The weight of a term: the logarithm of its rarity, above 0."""
    return math.log(1 + (products - holders + 0.5) / (holders + 0.5))


def term_shares(mean_length: float) -> NDArray[float32]:
    """The share of its weight, below 1, that a term adds, by the code of a posting (see `encode_postings`)."""
    counts = np.arange(MAX_COUNT + 1, dtype=float64)[:, None]
    norms = _K1 * (1 - _B + _B * lengths() / mean_length)
    return (counts / (counts + norms)).astype(float32).ravel()


_POSTING = 6
"""Bytes that say that a product holds a term."""
_LOOK_UP = 8
"""Postings that are read in the time in which one product is looked up in a list of them."""
_HALFWAY = 0.7
"""Share of a query's bounds below which what is left of them may be less than the best have."""
_SHORT = 20_000
"""Postings that are read in the time in which a threshold is found that spares them."""
_MARGIN = 1 - 1e-5
"""For rounding: scores are kept in single precision until the last products are ranked."""


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of a query."""

    products: NDArray[uint32]
    """Those that hold it, ascending."""
    codes: NDArray[uint16]
    """How often each holds it, and its length (see `encode_postings`)."""
    weight: float
    bound: float
    """No product gets more from it."""


class InvertedIndex:
    """Finds products by BM25.

    A query's rare terms are looked up first; as soon as the others cannot bring a further product among the best, they
    are looked up for the products found so far alone (the MaxScore method).

    Source: Lucene's BM25Similarity with Anserini's k1 and b; products of the same score come in the order of their ids,
    as Anserini sorts them. Turtle and Flood (1995) for MaxScore.
    """

    def __init__(self, archive: Archive) -> None:
        sections = archive.sections
        self._archive = archive
        self._terms = sections["terms"]
        self._term_starts = sections["term starts"].cast("Q")
        self._starts = sections["posting starts"].cast("Q")
        self._most = sections["greatest shares"].cast("f")
        self._products = np.frombuffer(sections["posting products"], uint32)
        self._codes = np.frombuffer(sections["posting codes"], uint16)
        self._ranks = np.frombuffer(sections["ranks"], uint32)
        mean_length, filled = sections["statistics"].cast("d")
        self._shares = term_shares(mean_length)
        self._filled = int(filled)
        """Products with words, which alone count for a term's rarity, as in Lucene."""

    def search(self, query: str, most: int) -> tuple[int, ...]:
        """The best products by number, the best first; none if no term of the query is known.

        Args:
            query: words; nothing in it is an operator.
        """
        found = (self._look_up(term, times) for term, times in sorted(Counter(analyze(query)).items()))
        terms = sorted((term for term in found if term is not None), key=lambda term: -term.bound)
        return self._best(terms, most) if terms else ()

    def _look_up(self, term: str, times: int) -> _Term | None:
        key, place = term.encode(), 0
        place = bisect_left(range(len(self._most)), key, key=self._term_at)
        if place == len(self._most) or self._term_at(place) != key:
            return None
        held = slice(self._starts[place], self._starts[place + 1])
        weighs = times * weight(self._filled, held.stop - held.start)
        return _Term(self._products[held], self._codes[held], weighs, weighs * self._most[place])

    def _term_at(self, place: int) -> bytes:
        return bytes(self._terms[self._term_starts[place] : self._term_starts[place + 1]])

    def _best(self, terms: Sequence[_Term], most: int) -> tuple[int, ...]:
        candidates, scores, used = self._candidates(terms, most)
        left = sum(term.bound for term in terms[used:])
        for term in terms[used:]:
            enough = scores + left >= _nth(scores, most) * _MARGIN
            candidates, scores = candidates[enough], scores[enough]
            scores += self._scores(term, candidates)
            left -= term.bound
        candidates = candidates[scores >= _nth(scores, most) * _MARGIN]
        exact = self._exact(terms, candidates).astype(float32)
        ranked = np.lexsort((self._ranks[candidates], -exact))[:most]
        return tuple(candidates[ranked].tolist())

    def _candidates(self, terms: Sequence[_Term], most: int) -> tuple[NDArray[uint32], NDArray[float32], int]:
        """Every product that may be among the best, ascending, its score by the first terms, and how many those are."""
        scores = np.zeros(len(self._ranks), dtype=float32)
        total = left = sum(term.bound for term in terms)
        threshold, postings = 0.0, sum(len(term.products) for term in terms)
        for used, term in enumerate(terms):
            if left < threshold * _MARGIN:
                possible = scores > threshold * _MARGIN - left
                if _LOOK_UP * np.count_nonzero(possible) < len(term.products):
                    found = np.flatnonzero(possible).astype(uint32)
                    return found, scores[found], used
            # Several times as fast as `scores[term.products] += ...`.
            np.add.at(scores, term.products.astype(np.intp), float32(term.weight) * self._shares.take(term.codes))
            self._archive.count(_POSTING * len(term.products))
            left -= term.bound
            postings -= len(term.products)
            if postings > _SHORT and left < _HALFWAY * total:
                threshold = max(threshold, self._reached(terms, term.products, scores, most))
        found = np.flatnonzero(scores > max(threshold * _MARGIN - left, 0.0)).astype(uint32)
        return found, scores[found], len(terms)

    def _reached(self, terms: Sequence[_Term], products: NDArray[uint32], scores: NDArray[float32], most: int) -> float:
        """A score that enough products reach: those of some products that are the best so far."""
        if len(products) < most:
            return 0.0
        best = products[np.argpartition(scores[products], -most)[-most:]]
        return float(self._exact(terms, best).min())

    def _exact(self, terms: Sequence[_Term], products: NDArray[uint32]) -> NDArray[float64]:
        scores = np.zeros(len(products))
        for term in terms:
            scores += self._scores(term, products)
        return scores

    def _scores(self, term: _Term, products: NDArray[uint32]) -> NDArray[float64]:
        places = np.minimum(np.searchsorted(term.products, products), len(term.products) - 1)
        share = self._shares[term.codes[places]]
        return np.where(term.products[places] == products, term.weight * share.astype(float64), 0.0)


def _nth(scores: NDArray[np.floating[Any]], most: int) -> float:
    """The score of the last of the best; 0 if there are fewer."""
    return float(np.partition(scores, -most)[-most]) if len(scores) >= most else 0.0


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
