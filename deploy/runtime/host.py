"""The host: roles to actors, a task per request, the table of open asks. Plain asyncio; knows no kind of transport."""

import asyncio
import itertools
import logging
import time
import traceback
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from actors.conversation import Conversation, speaking
from deploy.runtime.outbox import Outbox
from deploy.runtime.remote_journal import RemoteJournal
from deploy.runtime.witness import Witness
from protocols.errors import (
    ActorCrashed,
    DeadlineExceeded,
    Fault,
    FaultNote,
    HostLost,
    Superseded,
    Undecodable,
    one_line,
)
from protocols.events import Decided
from protocols.journal import Journal
from protocols.message import Message, ReplyT, Request
from protocols.paths import Path, episode_of, is_within
from protocols.recording import Recording
from protocols.transport import (
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
    Transport,
    Undelivered,
)
from protocols.wire import RequestDecoder, decode_envelope, decode_reply, encode

log = logging.getLogger("quintet.host")

_REMEMBERED = 10_000
"""Ended incarnations and overtaken asks that a host remembers; what arrives even later is refused by the journal."""


K = TypeVar("K")
V = TypeVar("V")


class Actor(Protocol):
    """Anything with one `receive`, whose annotation says what it accepts."""

    def receive(self, request: Any) -> Awaitable[Message]: ...


@runtime_checkable
class KeepsSessions(Protocol):
    """An actor that holds something for an episode until the episode is released."""

    def release(self, episode: Path, incarnation: int) -> None: ...


@dataclass(frozen=True)
class _OpenAsk:
    to: HostName
    path: Path
    incarnation: int
    body: asyncio.Future[msgspec.Raw]


@dataclass
class _Serving:
    ask: Ask
    task: asyncio.Task[None]
    unwanted: bool = False
    """Nobody waits for an answer any more."""


