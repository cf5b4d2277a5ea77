"""BFCL keeps the contract of environments: where a tool comes later, and with a long context."""

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.bfcl.installed import needs_package, opened

pytestmark = needs_package

_MALFORMED = (
    "reply",
    "reply(",
    "cd(folder='a') and more",
    "fly(to='moon')",
    "_load_scenario({})",
    "cd(folder=ls())",
    "mkdir(dir_name=" + "[" * 5_000 + "]" * 5_000 + ")",
    "mkdir(dir_name=" + "9" * 10_000 + ")",
)


@pytest.fixture(params=["multi_turn_miss_func_0", "multi_turn_long_context_150"])
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    name = str(request.param)
    way = opened(name).expert() or ()
    return EnvironmentCase(
        NamedPlugIn("bfcl"), Task(name=name, seed=0), way, solves=True, own_malformed_actions=_MALFORMED
    )
