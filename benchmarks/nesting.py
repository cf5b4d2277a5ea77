"""Methods within each other: what a level of nesting adds to the CPU of a turn."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from pydantic import BaseModel

from benchmarks.measuring import Figure
from benchmarks.turns import answers, scripted_react
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.models.scripted import Scripted
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_TURNS = 20
"""Of an attempt: ADaPT's budget. The longer an attempt, the less a level adds to each turn."""
_EPISODES = 32
_ROUNDS = 41
_LEVELS = 4


class _NoOptions(BaseModel):
    pass


class _Handing(Method[_NoOptions]):
    """Hands its goal on to its inner method, and nothing else."""

    name, version, worlds, nests = "handing", "1", {"textcraft": {}}, True

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.attempt()


def _spec(levels: int) -> RunSpec:
    """ReAct, with so many methods around it."""
    react = scripted_react(_TURNS, Scripted(answers(_TURNS)))
    methods = react.methods
    for level in range(levels):
        around = _Handing(_NoOptions(), methods[0].method)
        methods = (MethodSpec(name=f"handing-{level}", method=around, models={}, sampling={}, prompts={}), *methods)
    return replace(react, methods=methods)


async def _cpu(levels: int) -> float:
    """CPU seconds of a turn."""
    spec = _spec(levels)
    tasks = [spec.task("beehive", epoch) for epoch in range(_EPISODES)]
    episodes = [Planned(episode_path(task.name, epoch, 0), Solve(task=task)) for epoch, task in enumerate(tasks)]
    with TemporaryDirectory() as folder:
        journal = SqliteJournal(Path(folder) / "journal.sqlite")
        async with LocalRuntime(spec, journal, concurrency=8) as runtime:
            begun = time.process_time()
            async for end in runtime.run(episodes):
                assert end.state == "unsolved", end.why
            spent = time.process_time() - begun
        journal.close()
    return spent / (_TURNS * _EPISODES)


def figures() -> Iterator[Figure]:
    """What each of several levels around ReAct adds: the median of rounds, each of which measures both."""
    rounds = [(asyncio.run(_cpu(0)), asyncio.run(_cpu(_LEVELS))) for _ in range(_ROUNDS)]
    each = (median(nested / alone for alone, nested in rounds) - 1) / _LEVELS
    yield Figure(
        f"a level of nesting, attempts of {_TURNS} turns, CPU of a turn",
        100 * each,
        "%",
        f"each of {_LEVELS}; a turn of ReAct alone takes {1e6 * median(alone for alone, _ in rounds):.0f} us",
    )