class Host:
    """One place where actors live.

    Args:
        name: unique among all hosts that ever take part in the run.
        transport: bound to this host.
        journal: where this host writes; None: the driver's journal, by message.
    """

    def __init__(self, name: HostName, transport: Transport, journal: Journal | None = None) -> None:
        self.name = name
        self.lost: set[HostName] = set()
        """Hosts that died."""
        self.actors: dict[str, Actor] = {}
        """By role."""
        self._decoders: dict[str, RequestDecoder] = {}
        self._asks: dict[int, _OpenAsk] = {}
        self._ids = itertools.count(1)
        self._serving: dict[tuple[HostName, int], _Serving] = {}
        self._over: dict[Path, int] = {}
        self._cancelled_early: dict[tuple[HostName, int], bool] = {}
        """Asks whose cancellation overtook them."""
        self.closed = False
        self._outbox = Outbox(transport, self._not_delivered)
        self.witness = Witness(journal or RemoteJournal(self), name, self.end_episode)
        transport.bind(self.receive, self.host_lost)

    def spawn(self, role: str, actor: Actor) -> None:
        """Let `actor` answer for a role on this host."""
        self.actors[role] = actor
        self._decoders[role] = RequestDecoder(role, actor.receive)

    @property
    def idle(self) -> bool:
        """Nothing is asked, answered, written or under way."""
        return not self._asks and not self._serving and self.witness.idle and self._outbox.idle

    # Asking

    async def ask(
        self,
        to: Address,
        request: Request[ReplyT],
        *,
        path: Path,
        incarnation: int,
        recording: Recording | None = None,
        seconds: float | None = None,
    ) -> ReplyT:
        """Send a request under `path`, wait for its reply and journal the exchange.

        Args:
            recording: what the journal holds under `path`, for a replay.
            seconds: how long the answer may take; None: as long as it takes.

        Raises:
            Fault: whatever ended the request.
        """
        if to.host in self.lost or self.closed:
            raise HostLost(f"{path}: host {self.name if self.closed else to.host} is gone")
        recording = recording or Recording(path)
        self.witness.expect(request, recording)
        number = next(self._ids)
        envelope = Ask(
            id=number,
            sender=self.name,
            role=to.role,
            path=path,
            incarnation=incarnation,
            body=msgspec.Raw(encode(request)),
            seconds_left=seconds,
            recorded=tuple(recording.records),
        )
        self._outbox.put(to.host, envelope)
        open_ask = _OpenAsk(to.host, path, incarnation, asyncio.get_running_loop().create_future())
        self._asks[number] = open_ask
        started = time.perf_counter()
        try:
            body = await open_ask.body
        except asyncio.CancelledError:
            self._outbox.put(to.host, Cancel(id=number, sender=self.name, path=path, incarnation=incarnation))
            raise
        finally:
            del self._asks[number]
        reply = decode_reply(type(request), body)
        self.witness.exchange(request, reply, recording, incarnation, time.perf_counter() - started)
        return reply

    def fail_asks(self, episode: Path, incarnation: int, fault: HostLost) -> None:
        """End this host's open asks of one incarnation of an episode."""
        for ask in self._asks.values():
            if ask.incarnation == incarnation and is_within(ask.path, episode):
                _fail(ask, fault)

    def release(self, hosts: Iterable[HostName], release: Release) -> None:
        """Tell hosts that an incarnation is over, this one at once."""
        self.end_episode(release.path, release.incarnation)
        for name in hosts:
            if name != self.name and name not in self.lost:
                self._outbox.put(name, release)

    # Receiving

    def receive(self, batch: Batch) -> None:
        """Take a batch from the transport; returns at once.

        Raises:
            Undecodable: the bytes are no envelopes; none of the batch was taken.
        """
        for envelope in [decode_envelope(data) for data in batch]:
            self._take(envelope)

    def _take(self, envelope: Envelope) -> None:
        match envelope:
            case Ask():
                self._accept(envelope)
            case Answer():
                # Of an ask that is no longer open nothing is left to change: ids are never used twice.
                if (ask := self._asks.get(envelope.id)) is not None and not ask.body.done():
                    ask.body.set_result(envelope.body)
            case Failure():
                if (ask := self._asks.get(envelope.id)) is not None:
                    _fail(ask, envelope.note.fault())
            case Cancel():
                if (serving := self._serving.get((envelope.sender, envelope.id))) is not None:
                    _end(serving)
                else:
                    self._remember(self._cancelled_early, (envelope.sender, envelope.id), True)
            case Release():
                self.end_episode(envelope.path, envelope.incarnation)
            case Undelivered():
                self.take_up_again(envelope.path, envelope.incarnation)

    @staticmethod
    def _remember(memory: dict[K, V], key: K, value: V) -> None:
        memory.pop(key, None)
        memory[key] = value
        if len(memory) > _REMEMBERED:
            del memory[next(iter(memory))]

    def take_up_again(self, path: Path, incarnation: int) -> None:
        """Something of this incarnation was lost on the way: its outermost ask, if open here, ends as lost."""
        self.fail_asks(episode_of(path), incarnation, HostLost(f"{path}: a message was lost"))

    def end_episode(self, path: Path, incarnation: int) -> None:
        """End everything here that belongs to an episode's incarnations up to this one."""
        episode = episode_of(path)
        self._remember(self._over, episode, max(incarnation, self._over.get(episode, 0)))
        for serving in list(self._serving.values()):
            if serving.ask.incarnation <= incarnation and is_within(serving.ask.path, episode):
                _end(serving)
        # What is left are asks outside of any request: steps on their way to the journal.
        for ask in self._asks.values():
            if ask.incarnation <= incarnation and is_within(ask.path, episode):
                _fail(ask, Superseded(f"{ask.path}: incarnation {ask.incarnation} is over"))
        self.witness.forget(episode, incarnation)
        for actor in self.actors.values():
            if isinstance(actor, KeepsSessions):
                actor.release(episode, incarnation)

    def host_lost(self, name: HostName) -> None:
        """A host died: what was asked of it fails, what it asked ends."""
        self.lost.add(name)
        for ask in self._asks.values():
            if ask.to == name:
                _fail(ask, HostLost(f"{ask.path}: host {name} died"))
        for serving in list(self._serving.values()):
            if serving.ask.sender == name:
                _end(serving)

    def _not_delivered(self, to: HostName, envelope: Envelope, lost: HostLost) -> None:
        match envelope:
            case Ask():
                if (ask := self._asks.get(envelope.id)) is not None:
                    _fail(ask, lost)
            case Release() | Undelivered():
                # These two mean the same however often they arrive, and everything else leans on them.
                if to not in self.lost and not self.closed:
                    self._outbox.put(to, envelope)
            case Answer() | Failure() | Cancel():
                if self.name == DRIVER:
                    self.take_up_again(envelope.path, envelope.incarnation)
                else:
                    self._outbox.put(DRIVER, Undelivered(path=envelope.path, incarnation=envelope.incarnation))

    # Answering

    def _accept(self, ask: Ask) -> None:
        if self._cancelled_early.pop((ask.sender, ask.id), False):
            return
        task = asyncio.create_task(self._serve(ask), name=f"{ask.role} {ask.path}")
        serving = _Serving(ask, task)
        self._serving[ask.sender, ask.id] = serving
        task.add_done_callback(partial(self._served, serving))

    def _served(self, serving: _Serving, task: asyncio.Task[None]) -> None:
        ask = serving.ask
        del self._serving[ask.sender, ask.id]
        if serving.unwanted:
            return
        if task.cancelled():
            # Not by the asker, not by the driver: an actor cancelled itself, and somebody still waits.
            self._answer_fault(ask, ActorCrashed(f"{ask.path}: {ask.role} cancelled itself"))
        elif (error := task.exception()) is not None:
            self._answer_fault(ask, _crash(ask, error))

    async def _serve(self, ask: Ask) -> None:
        try:
            if ask.incarnation <= self._over.get(episode_of(ask.path), 0):
                raise Superseded(f"{ask.path}: incarnation {ask.incarnation} is over")
            reply = await self._answer(ask)
            self._outbox.put(ask.sender, reply)
        except Fault as fault:
            self._answer_fault(ask, fault)
        except (Exception, SystemExit) as bug:  # noqa: BLE001  the one boundary at which a bug becomes a fault
            self._answer_fault(ask, _crash(ask, bug))

    async def _answer(self, ask: Ask) -> Answer:
        if ask.role not in self.actors:
            raise Undecodable(f"{ask.path}: expected a role of host {self.name}, got {ask.role!r}")
        request = self._decoders[ask.role](ask.body)
        recording = Recording(ask.path, ask.recorded)
        conversation = Conversation(ask.path, ask.incarnation, recording, partial(self._commit, ask.incarnation))
        loop = asyncio.get_running_loop()
        deadline = None if ask.seconds_left is None else loop.time() + ask.seconds_left
        timer = asyncio.timeout_at(deadline)
        try:
            with speaking(conversation):
                async with timer:
                    reply = await self.actors[ask.role].receive(request)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise _late(ask) from error
        if deadline is not None and loop.time() > deadline:
            raise _late(ask)  # code that never waits cannot be interrupted, only told of afterwards
        if request.journaled:
            # Whoever sees the answer may rely on everything below it being in the journal.
            await self.witness.settle(ask.path, ask.incarnation)
        return Answer(id=ask.id, path=ask.path, incarnation=ask.incarnation, body=msgspec.Raw(encode(reply)))

    async def _commit(self, incarnation: int, event: Decided) -> None:
        await self.witness.commit(event, incarnation)

    def _answer_fault(self, ask: Ask, fault: Fault) -> None:
        note = FaultNote.of(fault)
        detail = f"\n{note.detail}" if note.detail else ""
        log.warning("%s: %s%s", note.kind, note.text, detail, extra={"path": ask.path})
        self._outbox.put(ask.sender, Failure(id=ask.id, path=ask.path, incarnation=ask.incarnation, note=note))

    # Ending

    async def close(self) -> None:
        """End what is being answered, then wait until everything said has been delivered or lost, and journaled."""
        self.closed = True
        for ask in self._asks.values():
            _fail(ask, Superseded(f"{ask.path}: host {self.name} was closed"))
        for serving in list(self._serving.values()):
            _end(serving)
        tasks = [serving.task for serving in self._serving.values()]
        if tasks:
            await asyncio.wait(tasks)
        await self.witness.close()
        await self._outbox.close()


def _fail(ask: _OpenAsk, fault: Fault) -> None:
    if not ask.body.done():
        ask.body.set_exception(fault)


def _late(ask: Ask) -> DeadlineExceeded:
    return DeadlineExceeded(f"{ask.path}: {ask.role}: no answer within {ask.seconds_left} s")


def _crash(ask: Ask, bug: BaseException) -> ActorCrashed:
    crash = ActorCrashed(f"{ask.path}: {ask.role}: {type(bug).__name__}: {one_line(bug)}")
    crash.detail = "".join(traceback.format_exception(bug))
    return crash


def _end(serving: _Serving) -> None:
    serving.unwanted = True
    serving.task.cancel()
