"""Many branches at once: 64 episodes, each a tree of 64 branches, at a model of two seconds' latency."""

import asyncio
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from benchmarks.measuring import Figure
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Fork
from quintet.messages.execution import Execute
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.react.react import React
from quintet.plugins.catalogue import world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Completion, Sampling
from quintet.runtime.garbage import collect_rarely
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_MANY, _FEW = 64, 16
"""Episodes, and branches of each. Tracing memory is slow, so it is done with few."""
_CALLS = 40
"""Of a branch, one after the other: the limiter starts with 16 calls at a time, and its first rounds count too."""
_LATENCY = 2.0


class _BushConfig(BaseModel):
    branches: int
    calls: int


class _Bush(Method[_BushConfig]):
    """A tree of many branches of the root, each in a fork of the world."""

    name, version, requests, worlds = "bush", "1", (Execute,), {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        async with episode.branches() as group:
            for _ in range(self.config.branches):
                group.start(self._explore, episode)
        return episode.conclude(None, reason="the tree is grown")

    async def _explore(self, episode: Episode) -> None:
        forked = await episode.ask(Fork(session=episode.session))
        calls = self.config.calls
        await episode.execute(max_calls=calls, patience=calls, session=forked.session)


class _Slow:
    """A model that looks into the inventory, after a while; it notes how much memory there is at its busiest."""

    name = "slow"

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._in_flight = self.most = self.memory = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self._in_flight += 1
        if self._in_flight > self.most:
            self.most = self._in_flight
            self.memory = tracemalloc.get_traced_memory()[0]
        await asyncio.sleep(self._latency)
        self._in_flight -= 1
        return Completion(text="Thought: What do I have?\nAction: inventory")


async def _run(folder: Path, episodes: int, calls: int, latency: float) -> tuple[float, _Slow]:
    """Run so many trees of as many branches each.

    Returns:
        Seconds, and the model, with the memory beyond what there was before.
    """
    model = _Slow(latency)
    prompts = find_prompts(React, "textcraft")
    spec = RunSpec(
        methods=(
            MethodSpec(
                name=_Bush.name,
                method=_Bush(_BushConfig(branches=episodes, calls=calls)),
                models={"executor": model},
                sampling={"executor": Sampling()},
                prompts={name: prompts.text(name) for name in ("execute", "demonstrations")},
            ),
        ),
        world=world("textcraft"),
        seed=0,
    )
    planned = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(episodes)
    ]
    journal = SqliteJournal(folder / "journal.sqlite")
    before, began = tracemalloc.get_traced_memory()[0], time.perf_counter()
    async with LocalRuntime(spec, journal, concurrency=episodes) as runtime:
        async for end in runtime.run(planned):
            assert end.state == "unsolved", end.why
    seconds = time.perf_counter() - began
    journal.close()
    model.memory -= before
    return seconds, model


def figures() -> Iterator[Figure]:
    """Seconds beside their bound, and the memory of a branch whose call is in flight; as in a process of ours."""
    collect_rarely()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        seconds, model = asyncio.run(_run(Path(folder), _MANY, _CALLS, _LATENCY))
    each = 1e6 * (time.process_time() - began) / (_MANY**2 * _CALLS)
    bound = _CALLS * _LATENCY
    title = f"{_MANY} trees of {_MANY} branches, {_CALLS} calls each at {_LATENCY:.0f} s"
    beside = f"{seconds / bound:.2f} of calls x latency, at most 1.15; {each:.0f} us of CPU a call"
    yield Figure(title, seconds, "s", f"{beside}; at most {model.most:,} calls in flight")
    tracemalloc.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            _, model = asyncio.run(_run(Path(folder), _FEW, _CALLS // 4, _LATENCY / 4))
    finally:
        tracemalloc.stop()
    yield Figure("memory of a branch with its call in flight", model.memory / model.most / 1024, "KB")
