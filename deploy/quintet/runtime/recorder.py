"""The recorder: writes what a host does into the journal, and checks that a replay does the same."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import msgspec

from quintet.errors import HostLost, JournalFault, PromptUnknown, StaleIncarnation
from quintet.events import AnyEvent, CallMade, Exchanged, Record, SessionForked, SessionOpened, StepTaken
from quintet.events.recording import Recording
from quintet.messages.environment import Fork, Forked, Open, Opened, Step, Stepped
from quintet.messages.message import Message, Request, request_name
from quintet.messages.paths import Path, episode_of, is_within
from quintet.messages.prompts import Prompt, PromptAddress, PromptNode
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.ports.journal import Journal
from quintet.ports.transport import HostName
from quintet.roles.by_episode import ByEpisode

_REMEMBERED = 10_000

K = TypeVar("K")
V = TypeVar("V")


def remember(memory: OrderedDict[K, V], key: K, value: V) -> None:
    """Keep what a host knows of ended incarnations and of cancellations without an ask; only the newest 10,000.

    Forgetting is harmless: the journal refuses what an ended incarnation writes, and an ask that was cancelled runs
    until its episode ends.
    """
    memory.pop(key, None)
    memory[key] = value
    if len(memory) > _REMEMBERED:
        memory.popitem(last=False)


class JournaledPrompts:
    """The prompts that the journal holds, as far as one host knows, so that it offers each node about once.

    Only the last ones used are remembered. Forgetting is harmless: the journal ignores a node that it has.
    """

    def __init__(self, bound: int = 2**16) -> None:
        self._bound = bound
        self._known: OrderedDict[PromptAddress, None] = OrderedDict()
        """Least recently used first. Of each, the journal holds the ancestors too."""
        self._taken: dict[PromptAddress, asyncio.Future[None]] = {}
        """Nodes whose commit is under way, each with the end of that commit."""

    async def take(self, prompt: Prompt) -> tuple[PromptNode, ...]:
        """The nodes to commit with a call, oldest first. The caller must `release` them.

        Waits while another call commits one of them: if that fails, this call has to bring it.
        """
        while True:
            nodes = prompt.nodes_since(self._known)
            others = [self._taken[node.address] for node in nodes if node.address in self._taken]
            if not others:
                break
            await asyncio.wait(others)
        last_known = nodes[0].parent if nodes else prompt.node.address
        if last_known is not None:
            self._use(last_known)
        end = asyncio.get_running_loop().create_future()
        self._taken.update((node.address, end) for node in nodes)
        return nodes

    def release(self, nodes: tuple[PromptNode, ...]) -> None:
        """The commit of these nodes ended, well or not."""
        ends = {self._taken.pop(node.address) for node in nodes}
        for end in ends:
            end.set_result(None)

    def add(self, prompt: Prompt) -> None:
        """A call with this prompt is committed."""
        for node in prompt.nodes_since(self._known) or (prompt.node,):
            self._use(node.address)

    def _use(self, address: PromptAddress) -> None:
        self._known.pop(address, None)
        self._known[address] = None
        if len(self._known) > self._bound:
            self._known.popitem(last=False)


@dataclass(slots=True, eq=False)
class _FailedWrite:
    path: Path
    incarnation: int
    error: BaseException


class Recorder:
    """Writes one host's records.

    A write that no one waits for may fail: `settle` raises what it met. If the journal refused the incarnation, so does
    every further request of that incarnation from this host.
    """

    def __init__(self, journal: Journal, host: HostName) -> None:
        self._journal = journal
        self._host = host
        self._noted: dict[tuple[Path, int], list[Record]] = {}
        """By episode and incarnation, what one write has together: what was noted in this turn of the event loop."""
        self._writes: dict[tuple[Path, int], dict[asyncio.Future[None], list[Record]]] = {}
        """Writes under way that nobody waits for, each with its records."""
        self._failed: ByEpisode[_FailedWrite] = ByEpisode()
        self._refused: OrderedDict[Path, int] = OrderedDict()
        """By episode, the newest incarnation that the journal refused."""
        self.prompts = JournaledPrompts()

    async def commit(
        self,
        *events: AnyEvent,
        incarnation: int,
        host: HostName | None = None,
        seconds: float = 0.0,
        prompts: tuple[PromptNode, ...] = (),
    ) -> None:
        """Journal events of one episode, all or none, and wait until they are committed.

        Args:
            events: at least one.
            host: where they happened; None: on this host.
            seconds: how long each of them took.
            prompts: for a call, the nodes of its prompt that the journal may not have.

        Raises:
            StaleIncarnation: the incarnation is over.
            JournalFault: the storage failed.
        """
        now, where = time.time(), host or self._host
        records = [
            Record(event=event, incarnation=incarnation, host=where, at=now, seconds=seconds, prompts=prompts)
            for event in events
        ]
        key = episode_of(events[0].path), incarnation
        self._write_noted(key)  # what was noted before comes before
        try:
            await self._journal.append(records)
        except StaleIncarnation:
            self._note_refused(*key)
            raise

    def _note_refused(self, episode: Path, incarnation: int) -> None:
        remember(self._refused, episode, max(incarnation, self._refused.get(episode, 0)))

    async def commit_call(self, *events: CallMade, incarnation: int, prompt: Prompt, seconds: float) -> None:
        """Journal the answers to a prompt with those of its nodes that the journal may not have.

        All or none of them are journaled. Raises as `commit` does.
        """
        nodes = await self.prompts.take(prompt)
        try:
            try:
                await self.commit(*events, incarnation=incarnation, seconds=seconds, prompts=nodes)
            except PromptUnknown:
                await self.commit(*events, incarnation=incarnation, seconds=seconds, prompts=prompt.nodes_since(()))
            self.prompts.add(prompt)
        finally:
            self.prompts.release(nodes)

    def expect(self, request: Request[Any], recording: Recording, incarnation: int) -> None:
        """Raise before a request is sent if something else is recorded at its path, or its incarnation is stale."""
        self._refuse_stale(recording.path, incarnation)
        recording.here(_kind(request))

    def exchange(
        self,
        request: Request[Any],
        reply: Message,
        recording: Recording,
        incarnation: int,
        *,
        host: HostName,
        seconds: float,
    ) -> None:
        """Journal a request with its reply, without waiting; a `ReplayMismatch` if another reply is recorded."""
        event = _event(request, reply, recording.path)
        if event is None:
            return
        if isinstance(event, Exchanged):
            recorded = recording.here(event.kind) is not None
        else:
            recorded = recording.has(event)
        if not recorded:
            self._start_write(event, incarnation, host, seconds)

    def note(self, event: AnyEvent, incarnation: int) -> None:
        """Journal an event without waiting; a `StaleIncarnation` if the journal refused the incarnation."""
        self._refuse_stale(event.path, incarnation)
        self._start_write(event, incarnation)

    def _start_write(
        self, event: AnyEvent, incarnation: int, host: HostName | None = None, seconds: float = 0.0
    ) -> None:
        key = episode_of(event.path), incarnation
        if key not in self._noted:
            self._noted[key] = []
            asyncio.get_running_loop().call_soon(self._write_noted, key)
        self._noted[key].append(
            Record(event=event, incarnation=incarnation, host=host or self._host, at=time.time(), seconds=seconds)
        )

    def _write_noted(self, key: tuple[Path, int]) -> None:
        records = self._noted.pop(key, None)
        if records is None:
            return
        self._write(key, records)

    def _write(self, key: tuple[Path, int], records: list[Record]) -> None:
        write = asyncio.ensure_future(self._journal.append(records))
        self._writes.setdefault(key, {})[write] = records
        write.add_done_callback(partial(self._note_written, key))

    def _note_written(self, key: tuple[Path, int], write: asyncio.Future[None]) -> None:
        records = self._writes[key].pop(write)
        failure = None if write.cancelled() else write.exception()
        if isinstance(failure, StaleIncarnation):
            self._note_refused(*key)
        elif failure is not None:
            is_one_s_own = len(records) > 1 and not isinstance(failure, (JournalFault, HostLost))
            for record in records:
                if is_one_s_own:  # whose, each tells alone
                    self._write(key, [record])
                else:
                    self._failed.add(key[0], _FailedWrite(record.event.path, key[1], failure))
        if not self._writes[key]:
            del self._writes[key]

    async def settle(self, path: Path, incarnation: int) -> None:
        """Wait until all of the incarnation from `path` on is committed; a `HostLost` or `JournalFault` if not."""
        key = episode, _ = episode_of(path), incarnation
        self._write_noted(key)
        writes = self._writes.get(key, {})
        below = [
            write for write, records in writes.items() if any(is_within(each.event.path, path) for each in records)
        ]
        if below:
            await asyncio.wait(below)  # unlike `gather`, leaves them alone when this request is cancelled
        self._refuse_stale(path, incarnation)
        for failed in self._failed.of(episode):
            if failed.incarnation == incarnation and is_within(failed.path, path):
                raise failed.error

    def _refuse_stale(self, path: Path, incarnation: int) -> None:
        if self._refused and incarnation <= self._refused.get(episode_of(path), 0):
            raise StaleIncarnation(f"{path}: the journal refused incarnation {incarnation}")

    def forget(self, episode: Path, incarnation: int) -> None:
        """Drop the failures of the episode's incarnations up to this one: they are over."""
        for failed in self._failed.of(episode):
            if failed.incarnation <= incarnation:
                self._failed.discard(episode, failed)

    @property
    def idle(self) -> bool:
        """Nothing is being written."""
        return not (self._writes or self._noted)

    async def close(self) -> None:
        """Wait for all writes."""
        for key in [*self._noted]:
            self._write_noted(key)
        while self._writes:
            await asyncio.wait([write for writes in self._writes.values() for write in writes])


