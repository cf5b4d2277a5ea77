"""Calls a world that blocks in processes, which are killed if a call does not return."""

import asyncio
import logging
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from itertools import count
from typing import Any, Final

from quintet.environments.adapters.called import CalledState, Caller
from quintet.environments.adapters.members import CHANGING, Member, Returned, WorkerCall
from quintet.environments.adapters.threads import ThreadPool
from quintet.errors import ProcessLost, UsageError, WorldFault, one_line
from quintet.plugins.sources import used_sources

_log = logging.getLogger("quintet.world")

_GRACE: Final = 5.0
"""Seconds for a call that nobody waits for to return, before its process is killed."""
_END: Final = 1.0
"""Seconds for a process to end that has closed its pipes."""


class ProcessCaller(Caller):
    """Calls a world in processes, which are started when they are needed.

    Args:
        workers: how many there are at most. Further states share them; a process answers one call at a time.
        grace: seconds for a call that nobody waits for to return.

    Raises:
        UsageError: the world cannot be pickled.
    """

    def __init__(self, world: Any, workers: int, grace: float = _GRACE) -> None:
        import cloudpickle  # type: ignore[import-untyped]

        try:
            pickled: bytes = pickle.dumps(used_sources()) + cloudpickle.dumps(world)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        except Exception as error:  # a plug-in's objects may raise anything when they are pickled
            text = f"expected one that can be pickled, since its blocking is process, got {one_line(error)}"
            raise UsageError(f"environment {world.name}: {text}") from error
        pool = ThreadPool(world.name, workers)
        self._pool = pool
        self._slots = [_Slot(world.name, pickled, pool, grace) for _ in range(workers)]

    async def begin(self, member: Member, *arguments: Any) -> "ProcessState":
        slot = min(self._slots, key=lambda slot: slot.states)
        return await ProcessState.begin(slot, member, None, *arguments)

    async def aclose(self) -> None:
        """End the processes."""
        for slot in self._slots:
            slot.end()
        self._pool.close()


class ProcessState(CalledState):
    """A state in a process, by its number there."""

    def __init__(self, slot: "_Slot", number: int) -> None:
        self._slot = slot
        self._number = number
        slot.states += 1
        self._process: _Process | None = None
        """Where it lives; None: it was not made yet."""

    @classmethod
    async def begin(cls, slot: "_Slot", member: Member, by: "ProcessState | None", *arguments: Any) -> "ProcessState":
        """Make a state, from a task or by forking another one.

        Args:
            by: the state that is forked; None: it is a task's.
        """
        made = cls(slot, next(slot.numbers))
        call = WorkerCall(member, made._number, arguments)
        if by is not None:
            call = WorkerCall(member, by._number, (made._number,))
        try:
            seen, made._process = await slot.call(call, None if by is None else by._process)
        except BaseException:
            await made.close()
            raise
        made.saw(seen)
        return made

    async def call(self, member: Member, *arguments: Any) -> Any:
        if member == "fork":
            return await ProcessState.begin(self._slot, "fork", self)
        result, _ = await self._slot.call(WorkerCall(member, self._number, arguments), self._process)
        if member not in CHANGING:
            return result
        outcome, seen = result
        self.saw(seen)
        return outcome

    async def close(self) -> None:
        self._slot.states -= 1
        self._slot.close_state(self._number, self._process)


class _Process:
    def __init__(self, pickled: bytes) -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-m", "quintet.environments.adapters.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._calls, self._answers = self._running.stdin, self._running.stdout
        self._first = pickled
        """What precedes the first call."""

    def call(self, call: WorkerCall) -> Returned:
        """Make a call; blocks until it returns. Raises OSError or EOFError if the process ends before."""
        first, self._first = self._first, b""
        self._calls.write(first + pickle.dumps(call))
        self._calls.flush()
        returned: Returned = pickle.load(self._answers)
        return returned

    def kill(self) -> None:
        """End it; a call in it raises."""
        self._running.kill()

    def wait(self) -> int:
        """The exit code of one that answers no more: its own if it is ending, else it is killed."""
        with suppress(subprocess.TimeoutExpired):
            self._running.wait(_END)
        return self.close()

    def close(self) -> int:
        """End it, and return its exit code. No call is in it."""
        self.kill()
        for pipe in (self._calls, self._answers):
            with suppress(OSError):
                pipe.close()
        return self._running.wait()


class _Slot:
    """A place for a process: starts it when it is called, and again when it was lost."""

    def __init__(self, name: str, pickled: bytes, pool: ThreadPool, grace: float) -> None:
        self._name = name
        self._pickled = pickled
        self._pool = pool
        self._grace = grace
        self._turn = asyncio.Lock()
        self._process: _Process | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.states = 0
        """How many live here, or will."""
        self.numbers = count(1)

    async def call(self, call: WorkerCall, process: _Process | None) -> tuple[Any, _Process]:
        """Make a call once those before it have returned.

        A call whose caller is cancelled goes on; if it does not return in time, its process is killed.

        Args:
            process: where its state lives; None: it makes a state of its own.

        Returns:
            Its result, and the process that it was made in.

        Raises:
            ProcessLost: that process is gone.
            WorldFault: the process ended during the call.
        """
        await self._turn.acquire()
        making = asyncio.create_task(self._make(call, process))
        self._tasks.add(making)
        making.add_done_callback(self._made)
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            kill = asyncio.get_running_loop().call_later(self._grace, self._kill_late, call)
            making.add_done_callback(lambda _: kill.cancel())
            raise

    def close_state(self, number: int, process: _Process | None) -> None:
        """Let the process forget a state, after all calls before."""
        if self._process is not None and process in (None, self._process):
            closing = asyncio.create_task(self.call(WorkerCall("close", number), process))
            self._tasks.add(closing)
            closing.add_done_callback(self._ended)

    def end(self) -> None:
        """End the process, and a call in it."""
        if self._process is None:
            return
        if self._turn.locked():
            self._process.kill()
        else:
            self._process.close()
            self._process = None

    async def _make(self, call: WorkerCall, process: _Process | None) -> tuple[Any, _Process]:
        if process is not None and process is not self._process:
            raise ProcessLost(f"{self._name}: expected the process of a session, got one that was killed")
        return await self._pool.call(lambda: self._answer(call))

    def _answer(self, call: WorkerCall) -> tuple[Any, _Process]:
        process = self._process = self._process or _Process(self._pickled)
        try:
            returned = process.call(call)
        except Exception as error:  # half an answer may be no pickle in any way
            self._process = None
            why = f"its process ended with exit code {process.wait()}"
            raise WorldFault(f"{self._name}: {call.member}: expected an answer, but {why}") from error
        if returned.error is not None:
            raise returned.error
        return returned.value, process

    def _kill_late(self, call: WorkerCall) -> None:
        _log.warning("%s: %s did not return; its process is killed", self._name, call.member)
        self.end()

    def _made(self, making: asyncio.Task[Any]) -> None:
        self._turn.release()
        self._ended(making)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller may be gone
