"""The host: actors live on it. It sends their requests, runs the requests that arrive, and sends back the replies."""

import asyncio
import itertools
import logging
import math
import time
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from quintet.errors import (
    ActorCrashed,
    DeadlineExceeded,
    Fault,
    FaultNote,
    HostLost,
    StaleIncarnation,
    Undecodable,
    one_line,
)
from quintet.events import AnyEvent
from quintet.events.recording import Recording
from quintet.messages.continuations import Continuation
from quintet.messages.environment import Stepped, Trail
from quintet.messages.message import Message, ReplyT, Request, phase_of
from quintet.messages.paths import Path, episode_of
from quintet.messages.wire import MessageDecoder, decode_envelope, decode_reply, encode
from quintet.plugins.code_places import raised_at
from quintet.plugins.signatures import check_functions
from quintet.ports.journal import Journal
from quintet.ports.model import Closes
from quintet.ports.transport import (
    DRIVER,
    Address,
    Answer,
    Ask,
    Batch,
    Cancel,
    Envelope,
    Failure,
    HostName,
    Release,
    Tell,
    Transport,
    Undelivered,
)
from quintet.roles.by_episode import ByEpisode
from quintet.roles.context import RequestContext, running
from quintet.roles.role import Actor
from quintet.runtime.actor import HasSessions, Hears, KeepsPermits, KeepsSessions
from quintet.runtime.deadlines import Deadlines
from quintet.runtime.recorder import Recorder, remember
from quintet.runtime.remote_journal import JOURNAL_ROLE, RemoteJournal

_log = logging.getLogger("quintet.host")


_Envelopes: TypeAlias = list[tuple[Envelope, bytes]]
"""Each with its encoding."""


@dataclass(slots=True, eq=False)
class _OpenAsk:
    to: HostName
    path: Path
    episode: Path
    incarnation: int
    reply: asyncio.Future[msgspec.Raw]
    """Encoded."""

    def end(self, result: msgspec.Raw | Fault) -> None:
        if self.reply.done():
            return
        if isinstance(result, Fault):
            self.reply.set_exception(result)
        else:
            self.reply.set_result(result)


@dataclass(slots=True, eq=False)
class _Job:
    host: "Host"
    ask: Ask
    episode: Path
    task: asyncio.Task[None] = field(init=False)
    deadline: float = math.inf
    """A time of the running loop."""
    late: bool = False
    """Its deadline passed, and its actor was cancelled."""
    cancelled: bool = False
    """By its asker, or with its episode: no answer is sent."""

    def cancel(self) -> None:
        self.cancelled = True
        self.task.cancel()

    def expire(self) -> None:
        self.late = True
        self.task.cancel()

    # What its request's context calls: methods of what is there anyway, since each waiting request has them

    def commit(self, *events: AnyEvent) -> Coroutine[Any, Any, None]:
        return self.host.recorder.commit(*events, incarnation=self.ask.incarnation)

    def note(self, event: AnyEvent) -> None:
        self.host.recorder.note(event, self.ask.incarnation)

    def off_clock(self) -> AbstractContextManager[None]:
        return self.host.off_clock(self)


