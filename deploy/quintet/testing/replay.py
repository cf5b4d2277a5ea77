"""Episodes played in memory, from the beginning or from what a crash left of a journal."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from quintet.errors import BudgetSpent
from quintet.events import AnyEvent, BranchEnded, Decided, EpisodeReported, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.learning import EpisodeRan, EpisodesRequest, Learn, RunEpisode
from quintet.messages.paths import LEARNER, Path, child, episode_of, episode_path, is_within
from quintet.messages.solving import Solve
from quintet.ports.model import Usage
from quintet.quota.budget import Allowance, Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import Quota, own_pace
from quintet.runtime.answering import Actor
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.local import LocalRuntime
from quintet.runtime.planned import Planned
from quintet.runtime.roles import EPISODES
from quintet.runtime.spec import RunSpec
from quintet.testing.clauses import Skipped

Content: TypeAlias = Mapping[tuple[Path, str], AnyEvent]
"""Events by path and kind."""

Rewards: TypeAlias = Callable[[RunEpisode], float]
"""The reward of an episode."""


@dataclass(frozen=True)
class Scenario:
    """What is learnt: by whom, from which tasks, and with what."""

    spec: RunSpec
    """One that learns."""
    learn: Learn
    marks: Rewards
    """How episodes went, as the learner is told."""
    concurrency: int = 4
    """Episodes at a time."""
    tokens: int | None = None
    """What may be spent; None: no limit."""


class _Marked:
    """The episodes role, which tells other rewards than were earned."""

    def __init__(self, episodes: Actor, marks: Rewards) -> None:
        self._episodes = episodes
        self._marks = marks

    async def receive(self, request: EpisodesRequest) -> EpisodeRan:
        ran = await self._episodes.receive(request)
        assert isinstance(ran, EpisodeRan)
        return replace(ran, reward=self._marks(request))


class _Watching:
    """Keeps what is committed, in the order it is."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def begun(self, episode: Path) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        self.records += records


def played(spec: RunSpec, task: str, left: Sequence[Record] = ()) -> list[Record]:
    """Play an episode of a task to its end.

    Args:
        left: what was committed of its first incarnation before a crash; none: it begins anew.

    Returns:
        What was committed, in that order, `left` included.
    """
    return asyncio.run(_played(spec, Planned(episode_path(task, 0, 0), Solve(task=spec.task(task, 0))), left))


async def _played(spec: RunSpec, episode: Planned, left: Sequence[Record]) -> list[Record]:
    watching = _Watching()
    journal = SqliteJournal(":memory:", watching)
    try:
        if left:
            journal.begin(episode.path)
            await journal.append(left)
        async with LocalRuntime(spec, journal, concurrency=1) as runtime:
            async for _ in runtime.run([episode]):
                pass
    finally:
        journal.close()
    return watching.records


def content(events: Iterable[AnyEvent]) -> Content:
    """What two runs are compared by: all that happened, but how far the losers of a race came."""
    events = list(events)
    races = [event for event in events if isinstance(event, BranchEnded)]
    return {(event.path, event.kind): event for event in events if not any(_lost(event, race) for race in races)}


def _lost(event: AnyEvent, race: BranchEnded) -> bool:
    below = event.path != race.path and is_within(event.path, race.path)
    return below and not is_within(event.path, child(race.path, race.branch))


def refuse_other_decisions(one: Content, other: Content) -> None:
    """Make sure that two runs decided alike: what they decide of time or arrival may differ, and all that follows.

    Raises:
        Skipped: they did not.
    """
    for place, event in one.items():
        if isinstance(event, Decided | BranchEnded | EpisodeReported) and other.get(place, event) != event:
            raise Skipped(f"two runs decided differently at {event.path}: {event.kind}, as they may")


def learnt(course: Scenario, left: Sequence[Record] = ()) -> list[Record]:
    """Learn to the end, or until the tokens are spent.

    Args:
        left: what was committed before a crash, of first incarnations; none: it begins anew.

    Returns:
        What was committed, in that order, `left` included.
    """
    return asyncio.run(_learnt(course, left))


async def _learnt(course: Scenario, left: Sequence[Record]) -> list[Record]:
    watching = _Watching()
    journal = SqliteJournal(":memory:", watching)
    spec, taught = course.spec, course.spec.learning
    assert taught is not None
    quota = Quota(own_pace(RateLimits()), Budget(Allowance(tokens=course.tokens), Allowance(), _free, journal.charges))
    try:
        for record in left:
            episode = episode_of(record.event.path)
            if episode not in journal.reader.incarnations():
                journal.begin(episode)
            await journal.append([record])
        solve_request = EpisodeRequests(spec, learn=course.learn, version=journal.reader.version)
        async with LocalRuntime(spec, journal, concurrency=course.concurrency, quota=quota) as runtime:
            spawn_learner(taught, runtime, journal.reader, solve_request, seed=spec.seed)
            runtime.host.spawn(EPISODES, _Marked(runtime.host.actors[EPISODES], course.marks))
            with suppress(BudgetSpent):
                async for _ in runtime.run([Planned(LEARNER, course.learn)]):
                    pass
    finally:
        journal.close()
    return watching.records


def _free(_model: str, _usage: Usage) -> int:
    return 0
