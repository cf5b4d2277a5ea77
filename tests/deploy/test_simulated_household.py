"""What the simulated model's levels of skill make of the methods, on the unseen games of the household generator."""

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

KINDS = ("pick", "look", "clean", "heat", "cool", "pick two")


pytestmark = pytest.mark.xdist_group("households")
"""One process runs each evaluation once for all tests."""


@cache
def ends(method: str, model: str, **config: Any) -> Mapping[str, EpisodeEnded]:
    found = evaluate(method, "alfworld", model=model, settings={"method": config})
    assert {end.state for end in found} <= {"solved", "unsolved"}
    return {end.path.split("/")[0]: end for end in found}


@cache
def kinds() -> Mapping[str, str]:
    alfworld = world("alfworld")
    return {task: alfworld.facts(task)["task type"] for task in alfworld.tasks("valid_unseen")}


def gains(kind: str | None = None) -> list[float]:
    """By how much ADaPT is better than ReAct on the weak executor, task by task."""
    adapt, react = ends("adapt", "sim-weak"), ends("react", "sim-weak")
    return [adapt[task].reward - react[task].reward for task in adapt if kind in (None, kinds()[task])]


@pytest.mark.parametrize("kind", KINDS)
def test_adapt_beats_react_on_the_weak_executor_on_every_type_of_task(kind: str) -> None:
    assert mean(gains(kind)) > 0


def test_adapt_beats_react_on_the_weak_executor_by_twenty_points_in_all() -> None:
    interval = bootstrap((gains(),), np.mean, rng=0, n_resamples=2000).confidence_interval
    assert mean(gains()) >= 0.2
    assert interval.low > 0.1


def test_success_rises_with_the_levels_of_recursion() -> None:
    rates = [mean(end.reward for end in ends("adapt", "sim-weak", max_depth=levels).values()) for levels in (1, 2, 3)]
    assert rates == sorted(set(rates))


@pytest.mark.parametrize("method", ["react", "adapt"])
def test_at_the_top_level_either_method_does_every_task(method: str) -> None:
    assert all(end.reward >= 1 for end in ends(method, "sim-strong").values())
