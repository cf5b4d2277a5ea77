"""Whether the package is there that the world is made of, and a session of one of its conversations."""

from importlib.util import find_spec

import pytest

from quintet.environments.bfcl.session import BfclState
from quintet.environments.bfcl.world import Bfcl
from quintet.messages.environment import Task

needs_package = pytest.mark.skipif(
    not all(map(find_spec, ("bfcl_eval", "mpmath"))), reason="needs bfcl-eval: `make test-worlds`"
)


def opened(name: str) -> BfclState:
    """The conversation of that name as it begins."""
    return Bfcl().open(Task(name=name, seed=0))
