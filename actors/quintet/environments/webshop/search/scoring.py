"""BM25 as Lucene computes it: lengths of one byte, and a term's share of its weight."""

import math
from functools import cache
from typing import Final

import numpy as np
from numpy import float32, float64, uint8, uint16
from numpy.typing import NDArray

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
