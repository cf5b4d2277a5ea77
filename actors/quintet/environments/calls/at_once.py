"""A world that answers at once, as a slow one: nothing here waits."""

from quintet.environments.calls.face import Face
from quintet.messages.environment import Task
from quintet.ports.world import Closeable, Opening, Outcome, World, WorldState


class AtOnce(Face):
    """Calls a world in the event loop."""

    _world: World

    async def open(self, task: Task) -> "StateAtOnce":
        return _face(self._world.open(task))

    async def restore(self, task: Task, snapshot: bytes) -> "StateAtOnce":
        return _face(self._world.restore(task, snapshot))


class StateAtOnce:
    """Calls a state in the event loop."""

    __slots__ = ("_state",)

    def __init__(self, state: WorldState) -> None:
        self._state = state

    @property
    def opening(self) -> Opening:
        return self._state.opening

    @property
    def observation(self) -> str:
        return self._state.observation

    async def step(self, action: str) -> Outcome:
        return self._state.step(action)

    async def admissible(self) -> tuple[str, ...] | None:
        return self._state.admissible()

    async def expert(self) -> tuple[str, ...] | None:
        return self._state.expert()

    async def fork(self) -> "StateAtOnce":
        return _face(self._state.fork())

    async def snapshot(self) -> bytes:
        return self._state.snapshot()


class _CloseableAtOnce(StateAtOnce):
    """One that holds something. Others have no `close`, so that the end of a session costs no task."""

    __slots__ = ()

    async def close(self) -> None:
        close_state(self._state)


def close_state(state: WorldState) -> None:
    """Close a state that holds something; any other is left alone."""
    if isinstance(state, Closeable):
        state.close()


def _face(state: WorldState) -> StateAtOnce:
    return _CloseableAtOnce(state) if isinstance(state, Closeable) else StateAtOnce(state)
