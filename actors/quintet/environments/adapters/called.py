"""A world of any kind as the environment role calls it: in the event loop, in threads or in processes."""

from abc import ABC, abstractmethod
from inspect import isawaitable
from typing import Any

from quintet.environments.adapters.members import CHANGING, Member, Seen, call_state, overrides, see
from quintet.environments.adapters.plain import as_world, beneath
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.tools import OfferedTool
from quintet.ports.async_world import AsyncState
from quintet.ports.world import Opening, WorldState


class CalledState(ABC):
    """A state, and what it showed after the last call that changed it."""

    opening: Opening
    observation: str
    picture: object
    offered: tuple[OfferedTool, ...]
    holds: bool = True
    """Whether closing it frees anything; if not, it is not closed."""

    @abstractmethod
    async def call(self, member: Member, *arguments: Any) -> Any:
        """What a member of the state returns; a `CalledState` for `fork`."""

    @abstractmethod
    async def close(self) -> None:
        """Close it once no call uses it."""

    def saw(self, seen: Seen) -> None:
        """Take what the state shows now."""
        self.opening, self.observation, self.picture, self.offered = seen


class Caller(ABC):
    """Makes the states of one world on one host."""

    @abstractmethod
    async def begin(self, member: Member, *arguments: Any) -> CalledState:
        """The state that `open` or `restore` makes."""

    async def aclose(self) -> None:  # noqa: B027  nothing is the default
        """End what calls are made in."""


class CalledWorld:
    """A world of any kind, with a caller for it.

    Args:
        workers: the most calls at a time, if it blocks.

    Raises:
        UsageError: it declares another way of blocking than there are, or cannot be pickled for its processes.
    """

    def __init__(self, world: object, workers: int) -> None:
        self.definition = as_world(world)
        self._caller = _caller_of(beneath(world), workers)

    async def open(self, task: Task) -> CalledState:
        return await self._caller.begin("open", task)

    async def restore(self, task: Task, snapshot: bytes) -> CalledState:
        return await self._caller.begin("restore", task, snapshot)

    async def aclose(self) -> None:
        """End what calls are made in, and then what the world holds."""
        await self._caller.aclose()
        await self.definition.aclose()


def _caller_of(world: Any, workers: int) -> Caller:
    match blocking := getattr(world, "blocking", None):
        case None:
            return InlineCaller(world)
        case "thread":
            from quintet.environments.adapters.threads import ThreadCaller

            return ThreadCaller(world, workers)
        case "process":
            from quintet.environments.adapters.processes import ProcessCaller

            return ProcessCaller(world, workers)
        case _:
            raise UsageError(f"environment {world.name}: blocking: expected thread, process or None, got {blocking!r}")


class InlineCaller(Caller):
    """Calls in the event loop a world that answers in microseconds, or one whose members are coroutines."""

    def __init__(self, world: Any) -> None:
        self._world = world

    async def begin(self, member: Member, *arguments: Any) -> "InlineState":
        state = await _settled(getattr(self._world, member)(*arguments))
        try:
            return InlineState(state)
        except Exception:
            await _settled(call_state(state, "close"))
            raise


class InlineState(CalledState):
    """Calls a state in the event loop."""

    def __init__(self, state: object) -> None:
        self._state = state
        self.holds = overrides(state, AsyncState if isinstance(state, AsyncState) else WorldState, "close")
        self.saw(see(state))

    async def call(self, member: Member, *arguments: Any) -> Any:
        result = await _settled(call_state(self._state, member, *arguments))
        if member in CHANGING:
            self.saw(see(self._state))
        return InlineState(result) if member == "fork" else result

    async def close(self) -> None:
        await _settled(call_state(self._state, "close"))


async def _settled(result: Any) -> Any:
    return await result if isawaitable(result) else result
