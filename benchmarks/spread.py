"""One tree over Ray hosts: a breadth-first search with a model that burns CPU, on four hosts and on one."""

import asyncio
import os
import time
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, cast

from pydantic import BaseModel

from benchmarks.measuring import Figure
from quintet.cluster.host_actor import RayHost
from quintet.cluster.placement import PlacementConfig
from quintet.cluster.runtime import RayRuntime
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Session, Step
from quintet.messages.execution import Act, Decide, Turn
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins.catalogue import world
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.spec import MethodSpec, RunSpec

HOSTS = 4
_LEVELS, _WIDTH, _CHILDREN = 6, 4, 4
_HASHES = 200_000
"""Of a call: some 100 ms."""


class _NoOptions(BaseModel):
    pass


_Node = tuple[Session, tuple[Turn, ...]]


class _BreadthFirst(Method[_NoOptions]):
    """Grows every node of a level at once, and keeps the first ones in the order of their last observations."""

    name, version, requests, worlds = "breadth-first", "1", (Decide,), {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        level: list[_Node] = [(episode.session, ())]
        for _ in range(_LEVELS):
            async with episode.branches(spread=True) as group:
                started = [group.start(self._grow, episode, *node, n) for node in level for n in range(_CHILDREN)]
            grown = sorted((branch.result() for branch in started), key=lambda node: node[1][-1].observation)
            for session, _ in (*level, *grown[_WIDTH:]):
                await episode.ask(Close(session=session))
            level = grown[:_WIDTH]
        return episode.conclude(None, reason="the search ended")

    async def _grow(self, episode: Episode, session: Session, history: tuple[Turn, ...], number: int) -> _Node:
        async with episode.forked(session) as copy:
            setting = f"{episode.setting} You are child {number}."
            (found,) = (await episode.ask(Decide(setting=setting, goal=episode.goal, history=history))).candidates
            assert isinstance(found.decision, Act)
            stepped = await episode.ask(Step(session=copy.session, action=found.decision.action))
            copy.keep()
        return copy.session, (*history, Turn(completion=found.completion, observation=stepped.observation))


class _Burning:
    """A model whose every answer takes the same work, and follows from the prompt alone."""

    name = "burning"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        digest = prompt.node.address.encode()
        for _ in range(_HASHES):
            digest = blake2b(digest, digest_size=16).digest()
        return Completion(text=f"Action: get {int.from_bytes(digest[:3], 'big')} diamond")


def _spec() -> RunSpec:
    return RunSpec(
        methods=(
            MethodSpec(
                name=_BreadthFirst.name,
                method=_BreadthFirst(_NoOptions()),
                models={"executor": _Burning()},
                sampling={"executor": Sampling()},
                prompts={"decide": "Answer with one action."},
            ),
        ),
        world=world("textcraft"),
        seed=0,
    )


def _cpu_seconds(_actor: RayHost) -> float:
    return time.process_time()


async def _measure(hosts: int) -> tuple[float, list[float]]:
    """Seconds of the tree, and the CPU seconds of each host meanwhile."""
    journal = SqliteJournal(":memory:")
    placement = PlacementConfig(hosts=hosts)
    runtime = RayRuntime(_spec(), _spec, journal, concurrency=1, placement=placement, name="spread", dashboard=False)

    async def cpu() -> list[float]:
        handles = (cast("Any", handle) for handle in runtime.handles.values())
        return [await handle.__ray_call__.remote(_cpu_seconds) for handle in handles]

    async def grow(task: str) -> float:
        began = time.perf_counter()
        planned = Planned(episode_path(task, 0, 0), Solve(task=_spec().task(task, 0)))
        async for end in runtime.run([planned]):
            assert end.state == "unsolved", end.why
        return time.perf_counter() - began

    async with runtime:
        await grow("lantern")  # imports and first prompts
        before = await cpu()
        seconds = await grow("beehive")
        spent = [after - earlier for after, earlier in zip(await cpu(), before, strict=True)]
    journal.close()
    return seconds, spent


def figures() -> Iterator[Figure]:
    """How many times faster the tree is, and how many times it could be if every host had a core of its own."""
    (alone, (busy,)), (spread, spent) = asyncio.run(_measure(1)), asyncio.run(_measure(HOSTS))
    shares = ", ".join(f"{100 * each / sum(spent):.0f} %" for each in spent)
    title = f"one tree over {HOSTS} Ray hosts, CPU-bound model"
    yield Figure(
        f"{title}, speed", alone / spread, "x", f"{spread:.1f} s, {alone:.1f} s on one; {os.cpu_count()} cores"
    )
    yield Figure(f"{title}, CPU of one host over the busiest", busy / max(spent), "x", f"by host {shares}")
