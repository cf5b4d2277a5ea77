"""What the simulated model's levels of skill make of the methods, on all 200 goals of the paper's test."""

from collections.abc import Mapping
from functools import cache
from statistics import mean
from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap

from actors.catalogue import world
from deploy.embedding import evaluate
from protocols.events import EpisodeEnded

pytestmark = pytest.mark.xdist_group("recipes")
"""One process runs each evaluation once for all tests."""


@cache
def ends(method: str, model: str, **config: Any) -> Mapping[str, EpisodeEnded]:
    settings = {"method": config}
    found = evaluate(method, "textcraft", model=model, settings=settings)
    assert {end.state for end in found} <= {"solved", "unsolved"}
    return {end.path.split("/")[0]: end for end in found}


@cache
def depths() -> Mapping[str, str]:
    textcraft = world("textcraft")
    return {goal: textcraft.facts(goal)["recipe depth"] for goal in textcraft.tasks("test")}


def success(found: Mapping[str, EpisodeEnded], depth: str | None = None) -> float:
    return mean(end.reward >= 1 for goal, end in found.items() if depth in (None, depths()[goal]))


@pytest.mark.parametrize("depth", ["2", "3"])
def test_adapt_beats_react_on_the_weak_executor_by_twenty_points(depth: str) -> None:
    adapt, react = ends("adapt", "sim-weak"), ends("react", "sim-weak")
    goals = [goal for goal in adapt if depths()[goal] == depth]
    pairs = [adapt[goal].reward - react[goal].reward for goal in goals]
    interval = bootstrap((pairs,), np.mean, rng=0, n_resamples=2000).confidence_interval
    assert mean(pairs) >= 0.2
    assert interval.low > 0


def test_success_rises_with_the_levels_of_recursion() -> None:
    rates = [success(ends("adapt", "sim-weak", max_depth=levels)) for levels in (1, 2, 3, 4)]
    assert rates == sorted(set(rates))


def test_the_levels_needed_rise_with_the_recipes_depth() -> None:
    found = ends("adapt", "sim-weak")
    needed = [
        mean(end.depth for goal, end in found.items() if depths()[goal] == depth and end.reward >= 1)
        for depth in ("2", "3", "4")
    ]
    assert needed == sorted(set(needed))


def test_without_recursion_adapt_is_react_at_the_same_budget() -> None:
    adapt = ends("adapt", "sim-weak", max_depth=1)
    react = ends("react", "sim-weak", max_steps=20)
    assert abs(success(adapt) - success(react)) <= 0.03


def test_at_the_top_level_react_solves_what_adapt_solves() -> None:
    adapt, react = ends("adapt", "sim-strong"), ends("react", "sim-strong")
    solved = {goal for goal, end in adapt.items() if end.reward >= 1}
    assert solved
    assert {goal for goal, end in react.items() if end.reward >= 1} >= solved
