"""ScienceWorld keeps the contract of environments: in a task of few steps, and in one of several rooms."""

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.scienceworld.installed import SHORT, needs_simulator, opened

pytestmark = needs_simulator

_MALFORMED = ("dance", "go to moon", "connect", "use thermometer on", "0", "focus on on")


@pytest.fixture(params=[SHORT, pytest.param("find-non-living-thing-225", marks=pytest.mark.slow)])
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    name = str(request.param)
    way = opened(name).expert() or ()
    return EnvironmentCase(
        NamedPlugIn("scienceworld"), Task(name=name, seed=0), way, solves=True, own_malformed_actions=_MALFORMED
    )
