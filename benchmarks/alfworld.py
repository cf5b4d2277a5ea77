"""ALFWorld: time and memory of the native engine, and of the official one if it is installed."""

import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from benchmarks.measuring import Figure, rate
from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.games.game import read_game, to_bytes
from quintet.environments.alfworld.sources.library import GeneratedLibrary
from quintet.environments.alfworld.world import AlfWorld
from quintet.messages.environment import Task
from quintet.ports.world import World, WorldState

_ROOT = Path(__file__).parents[1]
_OFFICIAL = _ROOT / ".venv-conformance" / "bin" / "python"
"""Made by `make conformance`."""
_GAMES = 12
_DEEP = 30
_MANY = 20_000
_MOVES = 1_000
_SESSIONS = 10_000


class OfficialSeconds(Struct):
    """Seconds that the official engine needs for one step, to begin a game, and to write and restore a snapshot."""

    step: float
    reset: float
    move: float

    def replay(self, depth: int) -> float:
        """To begin a game again and repeat so many steps, as who cannot copy a state has to."""
        return self.reset + depth * self.step


def figures() -> Iterator[Figure]:
    """On one core, in kitchens of the built-in generator."""
    with kitchens() as (folder, world):
        tasks = [Task(name=name, seed=0) for name in world.tasks("games")]
        official = measure_official(folder)
        steps, resets = rate(lambda: _steps(world, tasks)), rate(lambda: _resets(world, tasks))
        faster = official and f"{steps * official.step:,.0f} x the official engine's {1 / official.step:.1f} /s"
        sooner = official and f"{official.reset:.2f} s by the official engine"
        yield Figure("alfworld steps, admissible actions listed at each", steps, "/s", faster or "")
        yield Figure("alfworld reset of a parsed game", 1e6 / resets, "us", sooner or "")
        for depth in (1, _DEEP):
            forks = rate(partial(_forks, after_random_steps(world.open(tasks[0]), depth)))
            yield Figure(f"alfworld fork after {depth} steps", 1e6 / forks, "us")
        yield Figure("alfworld game file, read and parsed", 1e3 / rate(lambda: _parses(folder)), "ms")
        yield Figure(f"alfworld snapshot after {_DEEP} steps", float(_largest_snapshot(world, tasks)), "bytes")
        moves = rate(partial(_moves, world, tasks[0], after_random_steps(world.open(tasks[0]), _DEEP)))
        beside = official and f"{official.move * 1e6:.1f} us by the official engine"
        yield Figure(f"alfworld snapshot after {_DEEP} steps, written and restored", 1e6 / moves, "us", beside or "")
        yield Figure(f"alfworld memory of {_SESSIONS:,} sessions", _memory(world, tasks) / 1e6, "MB")


@contextmanager
def kitchens() -> Generator[tuple[Path, AlfWorld], None, None]:
    """A folder of games in the largest rooms, and the world of it, every game parsed."""
    library = GeneratedLibrary()
    names = [
        name for split in library.splits for name in library.tasks(split) if name.startswith(("pick_heat", "pick_cool"))
    ]
    with TemporaryDirectory() as folder:
        for name in names[:_GAMES]:
            (Path(folder) / f"{name}.tw-pddl").write_bytes(to_bytes(library.game(name)))
        world = AlfWorld(data=folder)
        for name in world.tasks("games"):
            world.open(Task(name=name, seed=0))
        yield Path(folder), world


def _steps(world: AlfWorld, tasks: Sequence[Task]) -> int:
    """Takes random actions; a task that is done begins again."""
    chance, state, listed = random.Random(1), world.open(tasks[0]), world.open(tasks[0]).admissible() or ()
    for number in range(_MANY):
        if not listed or number % _DEEP == 0:
            state = world.open(tasks[number // _DEEP % len(tasks)])
            listed = state.admissible() or ()
        state.step(listed[int(chance.random() * len(listed))])
        listed = state.admissible() or ()
    return _MANY


def _resets(world: AlfWorld, tasks: Sequence[Task]) -> int:
    for number in range(_MANY):
        world.open(tasks[number % len(tasks)])
    return _MANY


def _forks(state: WorldState) -> int:
    for _ in range(_MANY):
        state.fork()
    return _MANY


def _moves(world: World, task: Task, state: WorldState) -> int:
    for _ in range(_MOVES):
        world.restore(task, state.snapshot())
    return _MOVES


def _parses(folder: Path) -> int:
    files = sorted(folder.iterdir())
    for file in files:
        household(read_game(file))
    return len(files)


def _largest_snapshot(world: AlfWorld, tasks: Sequence[Task]) -> int:
    return max(len(after_random_steps(world.open(task), _DEEP).snapshot()) for task in tasks)


def _memory(world: AlfWorld, tasks: Sequence[Task]) -> int:
    """Bytes that sessions take besides the parsed games, each in a different state."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        sessions = [
            after_random_steps(world.open(tasks[number % len(tasks)]), 10, number) for number in range(_SESSIONS)
        ]
        taken = tracemalloc.get_traced_memory()[0] - before
        assert len(sessions) == _SESSIONS
    finally:
        tracemalloc.stop()
    return taken


def after_random_steps(state: WorldState, steps: int, seed: int = 0) -> WorldState:
    """The state after so many random steps, fewer if they end the task."""
    chance = random.Random(seed)
    for _ in range(steps):
        if listed := state.admissible():
            state.step(chance.choice(listed))
    return state


def measure_official(folder: Path) -> OfficialSeconds | None:
    """Measure in an interpreter with the official engine; None if there is none."""
    python = sys.executable if find_spec("alfworld") else str(_OFFICIAL)
    if not Path(python).exists():
        return None
    command = [python, "-m", "benchmarks.alfworld", str(folder)]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, check=True)
    return msgspec.json.decode(result.stdout, type=OfficialSeconds)


def _measure(folder: Path) -> OfficialSeconds:
    world = AlfWorld(data=folder, engine="textworld")
    task = Task(name=world.tasks("games")[0], seed=0)
    world.open(task)  # its packages are loaded from here on
    started = time.perf_counter()
    state = world.open(task)
    opened = time.perf_counter()
    after_random_steps(state, _DEEP)
    step = (time.perf_counter() - opened) / _DEEP
    return OfficialSeconds(step=step, reset=opened - started, move=1 / rate(partial(_moves, world, task, state)))


if __name__ == "__main__":  # the process that has the official engine
    print(msgspec.json.encode(_measure(Path(sys.argv[1]))).decode())
