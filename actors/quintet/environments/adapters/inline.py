"""A world that answers in microseconds as an `AsyncWorld`: its members are called in the event loop."""

from quintet.environments.adapters.adapter import WorldAdapter
from quintet.environments.adapters.optional import Grades, close_state, graded_outcome, naive_actions, picture_of
from quintet.messages.environment import Task
from quintet.ports.world import Closeable, Opening, Outcome, World, WorldState


class InlineWorld(WorldAdapter):
    """Calls a world in the event loop."""

    _world: World

    async def open(self, task: Task) -> "InlineState":
        return _adapt(self._world.open(task))

    async def restore(self, task: Task, snapshot: bytes) -> "InlineState":
        return _adapt(self._world.restore(task, snapshot))


class InlineState:
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

    @property
    def picture(self) -> object:
        return picture_of(self._state)

    async def step(self, action: str) -> Outcome:
        return self._state.step(action)

    async def admissible(self) -> tuple[str, ...] | None:
        return self._state.admissible()

    async def expert(self) -> tuple[str, ...] | None:
        return self._state.expert()

    async def naive(self) -> tuple[str, ...] | None:
        return naive_actions(self._state)

    async def graded(self, verdicts: Grades) -> Outcome:
        return graded_outcome(self._state, verdicts)

    async def fork(self) -> "InlineState":
        return _adapt(self._state.fork())

    async def snapshot(self) -> bytes:
        return self._state.snapshot()


class _CloseableInline(InlineState):
    """One that holds something. Others have no `close`, so that the end of a session costs no task."""

    __slots__ = ()

    async def close(self) -> None:
        close_state(self._state)


def _adapt(state: WorldState) -> InlineState:
    return _CloseableInline(state) if isinstance(state, Closeable) else InlineState(state)
