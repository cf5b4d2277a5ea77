"""The place of the running request in its episode: child paths, branches, decisions and seeded randomness.

The host sets a `RequestContext` in a context variable before an actor's `receive`; refs, the model's recorder and the
functions below read it, so no actor passes it on. One conversation does one thing at a time: its things are numbered
in the order it does them, and that number is their path. Two at once need two paths, which is what `branches` gives.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from random import Random
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from quintet.errors import ActorCrashed, ModelFault, ReplayMismatch
from quintet.events import Decided, Published
from quintet.events.recording import Recording
from quintet.messages.paths import Path, child, without_attempt

T = TypeVar("T")
AnswerT = TypeVar("AnswerT", bound=str | int | float | bool | None)

Commit = Callable[[Decided | Published], Awaitable[None]]
"""Journals what a conversation itself says under the running incarnation; returns when it is committed."""


REFUSED = "refused"
"""What is decided of work that a model refused."""


class Position(NamedTuple):
    """Where one ask, call, decision or group of branches happens, and what was recorded there."""

    path: Path
    recording: Recording


class RequestContext:
    """What one request, or one branch of it, says in order."""

    def __init__(self, path: Path, incarnation: int, recording: Recording, commit: Commit) -> None:
        self.path = path
        self.incarnation = incarnation
        self.recording = recording
        self.commit = commit
        self._said = 0
        self._busy = False

    def next(self) -> Position:
        """The place of whatever comes next.

        Raises:
            RuntimeError: something is in flight already; the numbers would depend on who comes first.
        """
        if self._busy:
            raise RuntimeError(f"{self.path}: two things in flight under one path; use `branches()` for concurrency")
        self._said += 1
        path = child(self.path, self._said)
        return Position(path, self.recording.below(path))

    @contextmanager
    def turn(self) -> Generator[Position, None, None]:
        """Hold the conversation while something is in flight; raises as `next` does."""
        place = self.next()
        self._busy = True
        try:
            yield place
        finally:
            self._busy = False


_current: ContextVar[RequestContext] = ContextVar("conversation")


def current() -> RequestContext:
    """The running request's conversation.

    Raises:
        LookupError: called outside a request.
    """
    return _current.get()


@contextmanager
def running(conversation: RequestContext) -> Generator[None, None, None]:
    """Make `conversation` the current one."""
    token = _current.set(conversation)
    try:
        yield
    finally:
        _current.reset(token)


def seeded(seed: int) -> Random:
    """A generator seeded by `seed` and the current path: the same at every replay and every attempt."""
    text = f"{seed}/{without_attempt(current().path)}"
    return Random(blake2b(text.encode(), digest_size=16).digest())


async def decide(question: str, answer: AnswerT) -> AnswerT:
    """Fix something that depends on time or arrival, so that a replay sees the same.

    Args:
        question: what is decided, the same text at every replay.
        answer: what this run saw. Unused in a replay.

    Returns:
        The recorded answer where there is one, else `answer` as a replay will see it, after it is committed.

    Raises:
        ReplayMismatch: something else was decided here.
    """
    conversation = current()
    with conversation.turn() as (path, recording):
        said = _recorded_answer(recording, path, question)
        if said is None:
            said = msgspec.json.encode(answer).decode()
            await conversation.commit(Decided(path=path, question=question, answer=said))
        return cast("AnswerT", msgspec.json.decode(said))


def _recorded_answer(recording: Recording, path: Path, question: str) -> str | None:
    record = recording.here(Decided.kind)
    if record is None:
        return None
    assert isinstance(record.event, Decided)
    if record.event.question != question:
        raise ReplayMismatch(f"{path}: expected the decision {record.event.question!r}, got {question!r}")
    return record.event.answer


async def unless_refused(work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T | None:
    """Run `work(*args)` under a path of its own.

    That a model refuses for good what it is asked, as where a prompt is too long for it, is decided at that path: a
    replay does not ask again.

    Returns:
        What the work returned; None where a model refused.
    """
    conversation = current()
    with conversation.turn() as (path, recording):
        if _recorded_answer(recording, path, REFUSED) is not None:
            return None
        inner = child(path, 1)
        try:
            with running(RequestContext(inner, conversation.incarnation, recording.below(inner), conversation.commit)):
                return await work(*args)
        except ModelFault as fault:
            if type(fault) is not ModelFault:  # those below it may be answered another time
                raise
            why = msgspec.json.encode(str(fault)).decode()
        await conversation.commit(Decided(path=path, question=REFUSED, answer=why))
        return None


async def publish(version: int, content: str) -> None:
    """Commit a new version of what is learnt across episodes, so that episodes can read it.

    Raises:
        ReplayMismatch: another version or content was published here.
    """
    conversation = current()
    with conversation.turn() as (path, recording):
        published = Published(path=path, version=version, content=content)
        recorded = recording.here(Published.kind)
        if recorded is None:
            await conversation.commit(published)
        elif recorded.event != published:
            raise ReplayMismatch(f"{path}: expected {recorded.event}, got {published}")


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


_RACE = "first"


class Branches:
    """A group of concurrent branches, each under a path of its own. Leaving the group waits for all of them.

    A branch that raises ends its siblings, and leaving the group raises its exception; so does cancelling the parent.
    """

    def __init__(self) -> None:
        self._parent = current()
        self._place = self._parent.next()
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        self._started = 0
        winner = _recorded_answer(self._place.recording, self._place.path, _RACE)
        self._winner = None if winner is None else int(winner)
        self._decided = False

    async def __aenter__(self) -> "Branches":
        return self

    def start(self, work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> Branch[T]:
        """Run `work(*args)` as the next branch. In a replay of a race that was decided, losers are not run again."""
        self._started += 1
        number = self._started
        if self._winner is not None and number != self._winner:
            return Branch(number, None)
        path = child(self._place.path, number)
        recording = self._place.recording.below(path)
        conversation = RequestContext(path, self._parent.incarnation, recording, self._parent.commit)

        async def speak() -> T:
            with running(conversation):
                try:
                    return await work(*args)
                except SystemExit as error:  # asyncio would end the process
                    raise ActorCrashed(f"{path}: SystemExit: {error}") from error

        task = asyncio.create_task(speak(), name=path)
        self._tasks[number] = task
        return Branch(number, task)

    async def first(self) -> int:
        """Wait for the first branch to end, commit that it won, and cancel the others.

        Returns:
            The winner's number. Where several end in the same turn of the loop, the lowest.

        Raises:
            Fault: the first branch to end raised it.
        """
        if self._decided or not self._started:
            raise RuntimeError(f"{self._place.path}: first: expected a race with branches that is not decided yet")
        self._decided = True
        if not self._tasks:
            raise ReplayMismatch(
                f"{self._place.path}: expected branch {self._winner} to win, got {self._started} branches"
            )
        await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
        number = min(number for number, task in self._tasks.items() if task.done())
        self._tasks[number].result()
        if self._winner is None:
            self._winner = number
            await self._parent.commit(Decided(path=self._place.path, question=_RACE, answer=str(number)))
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
                interrupted = error  # nobody leaves before the branches have ended
        if interrupted is not None:
            raise interrupted
        for task in tasks:
            if not task.cancelled():
                task.exception()  # one exception leaves the group; the others are seen here

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
        """Why the group fails, before anybody is cancelled for it: of several reasons that of the first branch."""
        for number, task in sorted(self._tasks.items()):
            if task.cancelled():
                return ActorCrashed(f"{self._place.path}: branch {number} cancelled itself")
            if task.done() and (failure := task.exception()) is not None:
                return failure
        return None


def branches() -> Branches:
    """A group of concurrent branches: enter it with `async with`, then `start` them."""
    return Branches()
