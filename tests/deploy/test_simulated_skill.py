"""The simulated levels, checked through the whole system on TextCraft goals of the paper's test.

How well a method does on a level that errs or forgets is measured, not required, so no test says so.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.events import EpisodeEnded

pytestmark = pytest.mark.xdist_group("recipes")
"""One process runs each evaluation once for all tests."""

TASKS = 16

METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "react": ("react", {}),
    "adapt": ("adapt", {}),
    "adapt-nothing": ("adapt", {"hand_on": "nothing"}),
    "autoplan": ("autoplan", {"max_steps": 60}),
}


def ends(method: str, model: str, error_rate: float | None = None, **config: Any) -> Mapping[str, EpisodeEnded]:
    name, settings = METHODS.get(method, (method, {}))
    options = {} if error_rate is None else {"error_rate": error_rate}
    found = evaluate(
        name, "textcraft", model=model, tasks=TASKS, settings={"method": {**settings, **config}, "model": options}
    )
    assert {end.state for end in found} <= {"solved", "unsolved"}
    return {end.path: end for end in found}


@cache
def strong(method: str) -> Mapping[str, EpisodeEnded]:
    return ends(method, "sim-strong")


@pytest.mark.parametrize(
    "method",
    ["react", "adapt", *(pytest.param(each, marks=pytest.mark.slow) for each in ("adapt-nothing", "autoplan"))],
)
def test_fallible_at_rate_0_does_what_strong_does(method: str) -> None:
    assert ends(method, "sim-fallible", 0.0) == strong(method)


@pytest.mark.parametrize("method", ["react", "autoplan"])
def test_strong_reaches_every_goal_in_one_conversation(method: str) -> None:
    assert {end.reward for end in strong(method).values()} == {1.0}


def test_the_same_run_again_errs_alike() -> None:
    first = ends("adapt", "sim-fallible")
    assert ends("adapt", "sim-fallible") == first
    assert {end.reward for end in first.values()} == {0.0, 1.0}
