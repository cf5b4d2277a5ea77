"""The inverted index: which products hold a term, and the best of them for a query."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import float32, float64, uint8, uint32
from numpy.typing import NDArray

from quintet.environments.webshop.search.analysis import analyze
from quintet.environments.webshop.search.scoring import term_shares, weight


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of a query."""

    products: NDArray[uint32]
    """Those that hold it, ascending."""
    counts: NDArray[uint8]
    """How often each holds it."""
    weight: float
    bound: float
    """No product gets more from it."""


class InvertedIndex:
    """Finds products by BM25.

    A query's rare terms are looked up first; as soon as the others cannot bring a further product among the best, they
    are looked up for the products found so far alone (the MaxScore method).

    Args:
        sections: of the catalogue's file, as `build_index` writes them.

    Source: Lucene's BM25Similarity with Anserini's k1 and b; products of the same score come in the order of their ids,
    as Anserini sorts them. Turtle and Flood (1995) for MaxScore.
    """

    def __init__(self, sections: Mapping[str, memoryview]) -> None:
        self._terms = sections["terms"]
        self._term_starts = sections["term starts"].cast("Q")
        self._starts = sections["posting starts"].cast("Q")
        self._most = sections["greatest shares"].cast("f")
        self._products = np.frombuffer(sections["posting products"], uint32)
        self._counts = np.frombuffer(sections["posting counts"], uint8)
        self._lengths = np.frombuffer(sections["lengths"], uint8)
        self._ranks = np.frombuffer(sections["ranks"], uint32)
        self._shares = term_shares(sections["mean length"].cast("d")[0])

    def search(self, query: str, most: int) -> tuple[int, ...]:
        """The best products by number, the best first; none if no term of the query is known.

        Args:
            query: words; nothing in it is an operator.
            most: how many to find.
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
        weighs = times * weight(len(self._lengths), held.stop - held.start)
        return _Term(self._products[held], self._counts[held], weighs, weighs * self._most[place])

    def _term_at(self, place: int) -> bytes:
        return bytes(self._terms[self._term_starts[place] : self._term_starts[place + 1]])

    def _best(self, terms: Sequence[_Term], most: int) -> tuple[int, ...]:
        candidates, scores, used = self._candidates(terms, most)
        left = sum(term.bound for term in terms[used:])
        for term in terms[used:]:
            enough = scores + left >= _nth(scores, most)
            candidates, scores = candidates[enough], scores[enough]
            left -= term.bound
            places = np.minimum(np.searchsorted(term.products, candidates), len(term.products) - 1)
            holds = term.products[places] == candidates
            scores[holds] += self._scores(term, places[holds])
        ranked = np.lexsort((self._ranks[candidates], -scores.astype(float32)))[:most]
        return tuple(candidates[ranked].tolist())

    def _candidates(self, terms: Sequence[_Term], most: int) -> tuple[NDArray[uint32], NDArray[float64], int]:
        """Every product that may be among the best, ascending, its score by the first terms, and how many those are."""
        scores = np.zeros(len(self._lengths))
        left, threshold, used = sum(term.bound for term in terms), 0.0, 0
        while used < len(terms) and left >= threshold:
            term = terms[used]
            scores[term.products] += self._scores(term, slice(None))
            threshold = max(threshold, _nth(scores[term.products], most))
            left -= term.bound
            used += 1
        held = np.unique(np.concatenate([term.products for term in terms[:used]]))
        return held, scores[held], used

    def _scores(self, term: _Term, places: slice | NDArray[np.intp]) -> NDArray[float64]:
        share = self._shares[term.counts[places], self._lengths[term.products[places]]]
        return term.weight * share.astype(float64)


def _nth(scores: NDArray[float64], most: int) -> float:
    """The score of the last of the best; 0 if there are fewer."""
    return float(np.partition(scores, -most)[-most]) if len(scores) >= most else 0.0
