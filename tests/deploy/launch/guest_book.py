"""A world in a user's file: a guest book on disk, which keeps what every run wrote into it."""

import asyncio
import os
from pathlib import Path

from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import Opening, Outcome

LINES = 4


def note(line: str) -> int:
    """Write a line; returns how many there are."""
    file = Path(os.environ["GUEST_BOOK"])
    with file.open("a") as book:
        book.write(f"{line}\n")
    return len(file.read_text().splitlines())


class Visit(AsyncState):
    def __init__(self, task: Task, world: "GuestBook") -> None:
        self._task = task
        self._world = world
        self._written = 0
        self.observation = self.opening.observation

    @property
    def opening(self) -> Opening:
        return Opening(observation="A guest book. Goal: sign it.", setting="A guest book.", goal="sign it")

    async def step(self, action: str) -> Outcome:
        if self._written and Path(os.environ["GUEST_BOOK"]).with_name("no ink").exists():
            raise WorldFault("there is no ink")
        await asyncio.sleep(self._world.seconds)
        written = note(f"step {self._task.name} {os.getpid()}")
        self._written += 1
        done = self._written >= LINES
        self.observation = f"{written} lines."
        return Outcome(observation=self.observation, reward=float(done), done=done, rejected=False, lasting=True)

    async def expert(self) -> tuple[str, ...] | None:
        return () if self._written >= LINES else ("sign",)

    async def close(self) -> None:
        note(f"close {self._task.name} {os.getpid()}")


class GuestBook(AsyncWorld):
    """Sign the book."""

    name, exact = "guest-book", False
    repeats = False

    def __init__(self, seconds: float = 0.1, places: int = 2) -> None:
        self.seconds = seconds
        self.places = places

    def tasks(self, split: str) -> tuple[str, ...]:
        return ("ann", "bob", "cy", "dee")

    def metadata(self, task: str) -> dict[str, str]:
        return {}

    async def open(self, task: Task) -> Visit:
        note(f"open {task.name} {os.getpid()}")
        return Visit(task, self)

    async def reset(self) -> None:
        note("reset")
