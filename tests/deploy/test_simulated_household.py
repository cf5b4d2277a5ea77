"""The simulated levels, checked through the whole system on unseen games of the household generator.

How well a method does on a level that errs or forgets is measured, not required, so no test says so.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.events import EpisodeEnded

pytestmark = pytest.mark.xdist_group("households")
"""One process runs each evaluation once for all tests."""

TASKS = 18


def ends(method: str, model: str, error_rate: float | None = None, **config: Any) -> Mapping[str, EpisodeEnded]:
    options = {} if error_rate is None else {"error_rate": error_rate}
    found = evaluate(method, "alfworld", model=model, tasks=TASKS, settings={"method": config, "model": options})
    assert {end.state for end in found} <= {"solved", "unsolved"}
    return {end.path: end for end in found}


@cache
def strong(method: str) -> Mapping[str, EpisodeEnded]:
    return ends(method, "sim-strong")


@pytest.mark.parametrize("method", ["react", "adapt", "autoplan"])
def test_fallible_at_rate_0_does_what_strong_does(method: str) -> None:
    assert ends(method, "sim-fallible", 0.0) == strong(method)


@pytest.mark.parametrize("method", ["react", "adapt"])
def test_strong_does_every_task(method: str) -> None:
    assert {end.reward for end in strong(method).values()} == {1.0}
