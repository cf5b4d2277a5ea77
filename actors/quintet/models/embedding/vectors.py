"""Vectors as bytes: float32, little endian, of length one; and many of them as text."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

_NUMBER = np.dtype("<f4")

Rows: TypeAlias = NDArray[np.float32]
"""[vectors, dimensions]"""


def to_bytes(rows: ArrayLike) -> tuple[bytes, ...]:
    """Rows of numbers as vectors of length one. A row of zeros becomes the first axis.

    Args:
        rows: [vectors, dimensions], of at least one dimension.

    Raises:
        ValueError: it is no such table, or a number is not finite.
    """
    table: NDArray[Any] = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] == 0:
        raise ValueError(f"expected rows of at least one number, got the shape {table.shape}")
    if not np.isfinite(table).all():
        raise ValueError("expected finite numbers, got others")
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    table = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    table[lengths[:, 0] == 0, 0] = 1.0
    return tuple(row.tobytes() for row in table.astype(_NUMBER))


def from_bytes(vectors: Sequence[bytes]) -> Rows:
    """Vectors as rows: [vectors, dimensions].

    Raises:
        ValueError: they are not all of as many numbers.
    """
    if len({len(vector) for vector in vectors}) > 1:
        raise ValueError("expected vectors of as many numbers each, got others")
    numbers = np.frombuffer(b"".join(vectors), dtype=_NUMBER).astype(np.float32, copy=False)
    return numbers.reshape(len(vectors), -1) if vectors else numbers.reshape(0, 0)


def to_text(vectors: Sequence[bytes]) -> str:
    """Vectors as a text: each in base64, on a line of its own."""
    return "\n".join(b64encode(vector).decode() for vector in vectors)


def from_text(text: str) -> tuple[bytes, ...]:
    """The vectors of such a text.

    Raises:
        ValueError: a line is no base64.
    """
    return tuple(b64decode(line, validate=True) for line in text.splitlines())
