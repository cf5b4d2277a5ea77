import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.embedding.vectors import from_bytes, from_text, to_bytes, to_text

_ROWS = st.integers(1, 9).flatmap(
    lambda dimensions: st.lists(st.lists(st.floats(-1e6, 1e6), min_size=dimensions, max_size=dimensions), max_size=5)
)


@given(_ROWS.filter(bool))
def test_vectors_have_length_one_and_survive_as_text(rows: list[list[float]]) -> None:
    vectors = to_bytes(rows)
    assert from_text(to_text(vectors)) == vectors
    assert [math.isclose(length, 1.0, abs_tol=1e-5) for length in np.linalg.norm(from_bytes(vectors), axis=1)] == [
        True for _ in rows
    ]


def test_a_row_of_zeros_is_the_first_axis() -> None:
    assert from_bytes(to_bytes([[0.0, 0.0], [0.0, 3.0]])).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_no_vectors_are_an_empty_text() -> None:
    assert (to_text(()), from_text(""), from_bytes(()).shape) == ("", (), (0, 0))


@pytest.mark.parametrize("rows", [[], [[]], [1.0], [[float("nan")]], [[float("inf"), 1.0]]])
def test_what_is_no_table_of_finite_numbers_is_refused(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="expected"):
        to_bytes(rows)


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="as many numbers"):
        from_bytes([b"0000", b"00000000"])


@pytest.mark.parametrize("text", ["AAAA\n-", "A"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        from_text(text)
