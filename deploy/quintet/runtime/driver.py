"""The driver: hands episodes to hosts with free slots, and takes them up again when a host or a message is lost."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias, runtime_checkable

from quintet.errors import EndpointUnavailable, HostLost, Suspension, UsageError
from quintet.events import EpisodeEnded, Requeued
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, Path
from quintet.ports.transport import HostName
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Incarnation
from quintet.runtime.planned import Planned
from quintet.runtime.slots import Slots

log = logging.getLogger("quintet.driver")

_LOSSES = 300
"""An episode that was lost so often is not going to end: the run stops, and resumes when the cause is gone."""


@runtime_checkable
class Pausable(Protocol):
    """An actor on the driver's host that is paused with the run: the quota, so that no model call begins."""

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    async def drained(self) -> None:
        """Wait until nothing that it began is under way."""


_Work: TypeAlias = asyncio.Task[EpisodeEnded | None]
"""Carries an incarnation out. None: it was lost, and its episode is to be begun anew."""


class _Run:
    """What one call of `Driver.run` has before it and under way."""

    def __init__(self, episodes: Iterable[Planned]) -> None:
        self.queue = deque(episodes)
        self.claimed = {episode.path for episode in self.queue}
        """Everything that is or was its own."""
        self.under_way: dict[_Work, Incarnation] = {}
        self.news: asyncio.Queue[_Work | Suspension | None] = asyncio.Queue()
        """Work that is over, of any run; why the run stops; None: something else changed."""
        self.awaited: dict[Path, asyncio.Future[EpisodeEnded]] = {}
        """Ends that a learner waits for."""

    def collect(self, work: _Work | Suspension | None) -> EpisodeEnded | None:
        """How an episode ended whose work is over; None if it did not, or if it is not for this run to say.

        Raises:
            Suspension: the run stops.
        """
        if isinstance(work, Suspension):
            raise work
        if work is None or work not in self.under_way:
            return None
        begun = self.under_way.pop(work)
        ended = work.result()
        if ended is None:
            self.queue.appendleft(begun.planned)
        elif begun.planned.path in self.awaited:
            self.awaited.pop(begun.planned.path).set_result(ended)
        return ended

    def withdraw(self, path: Path) -> Planned | None:
        """Take an episode from the queue, or end its incarnation; None: it is in neither, or on its way out."""
        for planned in self.queue:
            if planned.path == path:
                self.queue.remove(planned)
                return planned
        for work, begun in self.under_way.items():
            leaving = begun.cancelled or begun.ending or (work.done() and work.exception() is not None)
            if begun.path == path and not leaving:
                del self.under_way[work]
                work.cancel()
                return begun.planned
        return None


