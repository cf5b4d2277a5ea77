"""Every method of ours keeps the contract of methods in the worlds that `test_methods` leaves out, by plain prompts.

These are the worlds that packages bring, and the shell for methods that have no prompts of their own for it.
"""

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from quintet.api import evaluate
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method_case import MethodCase, playable_worlds
from tests.actors.environments.needs import NEEDS
from tests.contracts.test_methods import tried_worlds

TASKS = 2


def cases() -> Iterator[ParameterSet]:
    """Each method in each world that it is not tried in elsewhere."""
    for name in METHODS:
        for world in playable_worlds(MethodCase(name=name, world="").methods):
            if world not in tried_worlds(name):
                case = MethodCase(name=name, world=world, tasks=TASKS)
                yield pytest.param(case, marks=[*NEEDS.get(world, ()), pytest.mark.slow])


@pytest.fixture(params=cases(), ids=lambda case: f"{case.name} {case}")
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case


def test_the_stand_in_plays_two_tasks_or_the_method_is_refused_in_words(case: MethodCase) -> None:
    if obstacle := case.obstacle():
        with pytest.raises(UsageError) as refused:
            prepare(case.settings())
        assert obstacle in str(refused.value)
    else:
        ended = evaluate(case.name, case.world, tasks=TASKS)
        assert len(ended) == TASKS
        assert {end.state for end in ended} <= {"solved", "unsolved"}
