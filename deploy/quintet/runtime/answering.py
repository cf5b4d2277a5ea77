"""Answering: the actors of a host, and a task for every request to them."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from quintet.errors import ActorCrashed, DeadlineExceeded, Fault, FaultNote, StaleIncarnation, Undecodable, one_line
from quintet.events.recording import Recording
from quintet.messages.message import Message, Request
from quintet.messages.paths import Path, episode_of, is_within
from quintet.messages.wire import MessageDecoder, encode
from quintet.ports.transport import Answer, Ask, Cancel, Envelope, Failure, HostName, Tell
from quintet.roles.context import RequestContext, running
from quintet.roles.role import Actor
from quintet.runtime.recorder import Recorder

log = logging.getLogger("quintet.host")

_REMEMBERED = 10_000
"""Of ended incarnations and of early cancellations, the newest that are remembered. What an older incarnation still
does is refused by the journal; an ask whose cancellation was forgotten runs until its episode ends."""

K = TypeVar("K")
V = TypeVar("V")

Send = Callable[[HostName, Envelope], None]


@runtime_checkable
class KeepsSessions(Protocol):
    """An actor that holds something for an episode until the episode is released."""

    def release(self, episode: Path, incarnation: int) -> None: ...


@runtime_checkable
class Hears(Protocol):
    """An actor that is also told things nobody answers; its annotation says which."""

    def hear(self, message: Any) -> None: ...


@runtime_checkable
class KeepsPermits(Protocol):
    """An actor that holds something for a host until the host returns it."""

    def host_lost(self, host: HostName) -> None: ...


@dataclass
class _Serving:
    ask: Ask
    task: asyncio.Task[None]
    unwanted: bool = False
    """Nobody waits for an answer any more."""

    def end(self) -> None:
        self.unwanted = True
        self.task.cancel()


class Answering:
    """Answers every ask exactly once, unless its asker or its episode is gone.

    Args:
        host: whose actors these are.
        witness: the host's.
        send: puts an envelope on its way.
    """

    def __init__(self, host: HostName, recorder: Recorder, send: Send) -> None:
        self.actors: dict[str, Actor] = {}
        """By role."""
        self._host = host
        self._witness = recorder
        self._send = send
        self._decoders: dict[str, MessageDecoder[Request[Message]]] = {}
        self._hearers: dict[str, tuple[Hears, MessageDecoder[Message]]] = {}
        self._serving: dict[tuple[HostName, int], _Serving] = {}
        self._over: dict[Path, int] = {}
        """By episode, the newest incarnation that has ended."""
        self._cancelled_early: dict[tuple[HostName, int], bool] = {}
        """Cancellations that found nothing to cancel: some overtook their ask, most came after its end."""
        self._closed = False

    def __len__(self) -> int:
        return len(self._serving)

    def spawn(self, role: str, actor: Actor) -> None:
        """Let `actor` answer for a role."""
        self.actors[role] = actor
        self._decoders[role] = MessageDecoder(role, actor.receive)
        if isinstance(actor, Hears):
            self._hearers[role] = actor, MessageDecoder(role, actor.hear)

    def accept(self, ask: Ask) -> None:
        """Begin to answer."""
        if self._closed or self._cancelled_early.pop((ask.sender, ask.id), False):
            return
        task = asyncio.create_task(self._serve(ask), name=f"{ask.role} {ask.path}")
        serving = _Serving(ask, task)
        self._serving[ask.sender, ask.id] = serving
        task.add_done_callback(partial(self._served, serving))

    def hear(self, tell: Tell) -> None:
        """Hand on what nobody answers; what is wrong with it is nobody's but the log's."""
        if tell.role not in self._hearers:
            return
        actor, decode = self._hearers[tell.role]
        try:
            actor.hear(decode(tell.body))
        except Exception as error:  # noqa: BLE001  nobody waits for it, and the rest of the batch is not to suffer
            log.warning("%s: %s: %s", tell.role, type(error).__name__, one_line(error))

    def cancel(self, cancel: Cancel) -> None:
        """The asker no longer waits."""
        serving = self._serving.get((cancel.sender, cancel.id))
        if serving is not None:
            serving.end()
        else:
            _remember(self._cancelled_early, (cancel.sender, cancel.id), True)

    def end_episode(self, episode: Path, incarnation: int) -> None:
        """End and refuse all that belongs to the episode's incarnations up to this one, and release what is held."""
        _remember(self._over, episode, max(incarnation, self._over.get(episode, 0)))
        self._end_where(lambda ask: ask.incarnation <= incarnation and is_within(ask.path, episode))
        for actor in self.actors.values():
            if isinstance(actor, KeepsSessions):
                actor.release(episode, incarnation)

    def end_for(self, sender: HostName) -> None:
        """A host died: nobody there waits any more."""
        self._end_where(lambda ask: ask.sender == sender)
        for actor in self.actors.values():
            if isinstance(actor, KeepsPermits):
                actor.host_lost(sender)

    async def close(self) -> None:
        """Accept nothing any more, end everything, and wait until it has ended."""
        self._closed = True
        self._end_where(lambda _: True)
        tasks = [serving.task for serving in self._serving.values()]
        if tasks:
            await asyncio.wait(tasks)

    def _end_where(self, concerned: Callable[[Ask], bool]) -> None:
        for serving in list(self._serving.values()):
            if concerned(serving.ask):
                serving.end()

    async def _serve(self, ask: Ask) -> None:
        try:
            if ask.incarnation <= self._over.get(episode_of(ask.path), 0):
                raise StaleIncarnation(f"{ask.path}: incarnation {ask.incarnation} is over")
            reply = await self._answer(ask)
            self._send(ask.sender, reply)
        except Fault as fault:
            self._fail(ask, fault)
        except (Exception, SystemExit) as bug:  # noqa: BLE001  the one boundary at which a bug becomes a fault
            self._fail(ask, _crash(ask, bug))

    def _served(self, serving: _Serving, task: asyncio.Task[None]) -> None:
        ask = serving.ask
        del self._serving[ask.sender, ask.id]
        if serving.unwanted:
            return
        if task.cancelled():
            # Not by the asker, not by the driver: an actor cancelled itself, and somebody still waits.
            self._fail(ask, ActorCrashed(f"{ask.path}: {ask.role} cancelled itself"))
        elif (error := task.exception()) is not None:
            self._fail(ask, _crash(ask, error))

    async def _answer(self, ask: Ask) -> Answer:
        if ask.role not in self.actors:
            raise Undecodable(f"{ask.path}: expected a role of host {self._host}, got {ask.role!r}")
        request = self._decoders[ask.role](ask.body)
        reply = await self._within_deadline(ask, self.actors[ask.role].receive, request)
        if request.journaled:
            # Whoever sees the answer may rely on everything below it being in the journal.
            await self._witness.settle(ask.path, ask.incarnation)
        return Answer(id=ask.id, path=ask.path, incarnation=ask.incarnation, body=msgspec.Raw(encode(reply)))

    async def _within_deadline(self, ask: Ask, receive: Callable[[Any], Awaitable[Message]], request: Any) -> Message:
        recording = Recording(ask.path, ask.recorded)
        commit = partial(self._witness.commit, incarnation=ask.incarnation)
        conversation = RequestContext(ask.path, ask.incarnation, recording, commit)
        loop = asyncio.get_running_loop()
        deadline = None if ask.seconds_left is None else loop.time() + ask.seconds_left
        timer = asyncio.timeout_at(deadline)
        try:
            with running(conversation):
                async with timer:
                    reply = await receive(request)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise _late(ask) from error
        if deadline is not None and loop.time() > deadline:
            raise _late(ask)  # code that never waits cannot be interrupted, only told of afterwards
        return reply

    def _fail(self, ask: Ask, fault: Fault) -> None:
        note = FaultNote.of(fault)
        detail = f"\n{note.detail}" if note.detail else ""
        log.warning("%s: %s%s", note.kind, note.text, detail, extra={"path": ask.path})
        self._send(ask.sender, Failure(id=ask.id, path=ask.path, incarnation=ask.incarnation, note=note))


def _late(ask: Ask) -> DeadlineExceeded:
    return DeadlineExceeded(f"{ask.path}: {ask.role}: no answer within {ask.seconds_left} s")


def _crash(ask: Ask, bug: BaseException) -> ActorCrashed:
    crash = ActorCrashed(f"{ask.path}: {ask.role}: {type(bug).__name__}: {one_line(bug)}")
    crash.detail = "".join(traceback.format_exception(bug))
    return crash


def _remember(memory: dict[K, V], key: K, value: V) -> None:
    memory.pop(key, None)
    memory[key] = value
    if len(memory) > _REMEMBERED:
        del memory[next(iter(memory))]
