"""Visits to a world: on which tasks its contract is tried, and along which walks."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from quintet.messages.environment import Task
from quintet.ports.world import World, WorldState
from quintet.testing.candidate_actions import gleaned, shown_by_methods
from quintet.testing.named import Named

_TRIES = 20
_STEPS = 25
_SEED = 0


@dataclass(frozen=True)
class EnvironmentCase:
    """A world, one of its tasks, and a walk through it."""

    named: Named
    task: Task
    walk: tuple[str, ...]
    """Actions that the world carries out one after the other; empty where none are known."""
    solves: bool
    """The last action of the walk is said to solve the task."""
    odd: tuple[str, ...] = ()
    """Odd actions of the world's own kind, beside what is odd everywhere."""

    def world(self) -> World:
        """A new instance of the world."""
        return self.named.world()

    def open(self) -> WorldState:
        """The task's first state, in a world of its own."""
        return self.world().open(self.task)

    def __str__(self) -> str:
        return f"task {self.task.name!r}, seed {self.task.seed}"


def visits(named: Named, task: str | None = None, walk: Sequence[str] | None = None) -> list[EnvironmentCase]:
    """Visits to the first and the last task of every split.

    Args:
        task: visit this one instead.
        walk: how to solve `task`, or else the first one; for the others a walk is looked for.

    Raises:
        UsageError: the world cannot be made, or there is no such task.
    """
    world = named.world()
    if task is None:
        names = [name for split in world.splits for name in _ends(world.tasks(split))]
    else:
        world.metadata(task)
        names = [task]
    tasks = [Task(name=name, seed=_SEED) for name in dict.fromkeys(names or [""])]
    found = [_found(named, world, each) for each in (tasks if walk is None else tasks[1:])]
    return found if walk is None else [EnvironmentCase(named, tasks[0], tuple(walk), solves=True), *found]


def _ends(tasks: Sequence[str]) -> list[str]:
    return [*tasks[:1], *tasks[-1:]]


def _found(named: Named, world: World, task: Task) -> EnvironmentCase:
    """The expert's walk where the world knows one, or else the best of some seeded walks at random.

    The best is one that solves the task, and otherwise the longest.
    """
    advised = _advised(world, task)
    if advised:
        return EnvironmentCase(named, task, advised, solves=True)
    chance = Random(_SEED)
    shown = shown_by_methods(named.name)
    best: tuple[str, ...] = ()
    for _ in range(_TRIES):
        walk, solves = _tried(world, task, shown, chance)
        if solves:
            return EnvironmentCase(named, task, walk, solves=True)
        best = max(best, walk, key=len)
    return EnvironmentCase(named, task, best, solves=False)


def _advised(world: World, task: Task) -> tuple[str, ...]:
    """An expert's actions, where they solve the task."""
    try:
        state = world.open(task)
        advice = state.expert() or ()
        outcomes = [state.step(action) for action in advice]
    except Exception:  # noqa: BLE001  the clauses ask the same, and say what they met
        return ()
    return advice if outcomes and outcomes[-1].done and outcomes[-1].reward == 1 else ()


def _tried(world: World, task: Task, shown: Sequence[str], chance: Random) -> tuple[tuple[str, ...], bool]:
    walk: list[str] = []
    try:
        state = world.open(task)
        pool = [*shown, *gleaned(state.opening.observation)]
        for _ in range(_STEPS if pool else 0):
            walk.append(chance.choice(pool))
            outcome = state.step(walk[-1])
            if outcome.rejected:
                walk.pop()
                continue
            if outcome.done:
                return tuple(walk), outcome.reward == 1
            pool += (walk[-1], *gleaned(outcome.observation))
    except Exception:  # noqa: BLE001  the clauses go the same walk, and say what it met
        pass
    return tuple(walk), False
