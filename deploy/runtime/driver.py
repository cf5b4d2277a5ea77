"""The driver: hands episodes to hosts with free slots, and takes them up again when a host or a message is lost."""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from deploy.journal.writer import SqliteJournal
from deploy.runtime.host import Host
from protocols.environment import Task
from protocols.errors import Fault, FaultNote, HostLost, Suspension, UsageError
from protocols.events import EpisodeEnded
from protocols.paths import Path
from protocols.recording import Recording
from protocols.solving import Solve, Solved, Unsolved
from protocols.transport import Address, HostName, Release

log = logging.getLogger("quintet.driver")


_LOSSES = 300
"""An episode that was lost so often is not going to end: the run stops, and resumes when the cause is gone."""


@dataclass(frozen=True)
class Planned:
    """An episode to run: new, or begun before and taken up from the journal."""

    path: Path
    task: Task


class Driver:
    """Runs episodes on hosts.

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
        self._slots = slots
        self._hosts = hosts
        self._claimed: set[Path] = set()
        """Episodes planned or running."""
        self._losses: Counter[Path] = Counter()
        """How often an episode was lost."""

    async def run(self, episodes: Iterable[Planned]) -> AsyncGenerator[EpisodeEnded, None]:
        """Run every episode; one that a lost host or message cut off is begun anew.

        Leaving the iteration early suspends: what runs is ended, nothing is written under its path.

        Yields:
            Each end once it is journaled, in the order they end.

        Raises:
            UsageError: an episode is given twice, or runs already.
            Suspension: every host with slots or of a role died, the storage failed, or the driver's host was closed.
        """
        queue = deque(episodes)
        mine = self._claim(queue)
        running: dict[asyncio.Task[EpisodeEnded | None], tuple[Planned, HostName]] = {}
        busy: Counter[HostName] = Counter()
        finished: asyncio.Queue[asyncio.Task[EpisodeEnded | None]] = asyncio.Queue()
        try:
            while queue or running:
                while queue and (worker := self._free(busy)):
                    planned = queue.popleft()
                    task = asyncio.create_task(self._episode(planned, worker), name=planned.path)
                    task.add_done_callback(finished.put_nowait)
                    running[task] = planned, worker
                    busy[worker] += 1
                if not running:
                    raise HostLost(f"every host with slots died; episodes left for a resume: {len(queue)}")
                task = await finished.get()
                planned, worker = running.pop(task)
                busy[worker] -= 1
                ended = task.result()
                if ended is None:
                    queue.appendleft(planned)
                else:
                    yield ended
        finally:
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)
            self._claimed -= mine

    def _claim(self, episodes: Iterable[Planned]) -> set[Path]:
        mine: set[Path] = set()
        for episode in episodes:
            if episode.path in self._claimed | mine:
                raise UsageError(f"{episode.path}: expected each episode once, got one that is planned already")
            mine.add(episode.path)
        self._claimed |= mine
        return mine

    def _free(self, busy: Counter[HostName]) -> HostName | None:
        free = {
            name: slots - busy[name]
            for name, slots in self._slots.items()
            if name not in self._host.lost and slots > busy[name]
        }
        return max(free, key=lambda name: free[name]) if free else None

    async def _episode(self, planned: Planned, worker: HostName) -> EpisodeEnded | None:
        path = planned.path
        incarnation = self._journal.begin(path)
        log.info("incarnation %d begins on %s", incarnation, worker, extra={"path": path})
        recorded = self._journal.reader.records(path) if incarnation > 1 else []
        started = time.perf_counter()
        try:
            reply = await self._host.ask(
                Address(host=worker, role="subtask"),
                Solve(task=planned.task),
                path=path,
                incarnation=incarnation,
                recording=Recording(path, recorded),
            )
            await self._host.witness.settle(path, incarnation)
            ended = self._ended(path, reply)
        except HostLost as lost:
            log.warning("incarnation %d is over: %s", incarnation, lost, extra={"path": path})
            self._losses[path] += 1
            if self._host.closed or self._losses[path] >= _LOSSES:
                raise
            return None
        except Suspension:
            raise
        except Fault as fault:
            ended = EpisodeEnded(path=path, state="faulted", reason=str(fault), fault=FaultNote.of(fault))
        finally:
            self._host.release(self._hosts, Release(path=path, incarnation=incarnation))
        await self._host.witness.commit(ended, incarnation, seconds=time.perf_counter() - started)
        log.info("%s, reward %s", ended.state, ended.reward, extra={"path": path})
        return ended

    def _ended(self, path: Path, reply: Solved | Unsolved) -> EpisodeEnded:
        # An episode that was cut short cannot say what it had earned; the journal can.
        cut_short = isinstance(reply, Unsolved) and reply.session is None
        return EpisodeEnded(
            path=path,
            state="solved" if isinstance(reply, Solved) else "unsolved",
            reward=self._journal.reader.best_reward(path) if cut_short else reply.reward,
            claimed=reply.claimed,
            depth=reply.depth,
            reason="" if isinstance(reply, Solved) else reply.reason,
        )
