"""Which versions are measured; AutoPlan's and LDM2's tests say when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.methods.base.versions import VersionOptions


@pytest.mark.parametrize(
    ("every", "last", "measured"), [(1, 2, {0, 1, 2}), (2, 3, {0, 2, 3}), (5, 3, {0, 3}), (0, 3, {3}), (1, 0, {0})]
)
def test_every_so_many_versions_are_measured_and_the_last(every: int, last: int, measured: set[int]) -> None:
    assert VersionOptions(eval_every=every).always_measured(last) == measured
    assert VersionOptions(eval_every=every, select="best").always_measured(last) == measured - {last} | {
        version for version in {last} if every and last % every == 0
    }


@given(every=st.integers(0, 4), last=st.integers(0, 6), held_out=st.integers(0, 3), test=st.integers(0, 3))
def test_choosing_costs_the_held_out_tasks_of_every_version_and_at_most_one_measure_more(
    every: int, last: int, held_out: int, test: int
) -> None:
    measured = len(VersionOptions(eval_every=every, select="best").always_measured(last))
    chosen = VersionOptions(eval_every=every, select="best").episodes(last, held_out, test)
    assert chosen - held_out * (last + 1) in (test * measured, test * (measured + 1))
    assert VersionOptions(eval_every=every).episodes(last, held_out, test) <= test * (last + 1)
