"""Runs episodes and learners in memory, from the beginning or from what a crash left of a journal."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from msgspec import structs

from quintet.errors import BudgetSpent
from quintet.events import BranchStopped, Record
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.embed import embed_memory
from quintet.memory.store import Store
from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.paths import LEARNER, Path, episode_of, episode_path
from quintet.messages.solving import Solve
from quintet.messages.store import ChangeNotes, StoreTuples
from quintet.ports.model import Model, Usage
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.roles.role import Actor
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import EPISODES, STORE
from quintet.runtime.spec import RunSpec

Rewards: TypeAlias = Callable[[RunEpisode], float]
"""The reward of an episode."""


@dataclass(frozen=True)
class Scenario:
    """What to learn: with which method, from which tasks, and with what rewards."""

    spec: RunSpec
    """Of a method that learns."""
    learn: Learn
    rewards: Rewards
    """The rewards that the learner sees."""
    concurrency: int = 4
    """Episodes at a time."""
    tokens: int | None = None
    """A budget; None: no limit."""
    stored: tuple[StoreTuples | ChangeNotes, ...] = ()
    """Version 0 of the store, if the run has one."""


def with_model(spec: RunSpec, model: Model) -> RunSpec:
    """The same run with one model behind all roles."""
    methods = (replace(each, models=dict.fromkeys(each.models, model)) for each in spec.methods)
    return replace(spec, methods=tuple(methods))


class _Rewarded:
    """The episodes role, with other rewards than were earned."""

    def __init__(self, episodes: Actor, rewards: Rewards) -> None:
        self._episodes = episodes
        self._rewards = rewards

    async def receive(self, request: RunEpisode) -> EpisodeRan:
        ran = await self._episodes.receive(request)
        assert isinstance(ran, EpisodeRan)
        return structs.replace(ran, reward=self._rewards(request))


class _RecordList:
    def __init__(self) -> None:
        self.records: list[Record] = []

    def begun(self, episode: Path, incarnation: int) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        self.records += records


def left_by_kill(records: Sequence[Record], most: int) -> Sequence[Record]:
    """The first records that a kill can leave, at most so many: events that are committed together are left together.

    Where branches are stopped, all of these stops are, at times with the end of a branch before them.
    """
    while most < len(records) and isinstance(records[most].event, BranchStopped):
        most -= 1
    return records[:most]


def run_episode(spec: RunSpec, task: str, left: Sequence[Record] = (), *, calls: int | None = None) -> list[Record]:
    """Run an episode of a task to its end.

    Args:
        left: the records that crashes left, taken as those of one incarnation; none: it begins anew.
        calls: the most that it may make; None: no limit.

    Returns:
        All records in the order of their commits, `left` included.
    """
    episode = Planned(episode_path(task, 0, 0), Solve(task=spec.task(task, 0)))
    return asyncio.run(_run_episode(spec, episode, left, calls))


async def _run_episode(spec: RunSpec, episode: Planned, left: Sequence[Record], calls: int | None) -> list[Record]:
    recorder = _RecordList()
    journal = SqliteJournal(":memory:", recorder)
    budget = Budget(Allowance(), Allowance(), _free, journal.charges, episode_calls=calls)
    quota = Quota(LocalLimiters(RateLimits()).limiter, budget)
    try:
        if left:
            journal.begin(episode.path)
            await journal.append(structs.replace(record, incarnation=1) for record in left)
        async with LocalRuntime(spec, journal, concurrency=1, quota=quota) as runtime:
            async for _ in runtime.run([episode]):
                pass
    finally:
        journal.close()
    return recorder.records


def run_learner(scenario: Scenario, left: Sequence[Record] = ()) -> list[Record]:
    """As `run_episode`: learn to the end, or until the tokens are spent; each episode may have begun once."""
    return asyncio.run(_run_learner(scenario, left))


async def _run_learner(scenario: Scenario, left: Sequence[Record]) -> list[Record]:
    recorder = _RecordList()
    journal = SqliteJournal(":memory:", recorder)
    spec, learner = scenario.spec, scenario.spec.learner
    assert learner is not None
    budget = Budget(Allowance(tokens=scenario.tokens), Allowance(), _free, journal.charges)
    quota = Quota(LocalLimiters(RateLimits()).limiter, budget)
    try:
        begun = set[Path]()
        for record in left:
            episode = episode_of(record.event.path)
            if episode not in begun:
                begun.add(episode)
                journal.begin(episode)
            await journal.append([record])
        solve_request = EpisodeRequests(spec, learn=scenario.learn, version=journal.reader.version)
        async with LocalRuntime(spec, journal, concurrency=scenario.concurrency, quota=quota) as runtime:
            if spec.recollection is not None:
                store = new_store(scenario)
                if spec.embedder is not None:
                    await embed_memory(store, spec.embedder)
                runtime.host.spawn(STORE, MemoryStore(store))
            spawn_learner(learner, runtime, journal.reader, solve_request, seed=spec.seed)
            runtime.host.spawn(EPISODES, _Rewarded(runtime.host.actors[EPISODES], scenario.rewards))
            with suppress(BudgetSpent):
                async for _ in runtime.run([Planned(LEARNER, scenario.learn)]):
                    pass
    finally:
        journal.close()
    return recorder.records


def new_store(scenario: Scenario) -> Store:
    """A store with version 0 alone. What a journal has of later versions is stored again by a replay."""
    store = Store(":memory:", world=scenario.spec.world.name, kind=scenario.spec.memory_kind or "memory")
    for request in scenario.stored:
        if isinstance(request, StoreTuples):
            store.add(request)
        else:
            store.change(request)
    store.seal(0)
    return store


def _free(_model: str, _usage: Usage) -> int:
    return 0
