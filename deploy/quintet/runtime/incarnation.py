"""An incarnation: one start of an episode, from the number that the journal gives it to the end that it writes."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from quintet.errors import Fault, FaultNote, LearnerFaulted, ProcessLost, Suspension
from quintet.events import Cancelled, CutShort, EpisodeEnded, Record, SessionOpened
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.continuations import COPIED, Continuation
from quintet.messages.learning import Learn, Learned
from quintet.messages.paths import LEARNER, Path
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.ports.model import SamplingOverride
from quintet.ports.transport import Address, HostName, Release
from quintet.roles.subtask import SUBTASK_ROLE, early_answer, early_end
from quintet.runtime.host import Host

_log = logging.getLogger("quintet.driver")

LEARNER_ROLE: Final = "learner"
"""On the driver's host."""


class _Interrupted(Exception):
    """The attempt cannot be replayed; the text says what interrupted it."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What an episode takes from a recorded one that it goes on from."""

    continues: Continuation
    records: Callable[[Path], Sequence[Record]]
    """Those before the path where it goes on, in the order of their commits, as records of the path that is given; a
    fault that is no `Suspension` is that of the episode."""
    world: int
    """The epoch that its world is of."""
    purpose: str = ""
    """Of the request that began the recorded one, as its sampling."""
    sampling: SamplingOverride | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """An episode to run, or the run's learner: new, or continued from the journal."""

    path: Path
    request: Solve | Learn
    after_reset: bool = False
    """It follows an attempt that may have acted, so the world must be reset before it, unless the world repeats."""

    beginning: Beginning | None = None
    """None: it begins by itself."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks that it plays, or has played."""
        match self.request:
            case Solve(task=task):
                return (task.name,)
            case Learn(training=training, held_out=held_out, test=test):
                return (*training, *held_out, *test)

    @property
    def has_slot(self) -> bool:
        """Whether it takes an episode's slot on a host. A learner waits for episodes, so it must not keep one."""
        return self.path != LEARNER


