"""Episodes played in memory, from the beginning or from what a crash left of a journal."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from deploy.contracts.clauses import Skipped
from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly
from deploy.runtime.driver import Planned
from deploy.runtime.local import LocalRuntime
from protocols.events import AnyEvent, Decided, Record
from protocols.paths import Path, episode_path, is_within

Content: TypeAlias = Mapping[tuple[Path, str], AnyEvent]
"""Events by path and kind."""

_FIRST = 1


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
    return asyncio.run(_played(assembly, Planned(episode_path(task, 0, 0), assembly.task(task, 0)), left))


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
