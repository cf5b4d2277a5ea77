"""The witness: turns what a host did into journal records, and holds a replay to what was recorded."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from protocols.environment import Open, Opened, Step, Stepped
from protocols.errors import Divergence, Superseded
from protocols.events import AnyEvent, Exchanged, Record, SessionOpened, StepTaken
from protocols.journal import Journal
from protocols.message import Message, Request
from protocols.paths import Path, is_within
from protocols.prompts import PromptNode
from protocols.recording import Recording
from protocols.transport import HostName

Refused = Callable[[Path, int], None]
"""Told that the journal refuses an incarnation of the episode that a path belongs to."""


class Witness:
    """One host's pen in the journal."""

    def __init__(self, journal: Journal, host: HostName, refused: Refused) -> None:
        self._journal = journal
        self._host = host
        self._refused = refused
        self._posted: dict[asyncio.Task[None], Path] = {}
        self._failed: dict[Path, BaseException] = {}

    async def commit(
        self, event: AnyEvent, incarnation: int, *, seconds: float = 0.0, prompts: tuple[PromptNode, ...] = ()
    ) -> None:
        """Journal an event and wait until it is committed.

        Raises:
            Superseded: the incarnation is over.
            JournalFault: the storage failed.
        """
        record = Record(
            event=event,
            incarnation=incarnation,
            host=self._host,
            at=time.time(),
            seconds=seconds,
            prompts=prompts,
        )
        try:
            await self._journal.append([record])
        except Superseded:
            self._refused(event.path, incarnation)
            raise

    def exchange(
        self, request: Request[Any], reply: Message, recording: Recording, incarnation: int, seconds: float
    ) -> None:
        """Journal what an ask brought, without waiting; or check it against what was recorded.

        Raises:
            Divergence: the world answered differently from what was recorded.
        """
        event = _event(request, reply, recording.path)
        if event is None:
            return
        recorded = recording.here(event.kind)
        if recorded is None:
            task = asyncio.create_task(self.commit(event, incarnation, seconds=seconds))
            self._posted[task] = recording.path
            task.add_done_callback(self._settled)
        elif not isinstance(event, Exchanged):
            check_same(recording.path, recorded.event, event)

    def _settled(self, task: asyncio.Task[None]) -> None:
        path = self._posted.pop(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None and not isinstance(failure, Superseded):
            self._failed[path] = failure

    async def settle(self, path: Path) -> None:
        """Wait until every exchange under `path` is committed.

        Raises:
            HostLost: one was lost on its way, or the incarnation is over.
            JournalFault: the storage failed.
        """
        below = [task for task, posted in self._posted.items() if is_within(posted, path)]
        if below:
            await asyncio.wait(below)  # unlike `gather`, leaves them alone when this request is cancelled
        for posted, failure in self._failed.items():
            if is_within(posted, path):
                raise failure

    def forget(self, episode: Path) -> None:
        """The episode's incarnation is over: what failed under it concerns nobody any more."""
        for path in [path for path in self._failed if is_within(path, episode)]:
            del self._failed[path]

    @property
    def idle(self) -> bool:
        """Everything posted is settled."""
        return not self._posted

    async def close(self) -> None:
        """Wait for what was posted."""
        while self._posted:
            await asyncio.wait(self._posted)


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
            )
        case Open(), Opened():
            return SessionOpened(path=path, session=reply.session.id, observation=reply.observation)
        case _ if request.journaled:
            tag = str(type(request).__struct_config__.tag)
            return Exchanged(path=path, request=tag, subject=request.subject(), reply=_content(reply))
        case _:
            return None


def _content(reply: Message) -> str:
    built = msgspec.to_builtins(reply)
    session = built.get("session")
    if session is not None:
        del session["host"]  # where a session lives is no part of what two runs are compared by
    return msgspec.json.encode(built).decode()


def check_same(path: Path, recorded: AnyEvent, replayed: AnyEvent) -> None:
    """Hold a replayed event to the recorded one.

    Raises:
        Divergence: naming the first field and line that differ.
    """
    if recorded == replayed:
        return
    before, now = msgspec.to_builtins(recorded), msgspec.to_builtins(replayed)
    for name, value in before.items():
        if now.get(name) != value:
            raise Divergence(f"{path}: {replayed.kind}: {name}: {first_difference(str(value), str(now.get(name)))}")
    raise Divergence(f"{path}: expected {type(recorded).__name__}, got {type(replayed).__name__}")


def first_difference(expected: str, got: str) -> str:
    """The first line in which two texts differ, as `line 3: expected ..., got ...`."""
    before, now = expected.splitlines(), got.splitlines()
    for number in range(max(len(before), len(now))):
        old = before[number] if number < len(before) else None
        new = now[number] if number < len(now) else None
        if old != new:
            return f"line {number + 1}: expected {_quoted(old)}, got {_quoted(new)}"
    return "line ends differ"


def _quoted(line: str | None) -> str:
    return "nothing" if line is None else repr(line)
