"""Adds a sub-trajectory to a batch memory, each of its tuples in the types that the model finds for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from quintet.messages.memory import Remember, Remembered, Summarized
from quintet.messages.store import NamedType, StoreTuples
from quintet.ports.roles import Roles
from quintet.roles.branches import branches
from quintet.roles.memory.formation import memory_tuple
from quintet.roles.memory.index import FoundType, Index
from quintet.roles.memory.states import StateVectors
from quintet.roles.memory.summaries import Summaries

_FIRST_TYPES = (NamedType(number=1, name="all goals"), NamedType(number=1, name="all observations", goal_type=1))
"""Of a batch memory that was empty."""


@dataclass(frozen=True)
class Enhancement:
    """Stores the tuples of a process from a step on.

    Source: LDM2, section 3.3, equation 10. Differs: a tuple whose type the model does not name is in the smallest one.
    """

    summaries: Summaries
    index: Index
    vectors: StateVectors
    roles: Roles

    async def remember(self, request: Remember) -> Remembered:
        """Summarize and sort each step, all at once, and store the tuples."""
        steps = request.trajectory.steps[request.first - 1 :]
        places = range(request.first - 1, len(request.trajectory.steps))
        async with branches() as group:
            sorting = group.start(self._sort, request, [*dict.fromkeys(step.observation for step in steps)])
            summaries = [group.start(self._summarize, request, place) for place in places]
            embedding = group.start(self.vectors.of_processes, [replace(request.trajectory, steps=steps)])
        goal, observations = sorting.result()
        goal_type = goal.number or goal.smallest or 1
        of = {seen: found.number or found.smallest or 1 for seen, found in observations.items()}
        histories = [branch.result() for branch in summaries]
        stored = await self.roles.ask(
            StoreTuples(
                version=request.version,
                batch=request.batch,
                place=request.place,
                processes=(
                    tuple(
                        memory_tuple(request.trajectory, step, history, goal_type, of[step.observation])
                        for step, history in zip(steps, histories, strict=True)
                    ),
                ),
                types=() if goal.types else _FIRST_TYPES,
                vectors=embedding.result(),
                embedder=self.vectors.embedder,
            )
        )
        return Remembered(
            tuples=stored.tuples, unreadable=sum(bool(found.failed) for found in (goal, *observations.values()))
        )

    async def _summarize(self, request: Remember, step: int) -> Summarized:
        steps = request.trajectory.steps
        return await self.summaries.summarize(request.trajectory.goal, steps[:step], steps[step].observation)

    async def _sort(self, request: Remember, observations: Sequence[str]) -> tuple[FoundType, Mapping[str, FoundType]]:
        """The type of the goal, and of each different observation."""
        before = max(0, request.version - 1)
        goal = request.trajectory.goal
        found = await self.index.goal_type(before, request.batch, goal)
        goal_type = found.number or found.smallest
        if goal_type is None:
            return found, dict.fromkeys(observations, FoundType(None))
        async with branches() as group:
            sorting = {
                seen: group.start(self.index.observation_type, before, request.batch, goal, goal_type, seen)
                for seen in observations
            }
        return found, {seen: branch.result() for seen, branch in sorting.items()}
