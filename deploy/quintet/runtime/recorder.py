"""The witness: turns what a host did into journal records, and holds a replay to what was recorded."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from quintet.errors import ReplayMismatch, StaleIncarnation
from quintet.events import AnyEvent, Exchanged, Record, SessionOpened, StepTaken
from quintet.events.recording import Recording
from quintet.messages.environment import Open, Opened, Step, Stepped
from quintet.messages.message import Message, Request
from quintet.messages.paths import Path, episode_of, is_within
from quintet.messages.prompts import PromptNode
from quintet.ports.journal import Journal
from quintet.ports.transport import HostName

_Place = tuple[Path, int]
"""A path and an incarnation."""

Refused = Callable[[Path, int], None]
"""Told that the journal refuses an incarnation of the episode that a path belongs to."""


class Recorder:
    """One host's pen in the journal."""

    def __init__(self, journal: Journal, host: HostName, refused: Refused) -> None:
        self._journal = journal
        self._host = host
        self._refused = refused
        self._posted: dict[_Place, dict[asyncio.Task[None], Path]] = {}
        """What is on its way into the journal: by episode and incarnation, and then its own path."""
        self._failed: dict[_Place, BaseException] = {}

    async def commit(
        self, event: AnyEvent, incarnation: int, *, seconds: float = 0.0, prompts: tuple[PromptNode, ...] = ()
    ) -> None:
        """Journal an event and wait until it is committed.

        Raises:
            StaleIncarnation: the incarnation is over.
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
        except StaleIncarnation:
            self._refused(event.path, incarnation)
            raise

    def expect(self, request: Request[Any], recording: Recording) -> None:
        """Make sure that what is about to be asked is what was asked when it was recorded.

        Raises:
            ReplayMismatch: something of another kind happened here.
        """
        recording.here(_kind(request))

    def exchange(
        self, request: Request[Any], reply: Message, recording: Recording, incarnation: int, seconds: float
    ) -> None:
        """Journal what an ask brought, without waiting; or check it against what was recorded.

        Raises:
            ReplayMismatch: the world answered differently from what was recorded.
        """
        event = _event(request, reply, recording.path)
        if event is None:
            return
        recorded = recording.here(event.kind)
        if recorded is None:
            task = asyncio.create_task(self.commit(event, incarnation, seconds=seconds))
            place = episode_of(recording.path), incarnation
            self._posted.setdefault(place, {})[task] = recording.path
            task.add_done_callback(partial(self._settled, place))
        elif not isinstance(event, Exchanged):
            check_same(recording.path, recorded.event, event)

    def _settled(self, place: _Place, task: asyncio.Task[None]) -> None:
        posted = self._posted[place]
        path = posted.pop(task)
        if not posted:
            del self._posted[place]
        failure = None if task.cancelled() else task.exception()
        if failure is not None and not isinstance(failure, StaleIncarnation):
            self._failed[path, place[1]] = failure

    async def settle(self, path: Path, incarnation: int) -> None:
        """Wait until every exchange that this incarnation made under `path` is committed.

        Raises:
            HostLost: one was lost on its way.
            JournalFault: the storage failed.
        """
        posted = self._posted.get((episode_of(path), incarnation), {})
        below = [task for task, where in posted.items() if is_within(where, path)]
        if below:
            await asyncio.wait(below)  # unlike `gather`, leaves them alone when this request is cancelled
        for place, failure in self._failed.items():
            if _is_of(place, path, incarnation):
                raise failure

    def forget(self, episode: Path, incarnation: int) -> None:
        """The episode's incarnations up to this one are over: what failed under them concerns nobody any more."""
        for path, failed in list(self._failed):
            if failed <= incarnation and is_within(path, episode):
                del self._failed[path, failed]

    @property
    def idle(self) -> bool:
        """Everything posted is settled."""
        return not self._posted

    async def close(self) -> None:
        """Wait for what was posted."""
        while self._posted:
            await asyncio.wait([task for posted in self._posted.values() for task in posted])


def _is_of(place: _Place, path: Path, incarnation: int) -> bool:
    return place[1] == incarnation and is_within(place[0], path)


def _kind(request: Request[Any]) -> str | None:
    match request:
        case Step():
            return StepTaken.kind
        case Open():
            return SessionOpened.kind
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
        ReplayMismatch: naming the first field and line that differ.
    """
    if recorded == replayed:
        return
    before, now = msgspec.to_builtins(recorded), msgspec.to_builtins(replayed)
    name = next(name for name, value in before.items() if now.get(name) != value)
    raise ReplayMismatch(f"{path}: {replayed.kind}: {name}: {first_difference(str(before[name]), str(now.get(name)))}")


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
