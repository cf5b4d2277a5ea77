"""WebArena keeps the contract of environments: on our sites, and on those that somebody else serves."""

from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.webarena.live import served_sites, tasks_file, walk_of

pytestmark = pytest.mark.web

CHANGE = "webarena-1009"
"""A short task that changes something."""
READING = ("goto [http://reddit.com/search]", "new_tab", "goto [http://reddit.com/forums]", "stop []")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """A folder with the address of a forum in another process, which nobody logs in to, and a task on it."""
    folder = tmp_path_factory.mktemp("sites")
    tasks_file(folder, {}, {})
    with served_sites() as addresses:
        (folder / "sites.toml").write_text(f'[reddit]\naddress = "{addresses["reddit"]}"\n', encoding="utf-8")
        yield folder


@pytest.fixture(params=["ours", "a user's"])
def case(request: pytest.FixtureRequest, served: Path) -> EnvironmentCase:
    if request.param == "ours":
        return EnvironmentCase(NamedPlugIn("webarena"), Task(name=CHANGE, seed=0), _walk(), solves=True)
    options = {"tasks": str(served / "tasks.json"), "sites": str(served / "sites.toml"), "reset": "true"}
    return EnvironmentCase(NamedPlugIn("webarena", options), Task(name="webarena-0", seed=0), READING, solves=True)


@cache
def _walk() -> tuple[str, ...]:
    return walk_of(CHANGE)
