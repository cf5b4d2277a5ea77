"""The nearest vectors are found exactly, whatever the vectors are."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.memory.nearest import NearestIndex, VectorRows, vector_rows
from quintet.models.embedding.vectors import unit_vectors

ALL = 2**62


class Table:
    """Vectors by id, with a count of those fetched."""

    def __init__(self, rows: VectorRows, ids: Sequence[int] | None = None) -> None:
        self.rows = rows
        self.ids = list(range(len(rows)) if ids is None else ids)
        self.places = {id: place for place, id in enumerate(self.ids)}
        self.fetched = 0

    def fetch(self, ids: Sequence[int]) -> VectorRows:
        self.fetched += len(ids)
        return self.rows[[self.places[id] for id in ids]]

    def index(self) -> NearestIndex:
        index = NearestIndex(self.rows, self.fetch)
        index.extend([(self.ids, self.rows)])
        return index

    def exactly(self, vector: VectorRows, count: int) -> list[int]:
        cosines = np.round(self.rows.astype(np.float64) @ vector.astype(np.float64), 6)
        return [self.ids[place] for place in np.lexsort((np.arange(len(self.ids)), -cosines))[:count]]


def unit(rows: object) -> VectorRows:
    return vector_rows(unit_vectors(np.asarray(rows, np.float64).tolist()))


def clustered(size: int, dimensions: int, seed: int = 0) -> VectorRows:
    """Vectors as texts of few kinds have them: near each other in groups."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, dimensions))
    return unit(centres[random.integers(0, 20, size)] + 0.3 * random.normal(size=(size, dimensions)))


@pytest.mark.parametrize("dimensions", [1, 5, 64, 200])
def test_it_finds_what_a_comparison_with_all_finds(dimensions: int) -> None:
    table = Table(clustered(3_000, dimensions))
    index = table.index()
    for vector in clustered(10, dimensions, seed=1):
        assert index.nearest(vector, 20, before=ALL) == table.exactly(vector, 20)


@given(st.integers(1, 60), st.integers(1, 80), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_it_is_exact_for_any_vectors_and_counts(size: int, dimensions: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = unit(random.integers(-2, 3, (size, dimensions)))  # many equal ones, and rows of zeros
    table = Table(rows)
    vector = unit(random.normal(size=(1, dimensions)))[0]
    assert table.index().nearest(vector, count, before=ALL) == table.exactly(vector, count)


def test_few_of_many_vectors_are_compared_in_full() -> None:
    table = Table(clustered(20_000, 200))
    index = table.index()
    table.fetched = 0
    index.nearest(table.rows[7], 20, before=ALL)
    assert table.fetched < 3_000


def test_ids_from_a_limit_on_are_as_if_they_were_not_there() -> None:
    table = Table(clustered(500, 30), ids=[each << 40 for each in range(500)])
    until = Table(table.rows[:200], ids=table.ids[:200])
    index = table.index()
    for vector in clustered(5, 30, seed=2):
        assert index.nearest(vector, 10, before=200 << 40) == until.exactly(vector, 10)
    assert index.nearest(table.rows[0], 10, before=0) == []


def test_vectors_that_come_later_are_found_too() -> None:
    table = Table(clustered(900, 40))
    index = NearestIndex(table.rows[:50], table.fetch)
    assert (len(index), index.nearest(table.rows[0], 5, before=ALL)) == (0, [])
    for start in range(0, 900, 300):
        index.extend([(table.ids[start : start + 300], table.rows[start : start + 300])])
    assert (len(index), index.count(300)) == (900, 300)
    for vector in table.rows[::100]:
        assert index.nearest(vector, 10, before=ALL) == table.exactly(vector, 10)
