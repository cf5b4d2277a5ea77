"""Every method of ours keeps the contract of methods."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method import MethodCase, method_cases

SETTINGS = {
    ("plan_execute", "alfworld"): ("method.plan_form=collapsed",),
    ("reflexion", "textcraft"): ("method.reflections=swapped", 'method.other_tasks=["cake", "clock", "loom"]'),
}
"""Options that lead down other branches of a method, by method and world."""

CASES = [
    *(case for name in METHODS for case in method_cases(name)),
    *(MethodCase(name=name, world=world, assignments=given) for (name, world), given in SETTINGS.items()),
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case.name} {case} {' '.join(case.assignments)}")
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