@dataclass(slots=True, eq=False)
class Incarnation:
    """A running episode, or the learner."""

    planned: Planned
    on: HostName
    """Where it runs."""
    scores: Callable[[str], tuple[str, ...]]
    """Of a task: the figures that are 0 until an outcome has them."""
    cancelled: bool = False
    """It runs on no host and is only ended. From its beginning on, the journal refuses rows of earlier incarnations."""
    home: HostName | None = None
    """Where its sessions open, outside of spread branches; None: by placement."""
    repeats: bool = True
    """Whether the world answers the same actions alike. Where it may not, an attempt that has acted in it is not
    replayed: it ends as interrupted."""
    only_to_end: bool = False
    """It runs on no host: it was interrupted."""
    why: str = ""
    """What interrupted it, in words; empty: it is not known any more."""
    gives_up: bool = False
    """If the process of its session is lost once more, the episode ends by that fault."""
    ending: bool = field(default=False, init=False)
    """Its end is being journaled."""
    early: CutShort | Cancelled | None = field(default=None, init=False)
    """What ended the episode before its method did."""
    worked: float = field(default=0.0, init=False)
    """Seconds of the episode's earlier starts, up to the last record of each."""
    since: float = field(default_factory=time.monotonic, init=False)
    """When it began, in seconds of `time.monotonic`."""

    @property
    def path(self) -> Path:
        return self.planned.path

    @property
    def has_slot(self) -> bool:
        """Whether it takes an episode's slot on a host."""
        return self.planned.has_slot and not self.cancelled and not self.only_to_end

    async def carry_out(self, host: Host, journal: SqliteJournal, hosts: Sequence[HostName]) -> EpisodeEnded:
        """Begin, run and end.

        Raises:
            HostLost: a host, a message or a process was lost; the episode must begin again.
            LearnerFaulted: it is the learner, and met a fault. It has no further attempts, since episodes used what it
                published: a resume continues it.
            Suspension: the episode is left for a resume.
        """
        copied = self._copied(journal)
        number = journal.begin_from(self.path, copied) if isinstance(copied, Sequence) else journal.begin(self.path)
        if number > 1:
            _log.info("incarnation %d begins on %s", number, self.on, extra={"path": self.path})
        began = time.perf_counter()
        try:
            if isinstance(copied, Fault):
                raise copied
            reply = await self._reply(number, host, journal, has_acted=number > 1 and copied is None)
            await host.recorder.settle(self.path, number)
            ended = self._end_event(reply, journal)
        except _Interrupted as interrupted:
            ended = EpisodeEnded(path=self.path, state="interrupted", reason=str(interrupted))
        except Fault as fault:
            if isinstance(fault, Suspension) and not (isinstance(fault, ProcessLost) and self.gives_up):
                raise
            if isinstance(self.planned.request, Learn):
                stopped = LearnerFaulted(f"learner: {FaultNote.of(fault).kind}: {fault}")
                stopped.detail = fault.detail
                raise stopped from fault
            ended = EpisodeEnded(path=self.path, state="faulted", reason=str(fault), fault=FaultNote.of(fault))
        finally:
            host.release(hosts, Release(path=self.path, incarnation=number))
        self.ending = True
        await host.recorder.commit(ended, incarnation=number, seconds=self.worked + time.perf_counter() - began)
        return ended

    def _copied(self, journal: SqliteJournal) -> Sequence[Record] | Fault | None:
        """The records that the attempt begins with, or why it cannot; None: it begins by itself, or has them."""
        beginning = self.planned.beginning
        if beginning is None or journal.has_records(self.path):
            return None
        try:
            return beginning.records(self.path)
        except Fault as fault:
            if isinstance(fault, Suspension):
                raise
            return fault

    async def _reply(
        self, number: int, host: Host, journal: SqliteJournal, *, has_acted: bool
    ) -> Solved | Unsolved | Learned:
        """The answer of the episode's host, unless something ended the episode early.

        Args:
            has_acted: whether the attempt may have acted in its world, if its records have a session.
        """
        request = self.planned.request
        beginning = self.planned.beginning
        begun_before = number > 1 or self.cancelled or self.only_to_end or beginning is not None
        records = journal.reader.records(self.path) if begun_before else []
        self.worked = _working_seconds(record for record in records if COPIED < record.incarnation < number)
        recording = Recording(self.path, records)
        self.early = early_end(recording)
        if self.early is None and self.cancelled:
            self.early = Cancelled(path=self.path)
            await host.recorder.commit(self.early, incarnation=number)
        if self.early is not None:
            reply = early_answer(self.early)
            host.recorder.exchange(request, reply, recording, number, host=host.name, seconds=0.0)
            return reply
        if has_acted and not self.repeats and any(isinstance(record.event, SessionOpened) for record in records):
            raise _Interrupted(self.why or "its run stopped")
        if isinstance(request, Learn):
            to = Address(host=self.on, role=LEARNER_ROLE)
            return await host.ask(to, request, path=self.path, incarnation=number, recording=recording)
        to = Address(host=self.on, role=SUBTASK_ROLE.name)
        return await host.ask(
            to,
            request,
            path=self.path,
            incarnation=number,
            recording=recording,
            home=self.home,
            continues=None if beginning is None else beginning.continues,
        )

    def _end_event(self, reply: Solved | Unsolved | Learned, journal: SqliteJournal) -> EpisodeEnded:
        if isinstance(reply, Learned):
            return EpisodeEnded(path=self.path, state="solved")
        # An episode that ended early without an offer does not know its reward; the journal does.
        reward = journal.reader.last_reward(self.path) if reply.session is None else reply.reward
        session = None if reply.session is None else reply.session.id
        assert isinstance(self.planned.request, Solve)
        unreached = dict.fromkeys(self.scores(self.planned.request.task.name), 0.0)
        return EpisodeEnded(
            path=self.path,
            state="solved" if isinstance(reply, Solved) else "unsolved",
            reward=reward,
            figures={**unreached, **journal.reader.figures(self.path, session, reward)},
            claimed=reply.claimed,
            depth=reply.depth,
            reason=reply.reason,
            cancelled=isinstance(self.early, Cancelled),
        )


def _working_seconds(records: Iterable[Record]) -> float:
    """Seconds of the starts that wrote records, each from the beginning of its first record to its last."""
    starts: dict[int, list[Record]] = {}
    for record in records:
        starts.setdefault(record.incarnation, []).append(record)
    return sum(
        max(record.at for record in wrote) - min(record.at - record.seconds for record in wrote)
        for wrote in starts.values()
    )
