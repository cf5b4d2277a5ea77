"""The environment port where members wait: a browser, or a service at an address."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from quintet.messages.environment import Task
from quintet.ports.world import Forks, Outcome, WorldDefinition, no_answers, no_verdicts


class AsyncState(ABC):
    """One live state of an `AsyncWorld`; the members mean the same as those of `WorldState`.

    It sets `opening` and `observation` itself, `picture` if it can be seen, and `offered` if its tools change. A call
    that is cancelled, at a deadline or with its branch, is the last but `close`.
    """

    @abstractmethod
    async def step(self, action: str) -> Outcome: ...

    async def admissible(self) -> tuple[str, ...] | None:
        return None

    async def expert(self) -> tuple[str, ...] | None:
        return None

    async def naive(self) -> tuple[str, ...] | None:
        return None

    async def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        raise no_verdicts(self)

    async def answered(self, text: str, leaves: bool) -> Outcome:
        raise no_answers(self)

    async def user_called(self, call: str) -> Outcome:
        raise no_answers(self, "user_called(call)")

    async def fork(self) -> "AsyncState":
        raise NotImplementedError("a world without forks is never asked")

    async def snapshot(self) -> bytes:
        raise NotImplementedError("a world without snapshots is never asked")

    async def close(self) -> None: ...  # noqa: B027  nothing is the default


class AsyncWorld(WorldDefinition):
    """A world whose members wait: what it and its states do are coroutines. They mean the same as those of `World`.

    All its calls are made on one event loop, that of its host; what belongs to a loop, such as a connection, is best
    made by the first `open`.
    """

    forks: Forks = "none"

    @abstractmethod
    async def open(self, task: Task) -> AsyncState: ...

    async def restore(self, task: Task, snapshot: bytes) -> AsyncState:
        raise NotImplementedError("a world without snapshots is never asked")

    async def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        state = await self.open(task)
        try:
            for action in actions:
                await state.step(action)
            return await state.expert()
        finally:
            await state.close()