def _kind(request: Request[Any]) -> str | None:
    match request:
        case Step():
            return StepTaken.kind
        case Open(snapshot=None):
            return SessionOpened.kind
        case Fork() | Open():
            return SessionForked.kind
        case _:
            return Exchanged.kind if request.journaled else None


def _event(request: Request[Any], reply: Message, path: Path) -> AnyEvent | None:
    match request, reply:
        case Step(), Stepped():
            return StepTaken(
                path=path,
                session=request.session.id,
                action=request.action,
                observation=reply.observation,
                reward=reply.reward,
                done=reply.done,
                rejected=reply.rejected,
                thought=request.thought,
                lasting=reply.lasting,
                figures=reply.figures,
            )
        case Open(snapshot=None), Opened():
            return SessionOpened(path=path, session=reply.session.id, observation=reply.observation)
        case Open(), Opened():
            return SessionForked(path=path, session=reply.session.id, origin=request.origin)
        case Fork(), Forked():
            return SessionForked(path=path, session=reply.session.id, origin=request.session.id)
        case _ if request.journaled:
            return _exchanged(request, reply, path)
        case _:
            return None


def _exchanged(request: Request[Any], reply: Message, path: Path) -> Exchanged:
    fields = msgspec.to_builtins(reply)
    for repeated in ("turns", "last_action", "last_observation"):
        fields.pop(repeated, None)
    # Without its host: a comparison of two runs ignores which host held a session.
    session = fields.pop("session", None)
    if isinstance(request, Solve) and request.by:
        fields["by"] = request.by
    return Exchanged(
        path=path,
        request=request_name(type(request)),
        subject=request.subject(),
        session=None if session is None else session["id"],
        reply=msgspec.json.encode(fields).decode(),
        turns=reply.turns if isinstance(reply, Solved | Unsolved) and path == episode_of(path) else (),
    )