class Driver:
    """Runs episodes on hosts, and does with them what an operator says.

    Args:
        host: the driver's own.
        slots: how many episodes each host that runs subtasks may have at once.
        hosts: every host of the run, told when an incarnation is over.
    """

    def __init__(
        self, host: Host, journal: SqliteJournal, *, slots: Mapping[HostName, int], hosts: Sequence[HostName]
    ) -> None:
        self._host = host
        self._journal = journal
        self._slots = Slots(slots, host.lost)
        self._hosts = hosts
        self._runs: list[_Run] = []
        self._losses: Counter[Path] = Counter()
        """How often an episode was lost."""
        self.paused = False
        """No episode begins."""

    async def run(self, episodes: Iterable[Planned]) -> AsyncGenerator[EpisodeEnded, None]:
        """Run every episode; one that a lost host or message cut off is begun anew.

        Leaving the iteration early suspends: what runs is ended, nothing is written under its path.

        Yields:
            Each end once it is journaled, in the order they end; those of requeued episodes too, and of those that a
            learner asks for. A learner's own end is none.

        Raises:
            UsageError: an episode is given twice, or runs already.
            LearnerFaulted: the learner met a fault.
            Suspension: every host with slots or of a role died, the storage failed, or the driver's host was closed.
        """
        run = self._open(episodes)
        try:
            while run.queue or run.under_way:
                self._begin_what_may(run)
                ended = run.collect(await run.news.get())
                if ended is not None and ended.path != LEARNER:
                    yield ended
        except EndpointUnavailable:
            # Calls that are in flight may be paid already: their answers are waited for, and no call begins meanwhile.
            for actor in self._pausable():
                actor.pause()
                await actor.drained()
            raise
        finally:
            self._runs.remove(run)
            for work in run.under_way:
                work.cancel()
            if run.under_way:
                await asyncio.wait(run.under_way)
            for end in run.awaited.values():
                end.cancel()
            if not self.paused:
                for actor in self._pausable():
                    actor.resume()

    async def episode(self, planned: Planned, *, ahead: bool = False) -> EpisodeEnded:
        """Run an episode as part of the learner's run, or wait for its end where it is part of it already.

        Whoever waits may be cancelled; the episode goes on.

        Args:
            ahead: before all that are queued.

        Raises:
            UsageError: no run with a learner is under way.
        """
        run = next((run for run in self._runs if LEARNER in run.claimed), None)
        if run is None:
            raise UsageError(f"{planned.path}: expected a run with a learner under way, got none")
        if planned.path not in run.claimed:
            run.claimed.add(planned.path)
            (run.queue.appendleft if ahead else run.queue.append)(planned)
            self._look_again()
        end = run.awaited.setdefault(planned.path, asyncio.get_running_loop().create_future())
        return await asyncio.shield(end)

    def is_part(self, path: Path) -> bool:
        """Whether an episode is, or was, part of a run that is under way."""
        return any(path in run.claimed for run in self._runs)

    # What an operator sees

    @property
    def queued(self) -> list[Path]:
        """The episodes that are to begin, in order."""
        return [planned.path for run in self._runs for planned in run.queue]

    @property
    def under_way(self) -> list[Incarnation]:
        """The episodes that run, in the order they began, and the learner."""
        return [begun for run in self._runs for begun in run.under_way.values()]

    @property
    def hosts(self) -> Mapping[HostName, bool]:
        """Every host, and whether it lives."""
        return {name: name not in self._host.lost for name in self._hosts}

    @property
    def concurrency(self) -> int:
        """How many episodes may run at a time."""
        return self._slots.concurrency

    # What an operator does

    @concurrency.setter
    def concurrency(self, episodes: int) -> None:
        """From now on so many, at least 1; no running episode is ended for it."""
        self._slots.concurrency = episodes
        self._look_again()
        log.info("concurrency %d", episodes)

    def pause(self) -> None:
        """Begin no episode, and let those that run make no further model call, until `resume`."""
        self.paused = True
        for actor in self._pausable():
            actor.pause()
        log.info("paused")

    def resume(self) -> None:
        """Go on after `pause`."""
        self.paused = False
        for actor in self._pausable():
            actor.resume()
        self._look_again()
        log.info("resumed")

    def suspend(self, why: Suspension) -> None:
        """Stop what is under way; every run raises `why`."""
        for run in self._runs:
            run.news.put_nowait(why)

    async def cancel(self, path: Path) -> EpisodeEnded:
        """End an episode that runs or is queued, as unsolved.

        Returns:
            Its end, journaled. Where the episode had decided to end by itself, as at a time limit, that is its reason.

        Raises:
            UsageError: it neither runs nor is queued, or its run was left meanwhile.
            Suspension: the storage failed.
        """
        for run in self._runs:
            planned = run.withdraw(path)
            if planned is not None:
                work = self._begin_to_end(run, planned)
                break
        else:
            raise UsageError(f"{path}: expected an episode that runs or is queued, got one that does neither")
        await asyncio.wait([work])  # it goes on also where nobody waits for it any more
        if work.cancelled():
            raise UsageError(f"{path}: expected a run under way, got one that was left; a resume ends the episode")
        ended = work.result()
        assert ended is not None
        return ended

    async def requeue(self, path: Path, again: Planned) -> None:
        """Run an episode once more, before everything that is queued; returns when that is journaled.

        Args:
            path: the attempt to repeat: it ended, or it runs, and is cancelled.
            again: the further attempt.

        Raises:
            UsageError: no run is under way, or the attempt to repeat is queued itself.
            Suspension: the storage failed.
        """
        if not self._runs:
            raise UsageError(f"{path}: expected a run under way, got none")
        if path in self.queued:
            raise UsageError(f"{path}: expected an episode that runs or has ended, got one that is queued")
        run = next((run for run in self._runs if path in run.claimed), self._runs[0])
        # From here to the journal without a wait: no incarnation begins in between, and no run ends.
        incarnation = self._journal.begin(again.path)
        run.claimed.add(again.path)
        run.queue.appendleft(again)
        running = run.withdraw(path)
        if running is not None:
            self._begin_to_end(run, running)
        self._look_again()
        log.info("requeued by operator, in place of %s", path, extra={"path": again.path})
        await self._host.recorder.commit(Requeued(path=again.path, repeats=path), incarnation)

    def _pausable(self) -> list[Pausable]:
        return [actor for actor in self._host.actors.values() if isinstance(actor, Pausable)]

    # How it goes on

    def _open(self, episodes: Iterable[Planned]) -> _Run:
        run = _Run(episodes)
        claimed = {path for other in self._runs for path in other.claimed}
        for episode in run.queue:
            if episode.path in claimed:
                raise UsageError(f"{episode.path}: expected each episode once, got one that is planned already")
            claimed.add(episode.path)
        self._runs.append(run)
        return run

    def _begin_what_may(self, run: _Run) -> None:
        while run.queue and not self.paused:
            on = self._slots.take() if run.queue[0].has_slot else self._host.name
            if on is None:
                break
            self._begin(run, Incarnation(run.queue.popleft(), on))
        stuck = not any(begun.has_slot for begun in run.under_way.values())
        if run.queue and stuck and not self._slots.living:
            raise HostLost(f"every host with slots died; episodes left for a resume: {len(run.queue)}")

    def _begin_to_end(self, run: _Run, planned: Planned) -> _Work:
        return self._begin(run, Incarnation(planned, self._host.name, cancelled=True))

    def _begin(self, run: _Run, begun: Incarnation) -> _Work:
        work = asyncio.create_task(self._carried_out(begun), name=begun.path)
        work.add_done_callback(partial(self._over, begun))
        run.under_way[work] = begun
        return work

    async def _carried_out(self, begun: Incarnation) -> EpisodeEnded | None:
        try:
            return await begun.carry_out(self._host, self._journal, self._hosts)
        except HostLost as lost:
            log.warning("this incarnation is over: %s", lost, extra={"path": begun.path})
            self._losses[begun.path] += 1
            if self._host.closed or self._losses[begun.path] >= _LOSSES:
                raise
            return None

    def _over(self, begun: Incarnation, work: _Work) -> None:
        if begun.has_slot:
            self._slots.give_back(begun.on)
        for run in self._runs:
            run.news.put_nowait(work)

    def _look_again(self) -> None:
        for run in self._runs:
            run.news.put_nowait(None)
