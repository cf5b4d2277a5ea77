"""Where a method is tried."""

from quintet.methods.random.random import Random
from quintet.testing.method_case import method_cases
from tests.actors.fakes import Kitchen


def test_a_method_is_tried_in_the_environment_that_is_given() -> None:
    (case,) = method_cases(Random, environment=Kitchen)
    assert (case.world, case.obstacle()) == ("kitchen", "")
    assert case.spec().world.name == "kitchen"
