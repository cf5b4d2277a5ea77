"""A world that blocks as an `AsyncWorld`: its members are called in threads."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from quintet.environments.adapters.adapter import WorldAdapter
from quintet.environments.adapters.optional import Grades, close_state, graded_outcome, naive_actions, picture_of
from quintet.environments.adapters.thread_pool import ThreadPool
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome, World, WorldState

_T = TypeVar("_T")


class ThreadedWorld(WorldAdapter):
    """Calls a world in threads.

    Args:
        world: whose states may be called from several threads at a time, each state from one.
        workers: the most calls at a time.
    """

    _world: World

    def __init__(self, world: World, workers: int) -> None:
        super().__init__(world)
        self._pool = ThreadPool(world.name, workers)

    async def open(self, task: Task) -> "ThreadState":
        return await _begin(self._pool, partial(self._world.open, task))

    async def restore(self, task: Task, snapshot: bytes) -> "ThreadState":
        return await _begin(self._pool, partial(self._world.restore, task, snapshot))

    async def aclose(self) -> None:
        """End the threads."""
        self._pool.close()


class ThreadState:
    """Calls a state in threads, and keeps what is seen, so that looking at it needs none."""

    def __init__(self, pool: ThreadPool, state: WorldState) -> None:
        self._pool = pool
        self._state = state
        self._given_up = False
        """A call that nobody waits for may still change the state; the thread that makes it closes it too."""
        self.opening: Opening = state.opening
        self.observation: str = state.observation
        self.picture = picture_of(state)

    async def step(self, action: str) -> Outcome:
        return await self._change(lambda: self._state.step(action))

    async def admissible(self) -> tuple[str, ...] | None:
        return await self._call(self._state.admissible)

    async def expert(self) -> tuple[str, ...] | None:
        return await self._call(self._state.expert)

    async def naive(self) -> tuple[str, ...] | None:
        return await self._call(lambda: naive_actions(self._state))

    async def graded(self, verdicts: Grades) -> Outcome:
        return await self._change(lambda: graded_outcome(self._state, verdicts))

    async def fork(self) -> "ThreadState":
        return await self._call(lambda: ThreadState(self._pool, self._state.fork()))

    async def snapshot(self) -> bytes:
        return await self._call(self._state.snapshot)

    async def close(self) -> None:
        if not self._given_up:
            await self._pool.call(self.dispose)

    def dispose(self) -> None:
        """Close the state, in the thread of the caller."""
        close_state(self._state)

    async def _change(self, work: Callable[[], Outcome]) -> Outcome:
        def change() -> tuple[Outcome, str, object]:
            return work(), self._state.observation, picture_of(self._state)

        outcome, self.observation, self.picture = await self._call(change)
        return outcome

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


async def _begin(pool: ThreadPool, make: Callable[[], WorldState]) -> ThreadState:
    def dispose(state: ThreadState | None) -> None:
        if state is not None:
            state.dispose()

    return await pool.call(lambda: ThreadState(pool, make()), dispose)
