"""Branches: several things that one request does at once, each under a path of its own.

The ends of branches are taken one by one, in the order in which they come. That order depends on time, so it is
journaled: a replay takes the same ends in the same order, and does not run the branches that were stopped.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Generic, TypeVar

from quintet.errors import ActorCrashed, ReplayMismatch
from quintet.events import AnyEvent, BranchEnded, BranchStopped
from quintet.events.recording import Recording
from quintet.messages.paths import Path, child
from quintet.roles.context import RequestContext, current, running

_T = TypeVar("_T")


class Branch(Generic[_T]):
    """One of several things at once. `number` counts from 1 in the order of starting."""

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        self.number = number
        self._end: asyncio.Task[_T] | None = None
        self._contexts: tuple[RequestContext, RequestContext] | None = None

    def begin(self, context: RequestContext, parent: RequestContext) -> None:
        """Keep its context and that of its group, which goes on from where the branch whose result it reads ended."""
        self._contexts = context, parent

    def take_end(self, task: asyncio.Task[_T]) -> None:
        """Let the result of the ended task be read."""
        self._end = task

    @property
    def has_result(self) -> bool:
        """Its end was taken, or its group has ended without stopping it."""
        return self._end is not None

    def result(self) -> _T:
        """What the branch returned. It can be read once its end was taken, or its group has ended.

        Raises:
            RuntimeError: the branch was stopped, or its end was not taken yet.
        """
        if self._end is None:
            raise RuntimeError(f"branch {self.number}: expected one whose end was taken, got one stopped or running")
        result = self._end.result()
        if self._contexts is not None:
            context, parent = self._contexts
            parent.last = context.last
        return result


class Branches:
    """A group of concurrent branches. Leaving it waits for all of them.

    A branch that raises ends its siblings, and leaving the group raises its exception; so does cancelling the parent.
    Only the request that made the group starts its branches and takes their ends.

    Args:
        spread: each branch has one of the hosts like its own, by its path: what it asks without a session is answered
            there. Requests about a session follow the session. Where a branch ran is no content.
    """

    def __init__(self, *, spread: bool = False) -> None:
        self._spread = spread
        self._parent = current()
        self._position = self._parent.next()
        self._position.recording.here(None)  # the group itself journals nothing
        self._recorded = _Recorded(self._position.recording)
        self._branches: dict[int, Branch[Any]] = {}
        """All by number."""
        self._running: dict[int, asyncio.Task[Any]] = {}
        """Those whose end was not taken."""
        self._ends = asyncio.Queue[int]()
        """The numbers of branches in the order of their ends."""
        self._taken = 0
        """How many ends were taken."""
        self._over = False
        """Nothing more is started or taken: the branches were stopped, or one failed."""

    async def __aenter__(self) -> "Branches":
        return self

    def start(self, work: Callable[..., Coroutine[Any, Any, _T]], *args: Any) -> Branch[_T]:
        """Run `work(*args)` as the next branch. A replay does not run a branch that was stopped.

        Raises:
            RuntimeError: the group is over, or one of its branches starts another.
        """
        self._check_open()
        number = len(self._branches) + 1
        self._branches[number] = branch = Branch[_T](child(self._position.path, number), number)
        if number in self._recorded.stopped:
            return branch
        context = self._parent.below(self._position, number, spread=self._spread)
        context.recording.here(BranchEnded.kind)
        branch.begin(context, self._parent)

        async def run() -> _T:
            with running(context):
                try:
                    return await work(*args)
                except SystemExit as error:  # asyncio would end the process
                    raise ActorCrashed(f"{context.path}: SystemExit: {error}") from error

        self._running[number] = task = asyncio.create_task(run(), name=context.path)
        task.add_done_callback(lambda _: self._ends.put_nowait(number))
        return branch

    async def next(self) -> int:
        """Wait for the next branch to end, and commit that it did. Further branches may be started afterwards.

        Returns:
            The branch's number; its result can be read.

        Raises:
            Fault: the branch raised it. The group is over then.
            ReplayMismatch: other branches ended, or were stopped, when this was recorded.
            RuntimeError: no branch runs, the group is over, or one of its branches asks.
        """
        number, events = await self._take_next()
        await self._commit(events)
        self._over = False
        return number

    async def stop(self) -> None:
        """Commit that each branch whose end was not taken is stopped; then cancel these and wait for their ends.

        Raises:
            ReplayMismatch: other branches ended, or were stopped, when this was recorded.
            RuntimeError: the group is over, or one of its branches asks.
        """
        self._check_open()
        self._over = True
        await self._stop([])

    async def first(self) -> int:
        """Wait for the next branch to end and stop all others, in one commit; see `next` and `stop`."""
        number, events = await self._take_next()
        await self._stop(events)
        return number

    def _check_open(self) -> None:
        path = self._position.path
        if current() is not self._parent:
            raise RuntimeError(f"{path}: expected calls from {self._parent.path}, got one from {current().path}")
        if self._over:
            raise RuntimeError(f"{path}: expected a group that goes on, got one that was stopped or failed")

    async def _take_next(self) -> tuple[int, list[AnyEvent]]:
        """Wait for the next end, or for the recorded one. The group is over, unless the caller lets it go on.

        Returns:
            The branch's number, and the event to commit, if it is not recorded.
        """
        self._check_open()
        path, place = self._position.path, self._taken + 1
        recorded = self._recorded.ends.get(place)
        went_on = bool(self._recorded.stopped) or len(self._recorded.ends) >= place
        if went_on and recorded not in self._running:
            expected = "no further end" if recorded is None else f"branch {recorded} to end"
            raise ReplayMismatch(f"{path}: expected {expected}, got end {place} of {len(self._branches)} branches")
        if not self._running:
            raise RuntimeError(f"{path}: expected a branch that runs, got none")
        self._over = True
        number = await self._next_end() if recorded is None else await self._end_of(recorded)
        task = self._running[number]
        if task.cancelled():
            raise self._cancelled_itself(number)
        task.result()
        self._branches[number].take_end(self._running.pop(number))
        self._taken = place
        return number, [] if recorded else [BranchEnded(path=self._branches[number].path, place=place)]

    async def _next_end(self) -> int:
        while (number := await self._ends.get()) not in self._running:
            pass  # a replay took this end already
        return number

    async def _end_of(self, number: int) -> int:
        await asyncio.wait([self._running[number]])
        return number

    async def _stop(self, events: list[AnyEvent]) -> None:
        stopped = {number for number, branch in self._branches.items() if not branch.has_result}
        self._check_replayed(stopped)
        new = sorted(stopped - self._recorded.stopped)
        await self._commit([*events, *(BranchStopped(path=self._branches[number].path) for number in new)])
        await self._cancel_all()
        self._running.clear()

    async def _commit(self, events: list[AnyEvent]) -> None:
        if events:
            await self._parent.commit(*events)

    def _check_replayed(self, stopped: set[int]) -> None:
        """Check, at the end of the group, that no further ends and no other stops are recorded."""
        recorded = self._recorded
        if len(recorded.ends) > self._taken or not recorded.stopped <= stopped:
            expected = f"{len(recorded.ends)} ends and the branches {sorted(recorded.stopped)} stopped"
            raise ReplayMismatch(f"{self._position.path}: expected {expected}, got {self._taken} and {sorted(stopped)}")

    async def _cancel_all(self) -> None:
        tasks = self._running.values()
        for task in tasks:
            task.cancel()
        await wait_for_ends(tasks)
        for task in tasks:
            if not task.cancelled():
                task.exception()  # one exception leaves the group; the others are read here, or asyncio warns

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failure: BaseException | None = None
        try:
            if error is None and self._running:
                await asyncio.wait(self._running.values(), return_when=asyncio.FIRST_EXCEPTION)
                failure = self._failure()
        finally:
            await self._cancel_all()
        if failure is not None:
            raise failure
        if error is None and not self._over:
            self._check_replayed(set())
            for number, task in self._running.items():
                self._branches[number].take_end(task)

    def _failure(self) -> BaseException | None:
        """The failure of the first branch that failed, by number. Called before the others are cancelled."""
        for number, task in sorted(self._running.items()):
            if task.cancelled():
                return self._cancelled_itself(number)
            if task.done() and (failure := task.exception()) is not None:
                return failure
        return None

    def _cancelled_itself(self, number: int) -> ActorCrashed:
        return ActorCrashed(f"{self._position.path}: branch {number} cancelled itself")


class _Recorded:
    def __init__(self, recording: Recording) -> None:
        self.ends: dict[int, int] = {}
        """By place, the number of the branch."""
        self.stopped: set[int] = set()
        for record in recording.records:
            above, _, number = record.event.path.rpartition("/")
            if above == recording.path:
                match record.event:
                    case BranchEnded(place=place):
                        self.ends[place] = int(number)
                    case BranchStopped():
                        self.stopped.add(int(number))
                    case _:
                        pass


def branches(*, spread: bool = False) -> Branches:
    """A group of concurrent branches: enter it with `async with`, then `start` them; see `Branches`."""
    return Branches(spread=spread)


async def wait_for_ends(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Wait until all tasks have ended, however often the caller is cancelled; then raise the cancellation."""
    interrupted: asyncio.CancelledError | None = None
    while pending := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(pending)
        except asyncio.CancelledError as error:
            interrupted = error
    if interrupted is not None:
        raise interrupted
