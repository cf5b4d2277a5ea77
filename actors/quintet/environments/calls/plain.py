"""A slow world as a plain one, for code outside actors: each call runs its coroutine to the end."""

import asyncio
from collections.abc import Coroutine
from functools import cache
from inspect import iscoroutinefunction
from threading import Thread
from typing import Any, TypeVar

from quintet.environments.calls.face import Face
from quintet.messages.environment import Task
from quintet.ports.world import Closeable, Opening, Outcome, SlowState, SlowWorld, Worded, World

_T = TypeVar("_T")


def as_plain(world: World | SlowWorld) -> World:
    """The world, if its members answer at once or block; a slow one behind the face of such a world."""
    return PlainFace(world) if _is_slow(world) else world  # type: ignore[arg-type, return-value]


def _is_slow(world: World | SlowWorld) -> bool:
    return iscoroutinefunction(world.open)


class PlainFace(Face):
    """Calls a slow world from plain code. The environment role uses the world itself, `slow`."""

    def __init__(self, slow: SlowWorld) -> None:
        super().__init__(slow)
        self.slow = slow

    def open(self, task: Task) -> "PlainState":
        return PlainState(_run(self.slow.open(task)))

    def restore(self, task: Task, snapshot: bytes) -> "PlainState":
        return PlainState(_run(self.slow.restore(task, snapshot)))

    def worded(self, text: str) -> str:
        """The text in the world's wording; see `Worded`."""
        return self.slow.worded(text) if isinstance(self.slow, Worded) else text


class PlainState:
    """Calls a slow state from plain code."""

    def __init__(self, state: SlowState) -> None:
        self._state = state

    @property
    def opening(self) -> Opening:
        return self._state.opening

    @property
    def observation(self) -> str:
        return self._state.observation

    def step(self, action: str) -> Outcome:
        return _run(self._state.step(action))

    def admissible(self) -> tuple[str, ...] | None:
        return _run(self._state.admissible())

    def expert(self) -> tuple[str, ...] | None:
        return _run(self._state.expert())

    def fork(self) -> "PlainState":
        return PlainState(_run(self._state.fork()))

    def snapshot(self) -> bytes:
        return _run(self._state.snapshot())

    def close(self) -> None:
        if isinstance(self._state, Closeable):
            _run(self._finish(self._state))

    async def _finish(self, state: Closeable) -> None:
        closing = state.close()
        if closing is not None:
            await closing


def _run(call: Coroutine[Any, Any, _T]) -> _T:
    """The result of a call, made on a loop of its own: the caller may be on one."""
    return asyncio.run_coroutine_threadsafe(call, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One for the process, in a daemon thread."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="slow worlds", daemon=True).start()
    return loop
