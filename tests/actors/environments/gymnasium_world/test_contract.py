"""A Gymnasium environment keeps the contract of environments."""

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.gymnasium_world import envs

_VAULT = EnvironmentCase(
    NamedPlugIn("gym", {"id": envs.VAULT, "make": {"highest": 1}}), Task(name="seed-3", seed=0), ("1",), solves=True
)


@pytest.fixture
def case() -> EnvironmentCase:
    return _VAULT
