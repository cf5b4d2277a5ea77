"""Copies of the world, in which the stand-in repeats what was done at a task and asks the expert what comes next."""

import asyncio
from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import ModelFault, one_line
from quintet.messages.environment import Task, Trail
from quintet.parsing.answers import on_one_line
from quintet.ports.async_world import AsyncWorld
from quintet.ports.world import World, WorldState

_KEPT = 256
"""Copies that are kept, the latest, of all episodes."""


class Way(NamedTuple):
    """What the expert would do from a position on."""

    actions: tuple[str, ...] | None
    """All, or at least the next; none when the task is done. None: the expert knows no way."""

    @property
    def left(self) -> float:
        """How many actions are left."""
        return float("inf") if self.actions is None else len(self.actions)


@dataclass(eq=False)
class _Copy:
    state: WorldState
    way: Way


class Copies:
    """Copies of the states that were asked about, those of all episodes together.

    A call has its copy for itself. So calls of a world that blocks in threads are made at once; those of one that
    blocks in processes one after the other, since its states may share what changes.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, Task, tuple[str, ...]], tuple[World, _Copy]] = OrderedDict()
        self._lock = Lock()
        """Held while copies are taken and put back."""
        self._turn = Lock()
        """Held during each call of a world that blocks in processes."""

    async def way(self, world: World, trail: Trail, seen: str) -> Way:
        """The expert's way from where a trail ends.

        Args:
            trail: from the task's start.
            seen: what is seen there, for a world that advises without a copy.

        Raises:
            ModelFault: the world failed.
        """
        try:
            if isinstance(found := beneath(world), AsyncWorld):
                return Way(await found.advise(trail.task, trail.actions, seen))
            if advises_by_itself(world):
                return Way(await asyncio.to_thread(world.advise, trail.task, trail.actions, seen))
            if world.blocking is None:
                return self._way(world, trail)
            return await asyncio.to_thread(self._way, world, trail)
        except Exception as error:  # a world is a plug-in, and may fail at anything
            what = f"{type(error).__name__}: {one_line(error)}"
            raise ModelFault(f"the stand-in's copy of {world.name} failed: {what}") from error

    def _way(self, world: World, trail: Trail) -> Way:
        task, actions = trail.task, trail.actions
        with self._turn if world.blocking == "process" else nullcontext():
            at, copy = self._take(world, task, actions)
            for number, action in enumerate(actions[at:], at):
                if world.forks == "copy":
                    before, copy = copy, _Copy(copy.state.fork(), copy.way)
                    self._keep(world, task, actions[:number], before)
                try:
                    _step(copy, action)
                except BaseException:
                    copy.state.close()
                    raise
            self._keep(world, task, actions, copy)
            return copy.way

    def close(self) -> None:
        """Close every copy."""
        while self._kept:
            _, (_, copy) = self._kept.popitem()
            copy.state.close()

    def _take(self, world: World, task: Task, actions: tuple[str, ...]) -> tuple[int, _Copy]:
        """The copy with the most of these actions, which is no longer kept, and how many it has."""
        with self._lock:
            for at in range(len(actions), -1, -1):
                if kept := self._kept.pop((id(world), task, actions[:at]), None):
                    return at, kept[1]
        state = world.open(task)
        try:
            return 0, _Copy(state, Way(state.expert()))
        except BaseException:
            state.close()
            raise

    def _keep(self, world: World, task: Task, actions: tuple[str, ...], copy: _Copy) -> None:
        with self._lock:
            old = [self._kept.pop((id(world), task, actions), None)]
            self._kept[(id(world), task, actions)] = world, copy
            if len(self._kept) > _KEPT:
                old.append(self._kept.popitem(last=False)[1])
        for each in filter(None, old):
            each[1].state.close()


def _step(copy: _Copy, action: str) -> None:
    """Act, and keep to the way as long as it is followed."""
    outcome = copy.state.step(action)
    ahead = copy.way.actions or ()
    followed = bool(ahead) and on_one_line(action) == on_one_line(ahead[0])
    if outcome.done:
        copy.way = Way(())
    elif followed and not outcome.rejected and len(ahead) > 1:
        copy.way = Way(ahead[1:])
    elif followed or not outcome.rejected:
        copy.way = Way(copy.state.expert())


def advises_by_itself(world: World) -> bool:
    """Whether a world is asked for advice and not for a copy: one that waits, or has advice of its own."""
    found = beneath(world)
    return isinstance(found, AsyncWorld) or overrides(found, World, "advise")
