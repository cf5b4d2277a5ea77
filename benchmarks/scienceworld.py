"""ScienceWorld: a package's way beside the package's own loop, in the same actions.

Without its package or Java nothing is measured: `make test-worlds` installs the package in `.venv-worlds`.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from benchmarks.measuring import Figure, beside_package, rate, rates
from quintet.environments.scienceworld.session import ScienceState
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.messages.environment import Task
from quintet.plugins.extras import PackageMissing

_KIND, _VARIATION = "find-animal", 225
_FORKS = 10


def figures() -> Iterator[Figure]:
    """A task loaded and solved again and again, and copies of a session."""
    try:
        world = ScienceWorld()
    except PackageMissing:
        return
    task = Task(name=f"{_KIND}-{_VARIATION}", seed=0)
    way = world.open(task).expert() or ()
    package: Any = import_module("scienceworld").ScienceWorldEnv("", envStepLimit=10_000)
    ours, theirs, alone = rates(
        lambda: _played(world, task, way), lambda: _played_by_package(package, way), lambda: _stepped(package, way)
    )
    package.close()
    yield beside_package("scienceworld steps, loads included", ours, theirs)
    yield Figure("scienceworld's simulator alone", alone, "/s", f"ours is {ours / alone:.2f} x that")
    state = world.open(task)
    for action in way[:5]:
        state.step(action)
    yield Figure("scienceworld fork after 5 steps", 1e3 / rate(lambda: _forked(state)), "ms")


def _played(world: ScienceWorld, task: Task, way: tuple[str, ...]) -> int:
    state = world.open(task)
    for action in way:
        state.step(action)
    assert state.reward == 1
    return len(way)


def _played_by_package(package: Any, way: tuple[str, ...]) -> int:
    package.load(_KIND, _VARIATION)
    package.reset()
    for action in way:
        package.step(action)
    return len(way)


def _stepped(package: Any, way: tuple[str, ...]) -> int:
    """What the package's simulator needs at least, without its list of actions."""
    server = package.server
    server.load(_KIND, _VARIATION, "", False)
    server.step("look around")
    for action in way:
        server.step(action)
        server.getScore()
        server.getCompleted()
    return len(way)


def _forked(state: ScienceState) -> int:
    for _ in range(_FORKS):
        state.fork()
    return _FORKS


if __name__ == "__main__":
    for figure in figures():
        print(figure)
