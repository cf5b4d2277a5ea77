"""Calls a world that blocks in threads."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from quintet.environments.adapters.called import CalledState, Caller
from quintet.environments.adapters.members import CHANGING, Member, call_state, see
from quintet.environments.adapters.thread_pool import ThreadPool

_T = TypeVar("_T")


class ThreadCaller(Caller):
    """Calls a world in threads.

    Args:
        world: whose states may be called from several threads at a time, each state from one.
    """

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
