"""One call of `Driver.run`: what waits for its turn, what runs, and what follows when it ends."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from quintet.errors import Suspension
from quintet.events import EpisodeEnded
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.runtime.incarnation import Incarnation, Planned

EpisodeWork: TypeAlias = asyncio.Task[EpisodeEnded | None]
"""Runs an incarnation. None: it was lost, and its episode must begin again."""


class DriverRun:
    """The queue and the running episodes of one call of `Driver.run`."""

    def __init__(self, *, repeats: bool, is_interrupted: Callable[[Path], bool]) -> None:
        self._repeats = repeats
        self._is_interrupted = is_interrupted
        self.queue: deque[Planned] = deque()
        self.interrupted: deque[Planned] = deque()
        """Attempts that cannot be replayed: they only end, before anything else begins."""
        self.after_reset: deque[Planned] = deque()
        """Attempts that follow those: they are queued once the world was reset."""
        self.paths: set[Path] = set()
        """All that are or were part of it."""
        self.under_way: dict[EpisodeWork, Incarnation] = {}
        self.ending = 0
        """How many of them were interrupted and only end."""
        self.news: asyncio.Queue[EpisodeWork | Suspension | None] = asyncio.Queue()
        """Work that ended, of any run; why the run stops; None: something else changed."""
        self.waiters: dict[Path, asyncio.Future[EpisodeEnded]] = {}
        """Ends that a learner waits for, by episode."""

    @property
    def waiting(self) -> Iterator[Planned]:
        """All that have not begun, in order."""
        return chain(self.interrupted, self.after_reset, self.queue)

    @property
    def goes_on(self) -> bool:
        """Whether anything runs or waits."""
        return bool(self.under_way) or any(True for _ in self.waiting)

    def add(self, planned: Planned, *, ahead: bool = False) -> None:
        """Let an attempt wait for its turn."""
        self.paths.add(planned.path)
        if self._repeats:
            queue = self.queue
        elif planned.after_reset:
            queue = self.after_reset
        else:
            queue = self.interrupted if self._is_interrupted(planned.path) else self.queue
        (queue.appendleft if ahead else queue.append)(planned)

    def begin(self, work: EpisodeWork, begun: Incarnation) -> None:
        """An incarnation is under way."""
        self.under_way[work] = begun
        self.ending += begun.only_to_end

    def _leave(self, work: EpisodeWork) -> Incarnation:
        begun = self.under_way.pop(work)
        self.ending -= begun.only_to_end
        return begun

    def was_reset(self) -> None:
        """The world was reset: what waited for that is queued before all others."""
        while self.after_reset:
            self.queue.appendleft(replace(self.after_reset.pop(), after_reset=False))

    def collect(self, work: EpisodeWork | Suspension | None) -> EpisodeEnded | None:
        """The end of this run's episode whose work ended, None: it has none; a `Suspension` if the run stops."""
        if isinstance(work, Suspension):
            raise work
        if work is None or work not in self.under_way:
            return None
        begun = self._leave(work)
        ended = work.result()
        if ended is None:
            self.add(begun.planned, ahead=True)
            return None
        if ended.state == "interrupted":
            task, epoch, attempt = attempt_of(begun.path)
            again = episode_path(task, epoch, attempt + 1)
            if again not in self.paths:  # an operator may have asked for it
                self.add(replace(begun.planned, path=again, after_reset=True))
        if begun.path in self.waiters:
            self.waiters.pop(begun.path).set_result(ended)
        return ended

    def withdraw(self, path: Path) -> Planned | None:
        """Take an episode from the queue, or stop its incarnation; None: it is neither queued nor running, or ends."""
        for queue in (self.interrupted, self.after_reset, self.queue):
            for planned in queue:
                if planned.path == path:
                    queue.remove(planned)
                    return planned
        for work, begun in self.under_way.items():
            leaving = begun.cancelled or begun.ending or (work.done() and work.exception() is not None)
            if begun.path == path and not leaving:
                self._leave(work)
                work.cancel()
                return begun.planned
        return None
