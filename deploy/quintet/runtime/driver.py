"""The driver: starts episodes on hosts with free slots, and starts them again when a host or a message is lost."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

from quintet.errors import EndpointUnavailable, HostLost, ProcessLost, RoleLost, Suspension, UsageError
from quintet.events import EpisodeEnded, Requeued
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, Path, parent
from quintet.ports.transport import HostName
from quintet.ports.world import World
from quintet.runtime.actor import Pausable
from quintet.runtime.driver_run import DriverRun, EpisodeWork
from quintet.runtime.environment_hosts import EnvironmentHosts
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Incarnation, Planned
from quintet.runtime.slots import Homes, Slots

_log = logging.getLogger("quintet.driver")

_LOSSES = 300
"""An episode that was lost so often will not end: the run stops, and can be resumed when the cause is gone."""

_INTERRUPTIONS = 10
"""In a world that does not repeat, an episode whose attempts were interrupted so often stops the run likewise."""

_PROCESSES = 10
"""An episode that lost the process of its session so often, which it may itself have ended, ends by that fault."""


_STARTS = 16
"""Episodes that start in one turn of the event loop, so that thousands do not stop it for everybody else."""


class HostSupply(Protocol):
    """Says whether hosts are on their way; a `HostPool` is one."""

    @property
    def is_awaited(self) -> bool:
        """Whether a role has no host, and one is on its way."""
        ...

    @property
    def gave_up(self) -> bool:
        """Whether a role has no host, and none is on its way."""
        ...

    @property
    def hosts_text(self) -> str:
        """How many hosts live, of how many; and why others did not start. Any thread may ask."""
        ...


class Driver:
    """Runs episodes on hosts, and carries out an operator's commands.

    Args:
        slots: how many episodes each host that runs subtasks may have at once.
        hosts: every host of the run at its start; each releases an incarnation that is over.
        homes: those of them that have the environment role.
    """

    def __init__(
        self,
        host: Host,
        journal: SqliteJournal,
        *,
        slots: Mapping[HostName, int],
        hosts: Sequence[HostName],
        world: World,
        homes: Sequence[HostName],
    ) -> None:
        self._host = host
        self._journal = journal
        self._slots = Slots(slots, host.lost)
        self._hosts = list(hosts)
        self.homes = Homes(homes, host.lost, places=world.places)
        """Where sessions open, in a world that has places."""
        self._world = EnvironmentHosts(world, host, self.homes)
        self._resetting: asyncio.Task[None] | None = None
        self.pool: HostSupply | None = None
        """Replaces hosts that die; None: nothing does."""
        self.resize: Callable[[int], None] | None = None
        """Sets how many hosts the run has; None: it has no others than its driver's."""
        self._runs: list[DriverRun] = []
        self._losses: Counter[Path] = Counter()
        """How often each attempt was lost."""
        self._why: dict[Path, str] = {}
        """By what each was lost last."""
        self._interruptions: Counter[Path] = Counter()
        """How many attempts at each episode were interrupted."""
        self._processes: Counter[Path] = Counter()
        """How often each episode lost the process of its session."""
        self._paused_by = set[object]()
        """Those who hold a pause: trainers, runs that wait for calls in flight; None is the operator."""
        self._is_last = False
        """Nothing follows the newest run."""

    async def run(self, episodes: Iterable[Planned], *, last: bool = False) -> AsyncGenerator[EpisodeEnded, None]:
        """Run every episode. One that loses a host or a message starts again.

        Leaving the iteration early suspends: running episodes stop, and nothing is written under their paths.

        Args:
            last: whether nothing is asked of the hosts after these.

        Yields:
            Each end once it is journaled, in order; also the ends of requeued episodes, and of those that a learner
            asks for, but not the learner's own.

        Raises:
            UsageError: an episode is given twice, or is running already; or the world cannot play on a host.
            LearnerFaulted: the learner met a fault.
            Suspension: every host with slots or of a role died and is not replaced, the storage failed, or the driver's
                host was closed.
        """
        run = self._open(episodes)
        self._is_last = last
        try:
            await self._world.get_ready({task: None for planned in run.waiting for task in planned.tasks})
            while run.goes_on:
                if self._begin_queued(run):
                    await asyncio.sleep(0)
                    continue
                ended = run.collect(await run.news.get())
                if ended is not None and ended.path != LEARNER:
                    yield ended
        except EndpointUnavailable:
            # Calls in flight may be paid already: wait for their answers, and let no call begin meanwhile.
            self.pause(run)
            await self.drain()
            raise
        finally:
            self._runs.remove(run)
            if self._resetting is not None and not self._runs:
                self._resetting.cancel()
            for work in run.under_way:
                work.cancel()
            if run.under_way:
                await asyncio.wait(run.under_way)
            for end in run.waiters.values():
                end.cancel()
            if run in self._paused_by:
                self.resume(run)

    async def episode(self, planned: Planned, *, ahead: bool = False) -> EpisodeEnded:
        """Run an episode as part of the learner's run, or wait for its end if it is part of it already.

        A cancelled waiter does not end the episode.

        Args:
            ahead: before all queued episodes.

        Raises:
            UsageError: no run has a learner.
        """
        run = next((run for run in self._runs if LEARNER in run.paths), None)
        if run is None:
            raise UsageError(f"{planned.path}: expected a run with a learner under way, got none")
        if planned.path not in run.paths:
            run.add(planned, ahead=ahead)
            self.wake()
        end = run.waiters.setdefault(planned.path, asyncio.get_running_loop().create_future())
        return await asyncio.shield(end)

    def is_part(self, path: Path) -> bool:
        """Whether an episode is, or was, part of a current run."""
        return any(path in run.paths for run in self._runs)

    def add_host(self, name: HostName, *, like: HostName, instead: bool) -> None:
        """Give work to a new host with the roles of another, which it replaces if `instead`."""
        self._hosts.append(name)
        self._slots.add_host(name, like=like, instead=instead)
        self.homes.add_host(name, like=like)
        self.wake()

    def retire(self, name: HostName) -> None:
        """Give a host no more episodes; those that it has go on."""
        self._slots.retire(name)
        self.homes.retire(name)
        self.wake()

    def is_idle(self, name: HostName) -> bool:
        """Whether no episode runs on a host or has its home there."""
        return not any(name in (begun.on, begun.home) for begun in self.under_way)

    @property
    def is_ending(self) -> bool:
        """Whether all that is left to run runs, and nothing follows. A learner may always ask for more."""
        waiting = any(True for run in self._runs for _ in run.waiting)
        return self._is_last and bool(self._runs) and not waiting and not self.is_part(LEARNER)

    def forget(self, name: HostName) -> None:
        """A host was given back."""
        self._hosts.remove(name)

    # What an operator sees

    @property
    def queued(self) -> list[Path]:
        """The episodes that have not started, in order."""
        return [planned.path for run in self._runs for planned in run.waiting]

    @property
    def under_way(self) -> list[Incarnation]:
        """The running episodes and the learner, in the order they started."""
        return [begun for run in self._runs for begun in run.under_way.values()]

    @property
    def hosts(self) -> Mapping[HostName, bool]:
        """Whether each host is alive."""
        return {name: name not in self._host.lost for name in self._hosts}

    @property
    def hosts_text(self) -> str:
        """How many hosts live, of how many, and why others did not start; empty: nothing replaces them."""
        return "" if self.pool is None else self.pool.hosts_text

    @property
    def concurrency(self) -> int:
        """How many episodes may run at once."""
        return self._slots.concurrency

    # What an operator does

    @concurrency.setter
    def concurrency(self, episodes: int) -> None:
        """Set how many, at least 1; running episodes go on."""
        self._slots.concurrency = episodes
        self.wake()
        _log.info("concurrency %d", episodes)

    @property
    def paused(self) -> bool:
        """Whether no episode and no model call starts."""
        return bool(self._paused_by)

    def pause(self, by: object = None) -> None:
        """Start no episode and no model call until everybody who paused has resumed.

        Args:
            by: who pauses; None: the operator.
        """
        self._paused_by.add(by)
        for actor in self._pausable():
            actor.pause()
        _log.info("paused")

    def resume(self, by: object = None) -> None:
        """Go on after `pause`, unless somebody else holds a pause."""
        self._paused_by.discard(by)
        if self.paused:
            return
        for actor in self._pausable():
            actor.resume()
        self.wake()
        _log.info("resumed")

    async def drain(self) -> None:
        """Wait until the model calls in flight have ended."""
        for actor in self._pausable():
            await actor.drain()

    def suspend(self, why: Suspension) -> None:
        """Stop every run; each raises `why`."""
        for run in self._runs:
            run.news.put_nowait(why)

    async def cancel(self, path: Path) -> EpisodeEnded:
        """End a running or queued episode as unsolved.

        Returns:
            Its end, journaled. If the episode had decided to end by itself, say at a time limit, that is its reason.

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
        await asyncio.wait([work])  # unlike `await`, a cancelled caller does not cancel it
        if work.cancelled():
            raise UsageError(f"{path}: expected a run under way, got one that was left; a resume ends the episode")
        ended = work.result()
        assert ended is not None
        return ended

    async def requeue(self, path: Path, again: Planned) -> None:
        """Repeat an episode, before all queued episodes; returns when that is journaled.

        Args:
            path: the attempt to repeat. If it still runs, it is cancelled.
            again: the next attempt.

        Raises:
            UsageError: there is no current run, or the attempt to repeat is queued itself.
            Suspension: the storage failed.
        """
        if not self._runs:
            raise UsageError(f"{path}: expected a run under way, got none")
        if path in self.queued:
            raise UsageError(f"{path}: expected an episode that runs or has ended, got one that is queued")
        run = next((run for run in self._runs if path in run.paths), self._runs[0])
        # No await from here to the journal: no incarnation begins in between, and no run ends.
        incarnation = self._journal.begin(again.path)
        run.add(again, ahead=True)
        running = run.withdraw(path)
        if running is not None:
            self._begin_to_end(run, running)
        self.wake()
        _log.info("requeued by operator, in place of %s", path, extra={"path": again.path})
        await self._host.recorder.commit(Requeued(path=again.path, repeats=path), incarnation=incarnation)

    def _pausable(self) -> list[Pausable]:
        return [actor for actor in self._host.actors.values() if isinstance(actor, Pausable)]

    # How it goes on

    def _open(self, episodes: Iterable[Planned]) -> DriverRun:
        run = DriverRun(repeats=self._world.repeats, is_interrupted=self._journal.reader.has_sessions)
        claimed = {path for other in self._runs for path in other.paths}
        for episode in episodes:
            if episode.path in claimed:
                raise UsageError(f"{episode.path}: expected each episode once, got one that is planned already")
            claimed.add(episode.path)
            run.add(episode)
        self._runs.append(run)
        return run

    def _begin_queued(self, run: DriverRun) -> bool:
        """Begin what can begin now, but not all at once; returns whether to go on in the loop's next turn."""
        while run.interrupted:
            planned = run.interrupted.popleft()
            self._begin(run, self._incarnation(planned, self._host.name, only_to_end=True))
        self._reset_if_idle()
        awaits_host = self.pool is not None and self.pool.is_awaited
        last = len(run.under_way) + _STARTS
        while run.queue and not self.paused and not awaits_host:
            if len(run.under_way) >= last:
                return True
            if run.queue[0].has_slot and self._awaits_reset:
                break
            on = self._slots.take() if run.queue[0].has_slot else self._host.name
            if on is None:
                break
            planned = run.queue.popleft()
            home = self.homes.take(on) if planned.has_slot else None
            self._begin(run, self._incarnation(planned, on, home=home))
        stuck = not any(begun.has_slot for begun in run.under_way.values())
        if run.queue and stuck and not self._slots.living and not awaits_host:
            raise HostLost(f"every host with slots died; episodes left for a resume: {len(run.queue)}")
        return False

    def _incarnation(
        self, planned: Planned, on: HostName, *, home: HostName | None = None, only_to_end: bool = False
    ) -> Incarnation:
        return Incarnation(
            planned,
            on,
            self._world.scores,
            home=home,
            repeats=self._world.repeats,
            only_to_end=only_to_end,
            why=self._why.get(planned.path, ""),
            gives_up=self._processes[parent(planned.path)] + 1 >= _PROCESSES,
        )

    @property
    def _awaits_reset(self) -> bool:
        """Whether an attempt that was interrupted still ends, or its episode waits for the world to be reset."""
        return any(run.ending or run.interrupted or run.after_reset for run in self._runs)

    def _reset_if_idle(self) -> None:
        """Reset the world if that is waited for, and nothing of the run is in it any more."""
        busy = any(begun.planned.has_slot for run in self._runs for begun in run.under_way.values())
        if self.paused or busy or self._resetting is not None or not any(run.after_reset for run in self._runs):
            return
        self._resetting = asyncio.create_task(self._world.reset())
        self._resetting.add_done_callback(self._reset_ended)

    def _reset_ended(self, resetting: asyncio.Task[None]) -> None:
        self._resetting = None
        if resetting.cancelled():
            self.wake()  # a run that was opened meanwhile may wait for a reset
            return
        error = resetting.exception()
        if error is not None:
            self.suspend(error if isinstance(error, Suspension) else Suspension(f"reset: {error!r}"))
            return
        for run in self._runs:
            run.was_reset()
        self.wake()

    def _begin_to_end(self, run: DriverRun, planned: Planned) -> EpisodeWork:
        return self._begin(run, Incarnation(planned, self._host.name, self._world.scores, cancelled=True))

    def _begin(self, run: DriverRun, begun: Incarnation) -> EpisodeWork:
        work = asyncio.create_task(self._carry_out(begun), name=begun.path)
        work.add_done_callback(partial(self._work_ended, begun))
        run.begin(work, begun)
        return work

    async def _carry_out(self, begun: Incarnation) -> EpisodeEnded | None:
        try:
            ended = await begun.carry_out(self._host, self._journal, self._hosts)
        except (HostLost, RoleLost) as lost:
            _log.warning("this incarnation is over: %s", lost, extra={"path": begun.path})
            self._losses[begun.path] += 1
            self._processes[parent(begun.path)] += isinstance(lost, ProcessLost)
            self._why[begun.path] = str(lost)
            stops = isinstance(lost, RoleLost) and (self.pool is None or self.pool.gave_up)
            if stops or self._host.closed or self._losses[begun.path] >= _LOSSES:
                raise
            return None
        if ended.state == "interrupted":
            self._count_interruption(begun.path)
        return ended

    def _count_interruption(self, attempt: Path) -> None:
        episode = parent(attempt)
        self._interruptions[episode] += 1
        if self._interruptions[episode] >= _INTERRUPTIONS:
            raise HostLost(
                f"{attempt}: {_INTERRUPTIONS} attempts at its episode were interrupted, the last by: "
                f"{self._why.get(attempt, 'a stop')}"
            )

    def _work_ended(self, begun: Incarnation, work: EpisodeWork) -> None:
        self.homes.leave(begun.home)
        if begun.has_slot:
            self._slots.give_back(begun.on)
        for run in self._runs:
            run.news.put_nowait(work)

    def wake(self) -> None:
        """Look again whether an episode can start."""
        for run in self._runs:
            run.news.put_nowait(None)
