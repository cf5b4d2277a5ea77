"""The context of the running request: its path, its child paths, branches, decisions and seeded randomness.

The host sets a `RequestContext` in a context variable before an actor's `receive`. Refs, the recording model and the
functions below read it, so no actor passes it on. A request does one thing at a time: its asks, calls and decisions are
numbered in order, and the number makes the path. Two things in parallel need two paths: see `branches`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from hashlib import blake2b
from random import Random
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from quintet.errors import ActorCrashed, ModelFault, ReplayMismatch
from quintet.events import AnyEvent, BranchEnded, Decided, Event, Published, Refused
from quintet.events.recording import Recording
from quintet.messages.paths import Path, child, without_attempt

T = TypeVar("T")
CommittedT = TypeVar("CommittedT", bound=Event)
AnswerT = TypeVar("AnswerT", bound=str | int | float | bool | None)

Commit = Callable[[AnyEvent], Awaitable[None]]
"""Journals an event under the running incarnation; returns when it is committed."""


class Position(NamedTuple):
    """The path of one ask, call, decision or group of branches, with its recording."""

    path: Path
    recording: Recording


class RequestContext:
    """Numbers what one request, or one branch of it, does."""

    def __init__(
        self, path: Path, incarnation: int, recording: Recording, commit: Commit, *, spread: Path | None = None
    ) -> None:
        self.path = path
        self.incarnation = incarnation
        self.recording = recording
        self.commit = commit
        self.spread = spread
        """The path of the innermost spread branch around it. A request that arrives at a host begins without one, so
        what its actor asks stays on that host."""
        self._count = 0
        self.busy = False
        """Something is in flight."""

    def next(self) -> Position:
        """The position of the next thing to happen.

        Raises:
            RuntimeError: something is in flight already; the numbers would depend on arrival order.
        """
        if self.busy:
            raise RuntimeError(f"{self.path}: two things in flight under one path; use `branches()` for concurrency")
        self._count += 1
        path = child(self.path, self._count)
        return Position(path, self.recording.below(path))

    def turn(self) -> "_Turn":
        """Reserve the next position, and allow no other until the block ends; raises as `next` does."""
        return _Turn(self)

    def below(self, position: Position, number: int) -> "RequestContext":
        """A context for the `number`-th thing below a position."""
        path = child(position.path, number)
        return RequestContext(path, self.incarnation, position.recording.below(path), self.commit)


class _Turn:
    """The block in which one thing is in flight."""

    def __init__(self, context: RequestContext) -> None:
        self._context = context

    def __enter__(self) -> Position:
        position = self._context.next()
        self._context.busy = True
        return position

    def __exit__(self, *error: object) -> None:
        self._context.busy = False


_current: ContextVar[RequestContext] = ContextVar("request context")


def current() -> RequestContext:
    """The running request's context.

    Raises:
        LookupError: called outside a request.
    """
    return _current.get()


class running:  # noqa: N801  a block, like `contextlib.suppress`; a generator would cost each ask a microsecond more
    """Make `context` the current one."""

    def __init__(self, context: RequestContext) -> None:
        self._context = context

    def __enter__(self) -> None:
        self._token = _current.set(self._context)

    def __exit__(self, *error: object) -> None:
        _current.reset(self._token)


def seeded_random(seed: int) -> Random:
    """A generator seeded by `seed` and the current path: the same at every replay and every attempt."""
    text = f"{seed}/{without_attempt(current().path)}"
    return Random(blake2b(text.encode(), digest_size=16).digest())


async def commit_once(make: Callable[[Path], CommittedT]) -> CommittedT:
    """Commit an event at the next path, or return the recorded one.

    Raises:
        ReplayMismatch: an event of another kind is recorded there.
    """
    context = current()
    with context.turn() as (path, recording):
        event = make(path)
        recorded = recording.here(event.kind)
        if recorded is not None:
            assert isinstance(recorded.event, type(event))
            return recorded.event
        await context.commit(cast("AnyEvent", event))
        return event


async def decide(question: str, answer: AnswerT) -> AnswerT:
    """Journal a choice that depends on time or arrival, so that a replay makes the same one.

    Args:
        question: names the choice; the same text at every replay.
        answer: this run's choice. Unused in a replay.

    Returns:
        The recorded answer if there is one; else `answer` as a replay will decode it, after the commit.

    Raises:
        ReplayMismatch: another question is recorded here.
    """
    encoded = msgspec.json.encode(answer).decode()
    decided = await commit_once(lambda path: Decided(path=path, question=question, answer=encoded))
    if decided.question != question:
        raise ReplayMismatch(f"{decided.path}: expected the decision {decided.question!r}, got {question!r}")
    return cast("AnswerT", msgspec.json.decode(decided.answer))


async def unless_refused(work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T | None:
    """Run `work(*args)` under a path of its own.

    If the model permanently refuses (say, the prompt is too long), the refusal is journaled, so a replay does not ask
    again.

    Returns:
        What the work returned; None if a model refused.
    """
    context = current()
    with context.turn() as position:
        if position.recording.here(Refused.kind) is not None:
            return None
        try:
            with running(context.below(position, 1)):
                return await work(*args)
        except ModelFault as fault:
            if type(fault) is not ModelFault:  # its subclasses are temporary
                raise
            reason = str(fault)
        await context.commit(Refused(path=position.path, reason=reason))
        return None


async def publish(version: int, content: str) -> None:
    """Commit a learner's new version, so that episodes can read it.

    Raises:
        ReplayMismatch: another version or content was published here.
    """
    published = await commit_once(lambda path: Published(path=path, version=version, content=content))
    if (published.version, published.content) != (version, content):
        before = f"version {published.version}: {published.content!r}"
        raise ReplayMismatch(f"{published.path}: expected {before}, got version {version}: {content!r}")


class Branch(Generic[T]):
    """One of several things at once. `number` counts from 1 in the order of starting."""

    def __init__(self, number: int, task: asyncio.Task[T] | None) -> None:
        self.number = number
        self._task = task

    def result(self) -> T:
        """What the branch returned; only after its group has ended, or for the winner of `first`.

        Raises:
            RuntimeError: the branch lost a race, or has not ended.
        """
        if self._task is None or not self._task.done() or self._task.cancelled():
            raise RuntimeError(f"branch {self.number}: expected a finished branch, got one that lost or still runs")
        return self._task.result()


class Branches:
    """A group of concurrent branches, each under a path of its own. Leaving the group waits for all of them.

    A branch that raises ends its siblings, and leaving the group raises its exception; so does cancelling the parent.
    """

    def __init__(self) -> None:
        self._parent = current()
        self._position = self._parent.next()
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        self._started = 0
        ended = self._position.recording.here(BranchEnded.kind)
        self._winner = ended.event.branch if ended and isinstance(ended.event, BranchEnded) else None
        self._decided = False

    async def __aenter__(self) -> "Branches":
        return self

    def start(self, work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> Branch[T]:
        """Run `work(*args)` as the next branch. A replay of a decided race does not run the losers."""
        self._started += 1
        number = self._started
        if self._winner is not None and number != self._winner:
            return Branch(number, None)
        context = self._parent.below(self._position, number)

        async def run() -> T:
            with running(context):
                try:
                    return await work(*args)
                except SystemExit as error:  # asyncio would end the process
                    raise ActorCrashed(f"{context.path}: SystemExit: {error}") from error

        task = asyncio.create_task(run(), name=context.path)
        self._tasks[number] = task
        return Branch(number, task)

    async def first(self) -> int:
        """Wait for the first branch to end, commit that it won, and cancel the others.

        Returns:
            The winner's number. If several end in the same turn of the loop, the lowest.

        Raises:
            Fault: the first branch to end raised it.
        """
        path = self._position.path
        if self._decided or not self._started:
            raise RuntimeError(f"{path}: first: expected a race with branches that is not decided yet")
        self._decided = True
        if not self._tasks:
            raise ReplayMismatch(f"{path}: expected branch {self._winner} to win, got {self._started} branches")
        await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
        number = min(number for number, task in self._tasks.items() if task.done())
        self._tasks[number].result()
        if self._winner is None:
            self._winner = number
            await self._parent.commit(BranchEnded(path=path, branch=number))
        await self._cancel_all()
        return number

    async def _cancel_all(self) -> None:
        tasks = self._tasks.values()
        for task in tasks:
            task.cancel()
        interrupted: asyncio.CancelledError | None = None
        while pending := [task for task in tasks if not task.done()]:
            try:
                await asyncio.wait(pending)
            except asyncio.CancelledError as error:
                interrupted = error  # the group is not left before its branches have ended
        if interrupted is not None:
            raise interrupted
        for task in tasks:
            if not task.cancelled():
                task.exception()  # one exception leaves the group; the others are read here, or asyncio warns

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failure: BaseException | None = None
        try:
            if error is None and self._tasks and not self._decided:
                await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_EXCEPTION)
                failure = self._failure()
        finally:
            await self._cancel_all()
        if failure is not None:
            raise failure

    def _failure(self) -> BaseException | None:
        """The failure of the first branch that failed, by number. Called before the others are cancelled."""
        for number, task in sorted(self._tasks.items()):
            if task.cancelled():
                return ActorCrashed(f"{self._position.path}: branch {number} cancelled itself")
            if task.done() and (failure := task.exception()) is not None:
                return failure
        return None


def branches() -> Branches:
    """A group of concurrent branches: enter it with `async with`, then `start` them."""
    return Branches()
