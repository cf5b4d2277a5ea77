"""Vectors of states, if the run embeds any."""

from collections.abc import Sequence

from quintet.errors import UsageError
from quintet.messages.memory import ObservedAction, Trajectory
from quintet.ports.embedder import Embedder, state_text
from quintet.roles.branches import branches


class StateVectors:
    """Embeds states: what is to be done, with what is seen. Without an embedder the run embeds nothing."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    @property
    def embedder(self) -> str:
        """Whose vectors they are; empty: there are none."""
        return "" if self._embedder is None else self._embedder.name

    async def of_processes(self, processes: Sequence[Trajectory]) -> tuple[tuple[bytes, ...], ...]:
        """A vector for each step of each process, all at once; empty: the run embeds nothing."""
        if self._embedder is None:
            return ()
        async with branches() as group:
            vectors = [group.start(self._of_steps, each.goal, each.steps) for each in processes]
        return tuple(branch.result() for branch in vectors)

    async def of(self, goal: str, observation: str) -> bytes:
        """The vector of a state.

        Raises:
            UsageError: the run has no embedder.
        """
        if self._embedder is None:
            raise UsageError("retrieval embedding: expected an embedder (memory.embedder.name), got none")
        [vector] = await self._embedder.embed([state_text(goal, observation)])
        return vector

    async def _of_steps(self, goal: str, steps: Sequence[ObservedAction]) -> tuple[bytes, ...]:
        assert self._embedder is not None
        texts = [state_text(goal, step.observation) for step in steps]
        different = tuple(dict.fromkeys(texts))
        vectors = dict(zip(different, await self._embedder.embed(different), strict=True))
        return tuple(vectors[text] for text in texts)
