"""A virtual event loop: `time()` jumps to the next timer when nothing is ready, so hours pass in no time.

`asyncio.sleep` and `asyncio.timeout` work unchanged. Nothing here waits for the outside world: no threads, no sockets.
"""

import asyncio
import selectors
from collections import deque
from collections.abc import Coroutine, Mapping
from heapq import heappop
from typing import Any, TypeVar

T = TypeVar("T")

_ROUNDS = 100
"""How often the tasks of dead hosts are cancelled."""


class Deadlock(AssertionError):
    """Nothing is ready and no timer is set: whoever still waits would wait forever."""


class _JumpingSelector(selectors.BaseSelector):
    """Never waits; has the clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self._keys: dict[int, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        # asyncio registers file descriptors only: those of its own wake-up pipe, which nothing here writes to.
        key = selectors.SelectorKey(fileobj, fileobj, events, data)
        self._keys[fileobj] = key
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        raise NotImplementedError("the loop below never waits for a file")

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time, from 0."""

    def __init__(self) -> None:
        self._virtual = _JumpingSelector()
        super().__init__(self._virtual)
        self._handles: deque[Any] = getattr(self, "_ready")  # noqa: B009  asyncio's own, which it has no type for
        self._timers: list[Any] = getattr(self, "_scheduled")  # noqa: B009

    def time(self) -> float:
        return self._virtual.now

    def _run_once(self) -> None:
        """One turn, as asyncio's own does it, without files, threads and its checks for slow callbacks."""
        ready, timers = self._handles, self._timers
        while timers and timers[0].cancelled():
            _pop(timers)
        if not ready:
            if not timers:
                raise Deadlock(f"at {self.time():.3f} s: nothing is ready and no timer is set")
            self._virtual.now = max(self._virtual.now, timers[0].when())
        while timers and timers[0].when() <= self._virtual.now:
            ready.append(_pop(timers))
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.cancelled():
                handle._run()

    def pass_time(self, seconds: float) -> None:
        """What code that works without waiting does."""
        self._virtual.now += seconds


def _pop(timers: list[Any]) -> Any:
    timer = heappop(timers)
    timer._scheduled = False  # asyncio counts those that are cancelled in the heap
    return timer


def run(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, on a virtual loop.

    Raises:
        Deadlock: `main` waits for something that cannot come.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        try:
            return runner.run(main)
        finally:
            # Hosts that died in the simulation are buried with whatever they were doing.
            runner.get_loop().set_exception_handler(lambda loop, context: None)
            _bury(runner.get_loop())


def _bury(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel all tasks until none is left: one that is cancelled may still close its sessions, in a task of its own."""
    for _ in range(_ROUNDS):
        tasks = asyncio.all_tasks(loop)
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.wait(tasks, timeout=1))
    raise Deadlock(f"after {_ROUNDS} cancellations: {[task.get_name() for task in asyncio.all_tasks(loop)]}")
