"""A scenario of each kind that is dear: on Ray, in a browser, and in surroundings that are not as they should be."""

import pytest

from tests.soak import cluster, surroundings, web
from tests.soak.scenario import Kind

_RAY, _RAYLET = cluster.KINDS


def _held(kind: Kind, seed: int) -> None:
    if why := kind.missing():
        pytest.skip(why)
    assert kind.check(seed).broken == ()


@pytest.mark.slow
@pytest.mark.real_time
@pytest.mark.parametrize("seed", range(5))
def test_a_run_in_odd_surroundings_is_as_undisturbed(seed: int) -> None:
    _held(surroundings.KIND, seed)


@pytest.mark.slow
@pytest.mark.real_time
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
# Ray leaves processes that it started to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", [_RAY, _RAYLET], ids=lambda kind: kind.name)
def test_a_run_on_ray_whose_parts_are_killed_is_as_undisturbed(kind: Kind) -> None:
    _held(kind, 0)


@pytest.mark.slow
@pytest.mark.real_time
@pytest.mark.web
def test_a_run_whose_browser_is_killed_is_as_undisturbed() -> None:
    _held(web.KIND, 0)
