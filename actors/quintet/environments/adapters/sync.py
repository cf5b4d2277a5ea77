"""An `AsyncWorld` as a `World`, for code outside actors: each call runs its coroutine to the end."""

import asyncio
from collections.abc import Collection, Coroutine
from functools import cache
from inspect import iscoroutinefunction
from threading import Thread
from typing import Any, TypeVar

from quintet.environments.adapters.adapter import WorldAdapter
from quintet.environments.adapters.optional import Grades, graded_outcome_of, naive_actions_of, picture_of
from quintet.messages.environment import Task
from quintet.ports.world import (
    AsyncState,
    AsyncWorld,
    Closeable,
    GetsReady,
    Opening,
    Outcome,
    Unrepeatable,
    Worded,
    World,
)

_T = TypeVar("_T")


def as_sync(world: World | AsyncWorld) -> World:
    """The world itself if its members are plain functions; else an adapter that calls its coroutines."""
    return SyncWorld(world) if _is_async(world) else world  # type: ignore[arg-type, return-value]


def _is_async(world: World | AsyncWorld) -> bool:
    return iscoroutinefunction(world.open)


class SyncWorld(WorldAdapter):
    """Calls an `AsyncWorld` from plain code. The environment role uses the world itself, `wrapped`."""

    def __init__(self, world: AsyncWorld) -> None:
        super().__init__(world)
        self.wrapped = world

    def open(self, task: Task) -> "SyncState":
        return SyncState(_run(self.wrapped.open(task)))

    def restore(self, task: Task, snapshot: bytes) -> "SyncState":
        return SyncState(_run(self.wrapped.restore(task, snapshot)))

    def worded(self, text: str) -> str:
        """The text in the world's wording; see `Worded`."""
        return self.wrapped.worded(text) if isinstance(self.wrapped, Worded) else text


class SyncState:
    """Calls an `AsyncState` from plain code."""

    def __init__(self, state: AsyncState) -> None:
        self._state = state

    @property
    def opening(self) -> Opening:
        return self._state.opening

    @property
    def observation(self) -> str:
        return self._state.observation

    @property
    def picture(self) -> object:
        return picture_of(self._state)

    def step(self, action: str) -> Outcome:
        return _run(self._state.step(action))

    def admissible(self) -> tuple[str, ...] | None:
        return _run(self._state.admissible())

    def expert(self) -> tuple[str, ...] | None:
        return _run(self._state.expert())

    def naive(self) -> tuple[str, ...] | None:
        return _run(naive_actions_of(self._state))

    def graded(self, verdicts: Grades) -> Outcome:
        return _run(graded_outcome_of(self._state, verdicts))

    def fork(self) -> "SyncState":
        return SyncState(_run(self._state.fork()))

    def snapshot(self) -> bytes:
        return _run(self._state.snapshot())

    def close(self) -> None:
        if isinstance(self._state, Closeable):
            _run(self._finish(self._state))

    async def _finish(self, state: Closeable) -> None:
        closing = state.close()
        if closing is not None:
            await closing


def reset_now(world: Unrepeatable) -> None:
    """Reset a world from plain code; see `Unrepeatable.reset`."""
    _run(world.reset())


def get_ready_now(world: GetsReady, tasks: Collection[str]) -> None:
    """Let a world get ready from plain code; see `GetsReady.get_ready`."""
    _run(world.get_ready(tasks))


def _run(call: Coroutine[Any, Any, _T]) -> _T:
    """The result of a call, made on a loop of its own: the caller may be on one."""
    return asyncio.run_coroutine_threadsafe(call, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One for the process, in a daemon thread."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="async worlds", daemon=True).start()
    return loop
