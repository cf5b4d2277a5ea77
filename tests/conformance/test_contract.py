"""A world on the official engine keeps the contract of environments too."""

from importlib.util import find_spec

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.games.game import to_bytes
from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.conformance.games import ours
from tests.conformance.strange import strange

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(find_spec("alfworld") is None, reason="the extra `alfworld` is not installed"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> EnvironmentCase:
    """A small household in a folder of two, played by the official engine."""
    folder = tmp_path_factory.mktemp("games")
    problems = strange(7), strange(8)
    for problem in problems:
        game = replace(ours("new").game(problem), walkthrough=problem.walkthrough)
        (folder / f"{problem.name}.tw-pddl").write_bytes(to_bytes(game))
    plug_in = NamedPlugIn("alfworld", {"data": str(folder), "engine": "textworld"})
    return EnvironmentCase(plug_in, Task(name=problems[0].name, seed=1), problems[0].walkthrough, solves=True)
