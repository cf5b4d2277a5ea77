"""Every method of ours keeps the contract of methods."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method import MethodCase, method_cases

CASES = [case for name in METHODS for case in method_cases(name)]
ALTERNATIVES = method_cases("adapt", ["method.or=parallel"])


@pytest.fixture(params=[*CASES, *ALTERNATIVES], ids=lambda case: " ".join([case.name, str(case), *case.assignments]))
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