class Host:
    """Actors by role, which exchange encoded messages with the actors of this host and others.

    Args:
        name: unique among all hosts that ever take part in the run.
        journal: where this host writes; None: the driver's journal, by message.
    """

    def __init__(self, name: HostName, transport: Transport, journal: Journal | None = None) -> None:
        self.name = name
        self.actors: dict[str, Actor] = {}
        """By role."""
        self._keepers: dict[str, KeepsSessions] = {}
        """Those of them that are told of the end of episodes."""
        self.lost: set[HostName] = set()
        """Hosts that died."""
        self.leaving: set[HostName] = set()
        """Hosts that are to end: they are asked no more, but for the sessions that are open there."""
        self.replaced: dict[HostName, HostName] = {}
        """By a host that died, the one that took its place."""
        self.watchers: list[Callable[[HostName], None]] = []
        """Called with each host that dies."""
        self.closed = False
        self._decoders: dict[str, MessageDecoder[Request[Message]]] = {}
        self._one_way: dict[str, tuple[Hears, MessageDecoder[Message]]] = {}
        self._numbers = itertools.count(1)
        self._asks: dict[int, _OpenAsk] = {}
        """By number. No number is used twice, so a late reply to an ask that has ended changes nothing."""
        self._asks_of: ByEpisode[_OpenAsk] = ByEpisode()
        """The same, by episode."""
        self._jobs: dict[tuple[HostName, int], _Job] = {}
        """By the asker's host and number."""
        self._jobs_of: ByEpisode[_Job] = ByEpisode()
        """The same, by episode."""
        self._deadlines = Deadlines(_Job.expire)
        self._over: OrderedDict[Path, int] = OrderedDict()
        """By episode, the newest incarnation that has ended."""
        self._cancelled: OrderedDict[tuple[HostName, int], bool] = OrderedDict()
        """Cancellations that found no job: a few overtook their ask, most came after its end."""
        self._transport = transport
        self._outbox: dict[HostName, _Envelopes] = {}
        """What this turn of the event loop sends, by receiver."""
        self._deliveries: set[asyncio.Task[None]] = set()
        self._silent = False
        """One-way messages are no longer sent, nor sent again."""
        self._remote: RemoteJournal | None = None
        if journal is None:
            journal = self._remote = RemoteJournal(self)
            self.listen(JOURNAL_ROLE, self._remote)
        self.recorder = Recorder(journal, name)
        transport.bind(self.receive, self.host_lost)

    def spawn(self, role: str, actor: Actor) -> None:
        """Let `actor` answer for a role on this host; a `UsageError` if it cannot be asked."""
        check_functions(type(actor), Actor)
        self.actors[role] = actor
        self._decoders[role] = MessageDecoder(role, actor.receive)
        self._keepers.pop(role, None)
        if isinstance(actor, KeepsSessions):
            self._keepers[role] = actor
        if isinstance(actor, Hears):
            self.listen(role, actor)

    def listen(self, role: str, hearer: Hears) -> None:
        """Let `hearer` hear the one-way messages to a role of this host."""
        self._one_way[role] = hearer, MessageDecoder(role, hearer.hear)

    # An actor asks

    async def ask(
        self,
        to: Address,
        request: Request[ReplyT],
        *,
        path: Path,
        incarnation: int,
        recording: Recording | None = None,
        seconds: float | None = None,
        home: HostName | None = None,
        trail: Trail | None = None,
        continues: Continuation | None = None,
    ) -> ReplyT:
        """Send a request under `path`, wait for its reply and journal the exchange.

        Args:
            recording: what the journal holds under `path`, for a replay.
            home: the host that the episode's sessions open on; None: by placement.
            trail: what was done before the turns of the request, or before it; None: unknown.
            continues: how the episode goes on from a recorded one; None: it begins by itself.
            seconds: how long the answer may take; None: no limit.

        Raises:
            Fault: what ended the request.
        """
        if to.host in self.lost or self.closed:
            raise HostLost(f"{path}: host {self.name if self.closed else to.host} is gone")
        episode = episode_of(path)
        self.refuse_stale(path, incarnation)
        recording = recording or Recording(path)
        self.recorder.expect(request, recording, incarnation)
        number = next(self._numbers)
        self._send(  # no name here holds its bytes while the answer is waited for
            to.host,
            Ask(
                id=number,
                sender=self.name,
                role=to.role,
                path=path,
                incarnation=incarnation,
                body=msgspec.Raw(encode(request)),
                seconds_left=seconds,
                recorded=tuple(recording.records),
                home=home,
                trail=trail,
                continues=continues,
            ),
        )
        ask = _OpenAsk(to.host, path, episode, incarnation, asyncio.get_running_loop().create_future())
        self._asks[number] = ask
        self._asks_of.add(episode, ask)
        started = time.perf_counter()
        try:
            body = await ask.reply
        except asyncio.CancelledError:
            self._send(to.host, Cancel(id=number, sender=self.name, path=path, incarnation=incarnation))
            raise
        finally:
            del self._asks[number]
            self._asks_of.discard(episode, ask)
        reply = decode_reply(type(request), body)
        if continues is not None and isinstance(reply, Stepped) and (said := continues.says_at(path)) is not None:
            reply = replace(reply, observation=said)
        took = time.perf_counter() - started
        self.recorder.exchange(request, reply, recording, incarnation, host=to.host, seconds=took)
        return reply

    def tell(self, to: Address, message: Message) -> None:
        """Send a one-way message. It is sent again until it is delivered or the receiving host is dead."""
        if to.host not in self.lost and not self._silent:
            self._send(to.host, Tell(role=to.role, body=msgspec.Raw(encode(message))))

    # Envelopes leave: one batch per receiving host at the end of the loop's turn. No timer

    def _send(self, to: HostName, envelope: Envelope) -> None:
        data = encode(envelope)
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.setdefault(to, []).append((envelope, data))

    def _flush(self) -> None:
        outbox, self._outbox = self._outbox, {}
        for to, envelopes in outbox.items():
            try:
                acknowledged = self._transport.deliver(to, [data for _, data in envelopes])
            except HostLost as lost:
                self._lose(to, envelopes, lost)
                continue
            if acknowledged is not None:
                delivery = asyncio.create_task(self._await_delivery(to, envelopes, acknowledged))
                self._deliveries.add(delivery)
                delivery.add_done_callback(self._deliveries.discard)

    async def _await_delivery(self, to: HostName, envelopes: _Envelopes, acknowledged: Awaitable[None]) -> None:
        try:
            await acknowledged
        except HostLost as lost:
            self._lose(to, envelopes, lost)

    def _lose(self, to: HostName, envelopes: _Envelopes, lost: HostLost) -> None:
        for envelope, _ in envelopes:
            self._not_delivered(to, envelope, lost)

    def _not_delivered(self, to: HostName, envelope: Envelope, lost: HostLost) -> None:
        match envelope:
            case Ask():
                self._end_ask(envelope.id, lost)
            case Release() | Undelivered() | Tell():
                # These mean the same however often they arrive, and everything else relies on them.
                if to not in self.lost and not self._silent:
                    self._send(to, envelope)
            case Answer() | Failure() | Cancel():
                if self.name == DRIVER:
                    self.take_up_again(envelope.path, envelope.incarnation)
                else:
                    self._send(DRIVER, Undelivered(path=envelope.path, incarnation=envelope.incarnation))

    # Envelopes arrive

    def receive(self, batch: Batch) -> None:
        """Take a batch from the transport at once; an `Undecodable`, and nothing taken, if it is no envelopes."""
        for envelope in [decode_envelope(data) for data in batch]:
            self._take(envelope)

    def _take(self, envelope: Envelope) -> None:
        match envelope:
            case Ask():
                self._start(envelope)
            case Answer():
                self._end_ask(envelope.id, envelope.body)
            case Failure():
                self._end_ask(envelope.id, envelope.note.fault())
            case Cancel():
                self._cancel(envelope)
            case Release():
                self.end_episode(envelope.path, envelope.incarnation)
            case Tell():
                self._hear(envelope)
            case Undelivered():
                self.take_up_again(envelope.path, envelope.incarnation)

    def _end_ask(self, number: int, result: msgspec.Raw | Fault) -> None:
        if number in self._asks:
            self._asks[number].end(result)

    def _hear(self, tell: Tell) -> None:
        """Deliver a one-way message. Errors are logged, since no one waits for a reply."""
        if tell.role not in self._one_way:
            return
        actor, decode = self._one_way[tell.role]
        try:
            actor.hear(decode(tell.body))
        except Exception as error:  # noqa: BLE001  the rest of the batch must be taken
            _log.warning("%s: %s: %s", tell.role, type(error).__name__, one_line(error))

    # An actor answers: every ask once, unless its asker or its episode is gone

    def _start(self, ask: Ask) -> None:
        key = ask.sender, ask.id
        if self.closed or self._cancelled.pop(key, False):
            return
        self._jobs[key] = job = _Job(self, ask, episode_of(ask.path))
        self._jobs_of.add(job.episode, job)
        job.task = asyncio.create_task(self._answer(job), name=ask.path)
        job.task.add_done_callback(partial(self._ended, job))

    async def _answer(self, job: _Job) -> None:
        """Run the actor. Here, and nowhere else, a bug becomes a fault."""
        path, incarnation = job.ask.path, job.ask.incarnation
        try:
            self.refuse_stale(path, incarnation)
            reply = await self._reply(job)
            self._send(job.ask.sender, Answer(id=job.ask.id, path=path, incarnation=incarnation, body=reply))
        except Fault as fault:
            self._fail(job.ask, fault)
            if isinstance(fault, StaleIncarnation):
                self.end_episode(path, incarnation)
        except (Exception, SystemExit) as bug:  # noqa: BLE001  see above
            self._fail(job.ask, _crash(job.ask, bug))

    async def _reply(self, job: _Job) -> msgspec.Raw:
        ask = job.ask
        if ask.role not in self.actors:
            raise Undecodable(f"{ask.path}: expected a role of host {self.name}, got {ask.role!r}")
        request = self._decoders[ask.role](ask.body)
        recording = Recording(ask.path, ask.recorded)
        # While the actor works, the bytes that were decoded are not kept.
        job.ask = ask = replace(ask, body=msgspec.Raw(), recorded=())
        context = RequestContext(
            ask.path,
            ask.incarnation,
            recording,
            job.commit,
            job.note,
            phase=_phase(ask.role, request),
            home=ask.home,
            off_clock=job.off_clock,
            start=ask.trail,
            continues=ask.continues,
        )
        with running(context):
            answer = self.actors[ask.role].receive(request)
            reply = await (answer if ask.seconds_left is None else self._within(ask.seconds_left, job, answer))
        if request.journaled or (ask.role in self._keepers and ask.sender != self.name):
            # An answer implies that everything below its path is in the journal. What a world shows is journaled here,
            # and a step is not: on its asker's own host, that settles for both.
            await self.recorder.settle(ask.path, ask.incarnation)
        return msgspec.Raw(encode(reply))

    async def _within(self, seconds: float, job: _Job, answer: Awaitable[Message]) -> Message:
        loop = asyncio.get_running_loop()
        job.deadline = loop.time() + seconds
        self._deadlines.watch(job, job.deadline)
        try:
            reply = await answer
        except asyncio.CancelledError:
            if not job.late or job.cancelled:
                raise
            raise _late(job.ask) from None
        finally:
            self._deadlines.drop(job)
        if loop.time() > job.deadline:
            raise _late(job.ask)  # code that never awaits cannot be interrupted
        return reply

    @contextmanager
    def off_clock(self, job: _Job) -> Generator[None, None, None]:
        """A block whose time does not count towards the job's deadline, if it has one."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        self._deadlines.drop(job)
        try:
            yield
        finally:
            job.deadline += loop.time() - began
            if job.deadline < math.inf:
                self._deadlines.watch(job, job.deadline)

    def _ended(self, job: _Job, task: asyncio.Task[None]) -> None:
        ask = job.ask
        del self._jobs[ask.sender, ask.id]
        self._jobs_of.discard(job.episode, job)
        if job.cancelled:
            return
        if task.cancelled():
            self._fail(ask, ActorCrashed(f"{ask.path}: {ask.role} cancelled itself"))
        elif (error := task.exception()) is not None:
            self._fail(ask, _crash(ask, error))

    def _fail(self, ask: Ask, fault: Fault) -> None:
        note = FaultNote.of(fault)
        detail = f"\n{note.detail}" if note.detail else ""
        _log.warning("%s: %s%s", note.kind, note.text, detail, extra={"path": ask.path})
        self._send(ask.sender, Failure(id=ask.id, path=ask.path, incarnation=ask.incarnation, note=note))

    # What ends requests early

    def _cancel(self, cancel: Cancel) -> None:
        job = self._jobs.get((cancel.sender, cancel.id))
        if job is not None:
            job.cancel()
        else:
            remember(self._cancelled, (cancel.sender, cancel.id), True)

    def end_episode(self, path: Path, incarnation: int) -> None:
        """End and refuse everything here that belongs to the episode's incarnations up to this one."""
        episode = episode_of(path)
        remember(self._over, episode, max(incarnation, self._over.get(episode, 0)))
        for job in self._jobs_of.of(episode):
            if job.ask.incarnation <= incarnation:
                job.cancel()
        for keeper in self._keepers.values():
            keeper.release(episode, incarnation)
        # The asks that are left belong to no job: they are the driver's.
        for ask in self._asks_of.of(episode):
            if ask.incarnation <= incarnation:
                ask.end(StaleIncarnation(f"{ask.path}: incarnation {ask.incarnation} is over"))
        if self._remote is not None:
            self._remote.release(episode, incarnation)
        self.recorder.forget(episode, incarnation)

    def refuse_stale(self, path: Path, incarnation: int) -> None:
        """Raise a `StaleIncarnation` if the incarnation has ended here."""
        # Also for what a cancelled request asks while it cleans up: nobody may be left to answer it.
        if self._over and incarnation <= self._over.get(episode_of(path), 0):
            raise StaleIncarnation(f"{path}: incarnation {incarnation} is over")

    def release(self, hosts: Iterable[HostName], release: Release) -> None:
        """End an incarnation on this host at once, and tell the others that it is over."""
        self.end_episode(release.path, release.incarnation)
        for name in hosts:
            if name != self.name and name not in self.lost:
                self._send(name, release)

    def take_up_again(self, path: Path, incarnation: int) -> None:
        """A message of this incarnation was lost: what its episode asks from here fails, so that it starts again."""
        for ask in self._asks_of.of(episode_of(path)):
            if ask.incarnation == incarnation:
                ask.end(HostLost(f"{path}: a message was lost"))

    def host_lost(self, name: HostName) -> None:
        """A host died: what was asked of it fails, what it asked is cancelled."""
        if name in self.lost:
            return
        self.lost.add(name)
        for ask in self._asks.values():
            if ask.to == name:
                ask.end(HostLost(f"{ask.path}: host {name} died"))
        for job in self._jobs.values():
            if job.ask.sender == name:
                job.cancel()
        for actor in self.actors.values():
            if isinstance(actor, KeepsPermits):
                actor.host_lost(name)
        for watcher in self.watchers:
            watcher(name)

    def newest(self, name: HostName) -> HostName:
        """The host that is asked in the place of `name`: itself, unless it died and was replaced."""
        while name in self.replaced:
            name = self.replaced[name]
        return name

    async def delivered(self) -> None:
        """Wait until everything that was sent so far, and what is sent meanwhile, has arrived or is lost."""
        while self._outbox or self._deliveries:
            if self._deliveries:
                await asyncio.wait(self._deliveries)
            await asyncio.sleep(0)

    @property
    def idle(self) -> bool:
        """Nothing is asked, answered, written or on its way."""
        return not (self._asks or self._jobs or self._outbox or self._deliveries) and self.recorder.idle

    @property
    def is_free(self) -> bool:
        """Idle, and no session is open here."""
        return self.idle and not any(
            isinstance(actor, HasSessions) and actor.sessions for actor in self.actors.values()
        )

    async def close(self) -> None:
        """End all requests, then wait until everything that was sent is delivered or lost, and journaled."""
        self.closed = True
        for ask in self._asks.values():
            ask.end(StaleIncarnation(f"{ask.path}: host {self.name} was closed"))
        for job in self._jobs.values():
            job.cancel()
        if self._remote is not None:
            self._remote.close()
        while self._jobs:
            await asyncio.wait([job.task for job in self._jobs.values()])
        for actor in self.actors.values():
            if isinstance(actor, Closes):
                await actor.aclose()
        self._deadlines.close()
        await self.recorder.close()
        self._silent = True
        self._flush()
        while self._deliveries:
            await asyncio.wait(self._deliveries)


def _late(ask: Ask) -> DeadlineExceeded:
    return DeadlineExceeded(f"{ask.path}: {ask.role}: no answer within {ask.seconds_left} s")


def _phase(actor: str, request: Request[Any]) -> str:
    """What the model calls of a request are for; an inner method's actors have its name before their role's."""
    method, mark, _ = actor.rpartition("/")
    return f"{method}{mark}{phase_of(request)}"


def _crash(ask: Ask, bug: BaseException) -> ActorCrashed:
    """A bug as a fault that says where it is. Which request met it, the log and the episode say."""
    crash = ActorCrashed(f"{raised_at(bug) or ask.role}: {type(bug).__name__}: {one_line(bug)}")
    crash.detail = "".join(traceback.format_exception(bug))
    return crash
