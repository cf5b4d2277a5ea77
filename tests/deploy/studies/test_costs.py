"""Costs of an episode, and the front."""

from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.reports.intervals import Estimate, Mean
from quintet.reports.load import load_report
from quintet.studies.costs import MethodPoint, method_points, pareto_front
from quintet.studies.panels import CostKind
from tests.deploy.studies.compared import went, write_comparison


def test_costs_are_means_over_tasks_of_the_episodes_that_ended(tmp_path: Path) -> None:
    # By task 1 and 3, 2 and 2, 5; the last one faulted in both epochs.
    write_comparison(tmp_path, {"react": [went(1, 2, 5, 0), went(3, -2, 0, 0)], "standard": []})
    (found,) = method_points(load_report([tmp_path]).runs)
    assert found.success.value == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert found.costs["calls"].value == pytest.approx((2 + 2 + 5) / 3)
    assert found.costs["tokens"].value == pytest.approx(110 * 3)
    expected = pytest.approx((0.0, 3 + 4.303), abs=1e-3)
    assert found.costs["calls"].interval == expected, "Student's, with 2 degrees of freedom, from 0 on"
    assert "USD" not in found.costs, "the model has no price"


def _front(*points: tuple[float, float], by: CostKind = "calls") -> list[tuple[float, float]]:
    found = [
        MethodPoint(cast("Any", number), Estimate(success, 0, 1), {"calls": Mean(cost, None)})
        for number, (success, cost) in enumerate(points)
    ]
    return [(each.success.value, each.costs["calls"].value) for each in pareto_front(found, by)]


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(1, 5)), max_size=8))
def test_a_method_is_on_the_front_if_no_other_is_at_least_as_good_in_both_and_better_in_one(
    points: list[tuple[float, int]],
) -> None:
    expected = [
        point
        for point in points
        if not any(other[0] >= point[0] and other[1] <= point[1] and other != point for other in points)
    ]
    front = _front(*points)
    assert sorted(front) == sorted(expected)
    assert [cost for _, cost in front] == sorted(cost for _, cost in front), "cheapest first"
    assert _front(*points, by="USD") == [], "nothing has a price"
