"""Worlds: steps, forks and snapshots of TextCraft."""

from collections.abc import Iterator

from benchmarks.measuring import Figure, rate
from quintet.messages.environment import Task
from quintet.plugins.catalogue import world

_MANY = 50_000


def figures() -> Iterator[Figure]:
    """Operations per second on one core."""
    textcraft = world("textcraft")
    task = Task(name="beehive", seed=1)
    state = textcraft.open(task)
    for action in ("get 3 oak logs", "craft 4 oak planks using 1 oak logs", "get 9 honeycomb"):
        state.step(action)

    def steps() -> int:
        fork = state.fork()
        for _ in range(_MANY // 2):
            fork.step("get 1 oak logs")
            fork.step("craft 4 oak planks using 1 oak logs")
        return _MANY

    def forks() -> int:
        for _ in range(_MANY):
            state.fork()
        return _MANY

    def opens() -> int:
        for seed in range(2000):
            textcraft.open(Task(name="beehive", seed=seed))
        return 2000

    def moves() -> int:
        for _ in range(_MANY):
            textcraft.restore(task, state.snapshot())
        return _MANY

    yield Figure("textcraft steps", rate(steps), "/s")
    yield Figure("textcraft forks", rate(forks), "/s")
    yield Figure("textcraft opens", rate(opens), "/s")
    yield Figure("textcraft snapshot", float(len(state.snapshot())), "bytes")
    yield Figure("textcraft snapshot, written and restored", 1e6 / rate(moves), "us")
