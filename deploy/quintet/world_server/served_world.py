"""A world as it is served: its tasks, and states of it that are made within its places and within a time."""

import asyncio
import inspect
import logging
from collections.abc import Coroutine
from functools import cache
from typing import Any, Final, TypeVar

from quintet.environments.adapters.called import CalledState, CalledWorld
from quintet.environments.adapters.members import Member
from quintet.environments.adapters.plain import beneath
from quintet.errors import UsageError, one_line
from quintet.messages.environment import Task
from quintet.ports.world import World
from quintet.world_server.frames import FrameError, ResetOptions

_log = logging.getLogger("quintet.world_server")

_T = TypeVar("_T")


class ServedWorld:
    """A world whose calls are bounded in time, and whose failures are told.

    Args:
        world: of any kind, as `as_world` returns it.
        workers: the most calls at a time, if it blocks.
        seconds: how long a call may take.

    Raises:
        UsageError: it cannot be played on this machine, or not without a judge or a user.
    """

    def __init__(self, world: World, *, workers: int, seconds: float) -> None:
        for needs, what in ((world.needs_judge, "judge"), (world.needs_user, "user")):
            if needs:
                raise UsageError(
                    f"environment {world.name}: expected one that is played without a {what}, got one that needs it"
                )
        if lacks := world.lacking():
            raise UsageError(f"environment {world.name}: {lacks}")
        self.definition: Final = world
        self.name: Final = world.name
        self.description: Final = _first_line(beneath(world))
        self._called = CalledWorld(world, workers)
        # What answers at once cannot be given up, and a timer for each call would cost as much as a step.
        answers_at_once = isinstance(beneath(world), World) and world.blocking is None
        self._seconds = None if answers_at_once else seconds
        self._ready: set[str] = set()
        """Tasks that the world has got ready for."""
        self._getting_ready = asyncio.Lock()
        self._open = 0
        """States that hold a place."""
        self._closing: set[asyncio.Task[None]] = set()
        self.tasks: Final = cache(world.tasks)
        """Of a split."""

    def task(self, asked: ResetOptions) -> Task:
        """The task that a reset names.

        Raises:
            FrameError: there is no such task, or the options contradict each other.
        """
        name = asked.task if asked.task_spec is None else asked.task_spec.task
        by_place = (asked.split, asked.index) != (None, None)
        if (asked.task is not None) + (asked.task_spec is not None) + by_place > 1:
            raise FrameError(
                "VALIDATION_ERROR", "reset: expected one of task, task_spec, and split with index, got several"
            )
        seed = asked.seed or 0
        try:
            if name is not None:
                if name not in self._ready:
                    self.definition.check_task(name)
                return Task(name=name, seed=seed)
            tasks = self.tasks(asked.split or self.definition.splits[0])
        except UsageError as error:
            raise FrameError("VALIDATION_ERROR", one_line(error)) from error
        if not by_place:
            return Task(name=tasks[seed % len(tasks)], seed=seed)
        if asked.index is None or asked.index >= len(tasks):
            raise FrameError("VALIDATION_ERROR", f"index: expected 0 to {len(tasks) - 1}, got {asked.index}")
        return Task(name=tasks[asked.index], seed=seed)

    async def open(self, task: Task) -> CalledState:
        """The state in which a task begins.

        Raises:
            FrameError: there is no such task, all places are taken, or the world failed.
        """
        return await self._make("open", self._opened(task))

    async def restore(self, task: Task, snapshot: bytes) -> CalledState:
        """The state of a snapshot; raises as `open`."""
        return await self._make("restore", self._called.restore(task, snapshot))

    async def fork(self, state: CalledState) -> CalledState:
        """A copy; raises as `open`."""
        return await self._make("fork", state.call("fork"))

    async def call(self, state: CalledState, member: Member, *arguments: Any) -> Any:
        """What a member of a state returns; raises FrameError if it failed."""
        return await self._bounded(member, state.call(member, *arguments))

    async def close(self, state: CalledState) -> None:
        """Close a state, also if nobody waits for that any more; a failure is logged."""
        self._open -= 1
        if state.holds:
            closing = asyncio.ensure_future(self._close(state))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            await asyncio.shield(closing)

    async def aclose(self) -> None:
        """End what the world holds, once its states are closed."""
        if self._closing:
            await asyncio.wait(self._closing)
        await self._called.aclose()

    async def _close(self, state: CalledState) -> None:
        try:
            await self._bounded("close", state.close())
        except FrameError as error:
            _log.warning("%s", error)

    async def _opened(self, task: Task) -> CalledState:
        try:
            if task.name not in self._ready:
                await self._get_ready(task.name)
            return await self._called.open(task)
        except UsageError as error:
            raise FrameError("VALIDATION_ERROR", one_line(error)) from error

    async def _get_ready(self, task: str) -> None:
        async with self._getting_ready:
            if task not in self._ready:
                await self.definition.get_ready([task])
                self._ready.add(task)

    async def _make(self, member: str, made: Coroutine[Any, Any, CalledState]) -> CalledState:
        places = self.definition.places
        if places is not None and self._open >= places:
            made.close()
            raise FrameError("EXECUTION_ERROR", f"{self.name}: expected one of its {places} places, got none free")
        self._open += 1
        try:
            return await self._bounded(member, made)
        except BaseException:
            self._open -= 1
            raise

    async def _bounded(self, member: str, answer: Coroutine[Any, Any, _T]) -> _T:
        """The answer, in time. A world's failure ends its session, and no other."""
        try:
            if self._seconds is None:
                return await answer
            async with asyncio.timeout(self._seconds):
                return await answer
        except FrameError:
            raise
        except (Exception, SystemExit) as error:  # a plug-in may fail at anything
            if isinstance(error, TimeoutError) and isinstance(error.__cause__, asyncio.CancelledError):
                what = f"expected an answer within {self._seconds:g} s, got none"
            else:
                _log.warning("%s: %s failed", self.name, member, exc_info=error)
                what = f"{type(error).__name__}: {one_line(error)}"
            raise FrameError("SESSION_ERROR", f"{self.name}: {member}: {what}") from error


def _first_line(world: object) -> str:
    """What a world's class, or the function behind it, says of itself."""
    return (inspect.getdoc(type(world)) or f"the environment {getattr(world, 'name', '')}").partition("\n")[0]
