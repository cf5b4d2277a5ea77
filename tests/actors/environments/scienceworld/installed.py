"""Whether the simulator is there that the world is made of, and a session of one of its tasks."""

import shutil
from importlib.util import find_spec

import pytest

from quintet.environments.scienceworld.session import ScienceState
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.messages.environment import Task

needs_simulator = pytest.mark.skipif(
    not all(map(find_spec, ("scienceworld", "py4j"))) or shutil.which("java") is None,
    reason="needs scienceworld and Java: `make test-worlds`",
)

SHORT = "lifespan-longest-lived-94"
"""A task that three actions solve."""


def opened(name: str = SHORT) -> ScienceState:
    """The task of that name as it begins."""
    return ScienceWorld().open(Task(name=name, seed=0))
