"""The inverted index: which products hold a term, and the best of them for a query."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32, float64, uint16, uint32
from numpy.typing import NDArray

from quintet.environments.webshop.catalogue.archive import Archive
from quintet.environments.webshop.search.analysis import analyze
from quintet.environments.webshop.search.scoring import term_shares, weight

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
        """The scores of products."""
        scores = np.zeros(len(products))
        for term in terms:
            scores += self._scores(term, products)
        return scores

    def _scores(self, term: _Term, products: NDArray[uint32]) -> NDArray[float64]:
        """What products get from a term."""
        places = np.minimum(np.searchsorted(term.products, products), len(term.products) - 1)
        share = self._shares[term.codes[places]]
        return np.where(term.products[places] == products, term.weight * share.astype(float64), 0.0)


def _nth(scores: NDArray[np.floating[Any]], most: int) -> float:
    """The score of the last of the best; 0 if there are fewer."""
    return float(np.partition(scores, -most)[-most]) if len(scores) >= most else 0.0
