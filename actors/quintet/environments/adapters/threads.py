"""Calls a world that blocks in threads: at most so many at a time, and none of them keeps the process from ending."""

import asyncio
import contextvars
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, TypeVar

from quintet.environments.adapters.called import CalledState, Caller
from quintet.environments.adapters.members import CHANGING, Member, call_state, see
from quintet.errors import WorldFault

_T = TypeVar("_T")

_MOST_GIVEN_UP: Final = 64
"""Calls that nobody waits for any more and that have not returned; beyond them no further call begins."""


class _Call(Generic[_T]):
    """A call on its way: who waits for it, and what to do with its result if nobody does."""

    def __init__(self, work: Callable[[], _T], dispose: Callable[[_T | None], object] | None) -> None:
        self.loop = asyncio.get_running_loop()
        self.context = contextvars.copy_context()
        self.work = work
        self.dispose = dispose
        self.end: asyncio.Future[_T] = self.loop.create_future()


class ThreadPool:
    """Makes calls in daemon threads, in the order in which they come.

    A thread cannot be interrupted. A call whose waiter is cancelled goes on in its thread, which counts no more towards
    the pool's size.
    """

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self.turns = asyncio.Semaphore(size)
        """To be entered around `run`; a caller that is cancelled before that has begun nothing."""
        self._idle: list[SimpleQueue[_Call[Any] | None]] = []
        """The mailboxes of threads that wait for a call."""
        self._closed = False
        self.given_up = 0
        """Calls that nobody waits for and that have not returned."""

    async def call(self, work: Callable[[], _T], dispose: Callable[[_T | None], object] | None = None) -> _T:
        """Wait for a turn, and `run`."""
        async with self.turns:
            return await self.run(work, dispose)

    async def run(self, work: Callable[[], _T], dispose: Callable[[_T | None], object] | None = None) -> _T:
        """The result of `work()`, made in a thread.

        Args:
            dispose: called in a thread once the work has returned, if the caller was cancelled meanwhile; with its
                result, or None if it raised.

        Raises:
            WorldFault: too many earlier calls did not return.
        """
        if self.given_up >= _MOST_GIVEN_UP:
            raise WorldFault(
                f"{self._name}: expected calls that return, got {self.given_up} that did not; with blocking "
                '"process" such a call ends with its process'
            )
        call = _Call(work, dispose)
        self._begin(call)
        try:
            return await call.end
        except asyncio.CancelledError:
            self._give_up(call)
            raise

    def close(self) -> None:
        """End the threads that wait for a call; a thread that is busy ends after its call."""
        self._closed = True
        while self._idle:
            self._idle.pop().put(None)

    def _begin(self, call: _Call[Any]) -> None:
        if self._idle:
            mailbox = self._idle.pop()
        else:
            mailbox = SimpleQueue[_Call[Any] | None]()
            Thread(target=self._serve, args=(mailbox,), name=f"world {self._name}", daemon=True).start()
        mailbox.put(call)

    def _serve(self, mailbox: "SimpleQueue[_Call[Any] | None]") -> None:
        while (call := mailbox.get()) is not None:
            result, error = None, None
            try:
                result = call.context.run(call.work)
            except BaseException as raised:  # noqa: BLE001  it is raised where the call is waited for
                error = raised
            try:
                call.loop.call_soon_threadsafe(self._returned, call, mailbox, result, error)
            except RuntimeError:
                return  # the loop is closed
            del call, result, error

    def _returned(
        self,
        call: _Call[Any],
        mailbox: "SimpleQueue[_Call[Any] | None]",
        result: Any,
        error: BaseException | None,
    ) -> None:
        if self._closed:
            mailbox.put(None)
        else:
            self._idle.append(mailbox)
        if not call.end.done():
            if error is None:
                call.end.set_result(result)
            else:
                call.end.set_exception(_as_raisable(error))
        elif call.end.cancelled():
            self.given_up -= 1
            self._dispose(call, result)

    def _give_up(self, call: _Call[Any]) -> None:
        if call.end.cancelled():
            self.given_up += 1
        else:  # it returned in this very moment
            self._dispose(call, call.end.result() if call.end.exception() is None else None)

    def _dispose(self, call: _Call[Any], result: Any) -> None:
        if call.dispose is not None:
            last = _Call(partial(call.dispose, result), None)
            last.end.add_done_callback(_read)
            self._begin(last)


def _as_raisable(error: BaseException) -> BaseException:
    # A future takes no StopIteration, and these two would end the loop.
    if isinstance(error, StopIteration | KeyboardInterrupt | SystemExit):
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _read(end: "asyncio.Future[Any]") -> None:
    """Read an error that nobody waits for, or asyncio warns of it."""
    if not end.cancelled():
        end.exception()


class ThreadCaller(Caller):
    """Calls a world in threads: several of its states at a time, each from one thread."""

    def __init__(self, world: Any, workers: int) -> None:
        self._world = world
        self._pool = ThreadPool(world.name, workers)

    async def begin(self, member: Member, *arguments: Any) -> "ThreadState":
        make = partial(getattr(self._world, member), *arguments)

        def dispose(state: ThreadState | None) -> None:
            if state is not None:
                state.dispose()

        return await self._pool.call(lambda: ThreadState(self._pool, make()), dispose)

    async def aclose(self) -> None:
        """End the threads."""
        self._pool.close()


class ThreadState(CalledState):
    """Calls a state in threads, and keeps what is seen, so that looking at it needs none."""

    def __init__(self, pool: ThreadPool, state: object) -> None:
        self._pool = pool
        self._state = state
        self._given_up = False
        """A call that nobody waits for may still change the state; the thread that makes it closes it too."""
        self.saw(see(state))

    async def call(self, member: Member, *arguments: Any) -> Any:
        def work() -> Any:
            result = call_state(self._state, member, *arguments)
            return ThreadState(self._pool, result) if member == "fork" else result

        if member not in CHANGING:
            return await self._call(work)
        outcome, seen = await self._call(lambda: (work(), see(self._state)))
        self.saw(seen)
        return outcome

    async def close(self) -> None:
        if not self._given_up:
            await self._pool.call(self.dispose)

    def dispose(self) -> None:
        """Close the state, in the thread of the caller."""
        call_state(self._state, "close")

    async def _call(self, work: Callable[[], _T]) -> _T:
        def dispose(result: _T | None) -> None:
            if isinstance(result, ThreadState):
                result.dispose()
            self.dispose()

        async with self._pool.turns:
            try:
                return await self._pool.run(work, dispose)
            except asyncio.CancelledError:
                self._given_up = True
                raise
