"""A handful of real deaths, by number and not by what they find; `make soak` plays thousands."""

import pytest

from tests.soak.process import KIND, check
from tests.soak.process.draw import draw

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.skipif(bool(KIND.missing()), reason=KIND.missing()),
]

SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 24))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_whose_processes_die_ends_as_an_undisturbed_one(seed: int) -> None:
    found = check(seed)
    assert found.broken == ()
    assert found.repeated == 0
    assert found.drawn == draw(seed).aspects


def test_a_scenario_is_drawn_from_its_seed_alone() -> None:
    assert [draw(seed) for seed in range(50)] == [draw(seed) for seed in range(50)]
    drawn = [draw(seed) for seed in range(500)]
    assert len({each.configuration.method for each in drawn}) > 20
    assert {each.configuration.world for each in drawn} == {"textcraft", "alfworld", "hotpotqa", "webshop"}
    moments = {life.death.moment for each in drawn for life in each.lives if life.death is not None}
    assert moments == {"before", "inside", "after", "between"}
