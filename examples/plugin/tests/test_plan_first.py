"""The method keeps its contract in every world that it has prompts for."""

import pytest

from quintet.testing.method import *  # noqa: F403
from quintet.testing.method_case import MethodCase, method_cases


@pytest.fixture(params=method_cases("plan-first"), ids=str)
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
