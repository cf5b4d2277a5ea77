"""The host: one place where actors live. It asks, answers and routes envelopes; it knows no kind of transport."""

import asyncio
import time
from collections.abc import Iterable, Mapping

import msgspec

from quintet.errors import HostLost, StaleIncarnation
from quintet.events.recording import Recording
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.paths import Path, episode_of, is_within
from quintet.messages.wire import decode_envelope, decode_reply, encode
from quintet.ports.journal import Journal
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
from quintet.roles.role import Actor
from quintet.runtime.answering import Answering
from quintet.runtime.asks import OpenAsks
from quintet.runtime.outbox import Outbox
from quintet.runtime.recorder import Recorder
from quintet.runtime.remote_journal import RemoteJournal


class Host:
    """Actors by role, reached by encoded messages.

    Args:
        name: unique among all hosts that ever take part in the run.
        transport: bound to this host.
        journal: where this host writes; None: the driver's journal, by message.
    """

    def __init__(self, name: HostName, transport: Transport, journal: Journal | None = None) -> None:
        self.name = name
        self.lost: set[HostName] = set()
        """Hosts that died."""
        self.closed = False
        self._silent = False
        """Nothing is said any more; what is being answered is told about until it has ended."""
        self._outbox = Outbox(transport, self._not_delivered)
        self.recorder = Recorder(journal or RemoteJournal(self), name, self.end_episode)
        self._asks = OpenAsks()
        self._answering = Answering(name, self.recorder, self._outbox.put)
        transport.bind(self.receive, self.host_lost)

    def spawn(self, role: str, actor: Actor) -> None:
        """Let `actor` answer for a role on this host."""
        self._answering.spawn(role, actor)

    @property
    def actors(self) -> Mapping[str, Actor]:
        """By role."""
        return self._answering.actors

    @property
    def idle(self) -> bool:
        """Nothing is asked, answered, written or under way."""
        return not self._asks and not self._answering and self.recorder.idle and self._outbox.idle

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
        self.recorder.expect(request, recording)
        number = self._asks.next_number()
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
        ask = self._asks.open(number, to.host, path, incarnation)
        started = time.perf_counter()
        try:
            body = await ask.body
        except asyncio.CancelledError:
            self._outbox.put(to.host, Cancel(id=number, sender=self.name, path=path, incarnation=incarnation))
            raise
        finally:
            self._asks.close(number)
        reply = decode_reply(type(request), body)
        self.recorder.exchange(request, reply, recording, incarnation, time.perf_counter() - started)
        return reply

    def tell(self, to: Address, message: Message) -> None:
        """Say something that nobody answers; it is said again until it is heard or its hearer is dead."""
        if to.host not in self.lost and not self._silent:
            self._outbox.put(to.host, Tell(role=to.role, body=msgspec.Raw(encode(message))))

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
                self._answering.accept(envelope)
            case Answer():
                self._asks.answer(envelope.id, envelope.body)
            case Failure():
                self._asks.fail(envelope.id, envelope.note.fault())
            case Cancel():
                self._answering.cancel(envelope)
            case Release():
                self.end_episode(envelope.path, envelope.incarnation)
            case Tell():
                self._answering.hear(envelope)
            case Undelivered():
                self.take_up_again(envelope.path, envelope.incarnation)

    def take_up_again(self, path: Path, incarnation: int) -> None:
        """Something of this incarnation was lost on the way: what its episode asks from here ends as lost."""
        episode = episode_of(path)
        self._asks.fail_where(
            lambda ask: ask.incarnation == incarnation and is_within(ask.path, episode),
            lambda _: HostLost(f"{path}: a message was lost"),
        )

    def end_episode(self, path: Path, incarnation: int) -> None:
        """End everything here that belongs to an episode's incarnations up to this one."""
        episode = episode_of(path)
        self._answering.end_episode(episode, incarnation)
        # What is left are asks outside of any request: steps on their way to the journal.
        self._asks.fail_where(
            lambda ask: ask.incarnation <= incarnation and is_within(ask.path, episode),
            lambda ask: StaleIncarnation(f"{ask.path}: incarnation {ask.incarnation} is over"),
        )
        self.recorder.forget(episode, incarnation)

    def host_lost(self, name: HostName) -> None:
        """A host died: what was asked of it fails, what it asked ends."""
        self.lost.add(name)
        self._asks.fail_where(lambda ask: ask.to == name, lambda ask: HostLost(f"{ask.path}: host {name} died"))
        self._answering.end_for(name)

    def _not_delivered(self, to: HostName, envelope: Envelope, lost: HostLost) -> None:
        match envelope:
            case Ask():
                self._asks.fail(envelope.id, lost)
            case Release() | Undelivered() | Tell():
                # These mean the same however often they arrive, and everything else leans on them.
                if to not in self.lost and not self._silent:
                    self._outbox.put(to, envelope)
            case Answer() | Failure() | Cancel():
                if self.name == DRIVER:
                    self.take_up_again(envelope.path, envelope.incarnation)
                else:
                    self._outbox.put(DRIVER, Undelivered(path=envelope.path, incarnation=envelope.incarnation))

    async def close(self) -> None:
        """End what is being answered, then wait until everything said has been delivered or lost, and journaled."""
        self.closed = True
        self._asks.fail_where(lambda _: True, lambda ask: StaleIncarnation(f"{ask.path}: host {self.name} was closed"))
        await self._answering.close()
        await self.recorder.close()
        self._silent = True
        await self._outbox.close()
