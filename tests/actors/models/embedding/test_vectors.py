import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.embedding.vectors import numbers_of, unit_vectors, vectors_as_text, vectors_of_text

_ROWS = st.integers(1, 9).flatmap(
    lambda dimensions: st.lists(st.lists(st.floats(-1e6, 1e6), min_size=dimensions, max_size=dimensions), max_size=5)
)


@given(_ROWS.filter(bool))
def test_vectors_have_length_one_and_survive_as_text(rows: list[list[float]]) -> None:
    vectors = unit_vectors(rows)
    assert vectors_of_text(vectors_as_text(vectors)) == vectors
    for row, vector in zip(rows, vectors, strict=True):
        assert math.hypot(*numbers_of(vector)) == pytest.approx(1.0, abs=1e-5)
        assert len(numbers_of(vector)) == len(row)


def test_a_row_of_zeros_is_the_first_axis() -> None:
    assert list(map(numbers_of, unit_vectors([[0.0, 0.0], [0.0, 3e200]]))) == [(1.0, 0.0), (0.0, 1.0)]


def test_no_vectors_are_an_empty_text() -> None:
    assert (unit_vectors([]), vectors_as_text(()), vectors_of_text("")) == ((), "", ())


@pytest.mark.parametrize("rows", [[[]], [[1.0], [1.0, 2.0]], [[float("nan")]], [[float("inf"), 1.0]]])
def test_what_is_no_table_of_finite_numbers_is_refused(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="expected"):
        unit_vectors(rows)


def test_bytes_that_are_no_whole_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="got 5 bytes"):
        numbers_of(b"00000")


@pytest.mark.parametrize("text", ["AAAA\n-", "A"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        vectors_of_text(text)
