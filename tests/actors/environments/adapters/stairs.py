"""Stairs that are slow or block, in ways that a test controls."""

import asyncio
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import CallsIn, Forks, Outcome
from tests.deploy.testing.broken_environments import Climb, Stairs

LOW = Task(name="low stairs", seed=0)


class AsyncClimb(AsyncState):
    """Each step takes half a second, and `wait` for ever."""

    def __init__(self, climb: Climb, world: "AsyncStairs") -> None:
        self._climb = climb
        self._world = world
        self.opening = climb.opening

    @property
    def observation(self) -> str:
        return self._climb.observation

    async def step(self, action: str) -> Outcome:
        await asyncio.sleep(1e9 if action == "wait" else self._world.stepping)
        return self._climb.step(action)

    async def admissible(self) -> tuple[str, ...] | None:
        return self._climb.admissible()

    async def expert(self) -> tuple[str, ...] | None:
        return self._climb.expert()

    async def fork(self) -> "AsyncClimb":
        return AsyncClimb(self._climb.fork(), self._world)

    async def snapshot(self) -> bytes:
        return self._climb.snapshot()

    async def close(self) -> None:
        await asyncio.sleep(self._world.closing)
        self._world.closed.append(self._climb.task.name)


class AsyncStairs(AsyncWorld):
    """The stairs, whose members are coroutines."""

    name = Stairs.name
    forks: Forks = "copy"

    def __init__(self, stepping: float = 0.5, closing: float = 0.5) -> None:
        self.stepping = stepping
        self.closing = closing
        self.closed: list[str] = []
        """The tasks of states that were closed."""

    def tasks(self, split: str) -> tuple[str, ...]:
        return Stairs().tasks(split)

    def metadata(self, task: str) -> Mapping[str, str]:
        return Stairs().metadata(task)

    async def open(self, task: Task) -> AsyncClimb:
        return AsyncClimb(Stairs().open(task), self)

    async def restore(self, task: Task, snapshot: bytes) -> AsyncClimb:
        climb = Stairs().open(task)
        climb.load(snapshot)
        return AsyncClimb(climb, self)

    def worded(self, text: str) -> str:
        """The world calls it `upwards`."""
        return text.replace("up", "upwards")


class MeetingClimb(Climb):
    """`meet` returns once four threads are in it; `hang` once it is let go."""

    gate = threading.Barrier(4)
    hanging = threading.Event()
    let_go = threading.Event()
    closed = threading.Event()

    def step(self, action: str) -> Outcome:
        if action == "meet":
            self.gate.wait(timeout=60)
        elif action == "hang":
            self.hanging.set()
            self.let_go.wait(timeout=60)
        return super().step("up" if action in ("meet", "hang") else action)

    def close(self) -> None:
        self.closed.set()


class ThreadStairs(Stairs):
    blocking: CallsIn | None = "thread"
    climb = MeetingClimb


class ProcessClimb(Climb):
    """Its steps may hang, crash, raise, or print."""

    def step(self, action: str) -> Outcome:
        match action:
            case "hang":
                time.sleep(3600)
            case "exit":
                os._exit(3)
            case "raise":
                raise ZeroDivisionError("no stair")
            case "print":
                print("on the stairs", flush=True)
            case _:
                pass
        return super().step(action)

    def seen(self) -> str:
        return f"{super().seen()} {os.getpid()}" if Path("/proc").exists() else super().seen()


class ProcessStairs(Stairs):
    blocking: CallsIn | None = "process"
    climb = ProcessClimb


class QuietStairs(Stairs):
    """Plain stairs, called in processes."""

    blocking: CallsIn | None = "process"
