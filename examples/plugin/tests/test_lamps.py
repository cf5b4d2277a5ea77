"""The environment keeps its contract."""

import pytest

from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.environment_copies import *  # noqa: F403


@pytest.fixture(params=environment_cases("lamps", {"longest": 4}), ids=str)
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    case: EnvironmentCase = request.param
    return case
