"""Vectors as bytes: float32, little endian, of length one; and many of them as text."""

import math
import struct
from base64 import b64decode, b64encode
from collections.abc import Sequence

_BYTES = 4
"""Of a number."""
_ROUNDED = 1e-3
"""How far the length of a vector may be from one."""


def unit_vectors(rows: Sequence[Sequence[float]]) -> tuple[bytes, ...]:
    """Rows of numbers as vectors of length one. A row of zeros becomes the first axis.

    Args:
        rows: of equally many numbers, at least one.

    Raises:
        ValueError: they are not, or a number is not finite.
    """
    if any(len(row) != len(rows[0]) or not row for row in rows):
        raise ValueError(f"expected rows of equally many numbers, got {sorted({len(row) for row in rows})}")
    return tuple(map(_unit_vector, rows))


def _unit_vector(row: Sequence[float]) -> bytes:
    largest = max(map(abs, row))
    if not all(map(math.isfinite, row)):
        raise ValueError("expected finite numbers, got others")
    if largest == 0:
        return vector_of([1.0, *row[1:]])
    scaled = [number / largest for number in row]  # the squares of large numbers would be infinite
    length = math.sqrt(sum(number * number for number in scaled))
    return vector_of([number / length for number in scaled])


def vector_of(numbers: Sequence[float]) -> bytes:
    """Numbers as a vector, as they are."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def numbers_of(vector: bytes) -> tuple[float, ...]:
    """The numbers of a vector; a `ValueError` if the bytes are no whole numbers."""
    if len(vector) % _BYTES:
        raise ValueError(f"expected numbers of {_BYTES} bytes each, got {len(vector)} bytes")
    return struct.unpack(f"<{len(vector) // _BYTES}f", vector)


def check_vector(vector: bytes) -> None:
    """Raise a `ValueError` if a vector is not of length one: it was not made here."""
    length = math.sqrt(sum(number * number for number in numbers_of(vector)))
    if not abs(length - 1) <= _ROUNDED:  # not a number either
        raise ValueError(f"expected a vector of length one, got one of length {length:g}")


def vectors_as_text(vectors: Sequence[bytes]) -> str:
    """Each vector in base64, on a line of its own."""
    return "\n".join(b64encode(vector).decode() for vector in vectors)


def vectors_of_text(text: str) -> tuple[bytes, ...]:
    """The vectors of such a text; a `ValueError` if a line is no base64."""
    return tuple(b64decode(line, validate=True) for line in text.splitlines())
