"""TextWorld from the registry, worded as in its story, keeps the contract of environments and copies itself."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from quintet.environments.gymnasium_world.state import GymnasiumState
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(find_spec("textworld") is None, reason="textworld is not installed"),
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Game .* is not fully supported"),  # of Jericho, which knows published games
]

STORY = (Path(__file__).parents[2] / "docs" / "stories" / "textworld.md").read_text()
WALK = ("go east", "close portal")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> EnvironmentCase:
    """A generated house."""
    found = re.search(r"```python\n(.*?)```", STORY, re.DOTALL)
    assert found is not None
    file = tmp_path_factory.mktemp("textworld") / "house.py"
    file.write_text(found[1])
    (only,) = environment_cases(f"{file}:HOUSE", task="seed-1", actions=WALK)
    return only


def test_it_is_copied_by_its_own_copy_and_plays_as_its_story_shows(case: EnvironmentCase) -> None:
    state = case.open()
    assert isinstance(state, GymnasiumState)
    first = state.step(WALK[0])
    fork = state.fork()
    assert state.game.copies
    assert first.observation in STORY.replace("    ", "")
    last = fork.step(WALK[1])
    assert (last.reward, last.done) == (1, True)
    assert state.step("look").reward == 0
