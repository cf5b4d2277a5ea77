"""Every method of ours keeps the contract of methods."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method import MethodCase, method_cases

CASES = [case for name in METHODS for case in method_cases(name)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case.name} {case}")
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
