"""Episodes played in memory, from the beginning or from what a crash left of a journal."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from deploy.contracts.clauses import Skipped
from deploy.journal.writer import SqliteJournal
from deploy.quota.budget import Allowed, Budget
from deploy.quota.pace import Ceilings
from deploy.quota.quota import Quota, own_pace
from deploy.runtime.answering import Actor
from deploy.runtime.assembly import Assembly
from deploy.runtime.learning import seat_learner
from deploy.runtime.local import LocalRuntime
from deploy.runtime.planned import Planned
from deploy.runtime.posing import Posing
from deploy.runtime.roles import EPISODES
from protocols.errors import BudgetSpent
from protocols.events import AnyEvent, Decided, Record
from protocols.learning import EpisodeRan, EpisodesRequest, Learn, RunEpisode
from protocols.models import Usage
from protocols.paths import LEARNER, Path, episode_of, episode_path, is_within
from protocols.solving import Solve

Content: TypeAlias = Mapping[tuple[Path, str], AnyEvent]
"""Events by path and kind."""

Marks: TypeAlias = Callable[[RunEpisode], float]
"""The reward of an episode."""


@dataclass(frozen=True)
class Course:
    """What is learnt: by whom, from which tasks, and with what."""

    assembly: Assembly
    """One that learns."""
    learn: Learn
    marks: Marks
    """How episodes went, as the learner is told."""
    concurrency: int = 4
    """Episodes at a time."""
    tokens: int | None = None
    """What may be spent; None: no limit."""


class _Marked:
    """The episodes role, which tells other rewards than were earned."""

    def __init__(self, episodes: Actor, marks: Marks) -> None:
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


def played(assembly: Assembly, task: str, left: Sequence[Record] = ()) -> list[Record]:
    """Play an episode of a task to its end.

    Args:
        left: what was committed of its first incarnation before a crash; none: it begins anew.

    Returns:
        What was committed, in that order, `left` included.
    """
    return asyncio.run(_played(assembly, Planned(episode_path(task, 0, 0), Solve(task=assembly.task(task, 0))), left))


async def _played(assembly: Assembly, episode: Planned, left: Sequence[Record]) -> list[Record]:
    watching = _Watching()
    journal = SqliteJournal(":memory:", watching)
    try:
        if left:
            journal.begin(episode.path)
            await journal.append(left)
        async with LocalRuntime(assembly, journal, concurrency=1) as runtime:
            async for _ in runtime.run([episode]):
                pass
    finally:
        journal.close()
    return watching.records


def content(events: Iterable[AnyEvent]) -> Content:
    """What two runs are compared by: all that happened, but how far the losers of a race came."""
    events = list(events)
    races = [event for event in events if isinstance(event, Decided) and event.question == "first"]
    return {(event.path, event.kind): event for event in events if not any(_lost(event, race) for race in races)}


def _lost(event: AnyEvent, race: Decided) -> bool:
    below = event.path != race.path and is_within(event.path, race.path)
    return below and not is_within(event.path, Path(f"{race.path}/{race.answer}"))


def refuse_other_decisions(one: Content, other: Content) -> None:
    """Make sure that two runs decided alike: what they decide of time or arrival may differ, and all that follows.

    Raises:
        Skipped: they did not.
    """
    for place, event in one.items():
        answered = other.get(place)
        if isinstance(event, Decided) and isinstance(answered, Decided) and event.answer != answered.answer:
            raise Skipped(f"two runs decided differently at {event.path}: {event.question}, as they may")


def learnt(course: Course, left: Sequence[Record] = ()) -> list[Record]:
    """Learn to the end, or until the tokens are spent.

    Args:
        left: what was committed before a crash, of first incarnations; none: it begins anew.

    Returns:
        What was committed, in that order, `left` included.
    """
    return asyncio.run(_learnt(course, left))


async def _learnt(course: Course, left: Sequence[Record]) -> list[Record]:
    watching = _Watching()
    journal = SqliteJournal(":memory:", watching)
    assembly, taught = course.assembly, course.assembly.learning
    assert taught is not None
    quota = Quota(own_pace(Ceilings()), Budget(Allowed(tokens=course.tokens), Allowed(), _free, journal.charges))
    try:
        for record in left:
            episode = episode_of(record.event.path)
            if episode not in journal.reader.incarnations():
                journal.begin(episode)
            await journal.append([record])
        pose = Posing(assembly, learn=course.learn, version=journal.reader.version)
        async with LocalRuntime(assembly, journal, concurrency=course.concurrency, quota=quota) as runtime:
            seat_learner(taught, runtime, journal.reader, pose, seed=assembly.seed)
            runtime.host.spawn(EPISODES, _Marked(runtime.host.actors[EPISODES], course.marks))
            with suppress(BudgetSpent):
                async for _ in runtime.run([Planned(LEARNER, course.learn)]):
                    pass
    finally:
        journal.close()
    return watching.records


def _free(_model: str, _usage: Usage) -> int:
    return 0
