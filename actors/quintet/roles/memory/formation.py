"""Forms a batch memory from trajectories, and adds to it a process from its key step on."""

from asyncio import Semaphore
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from quintet.messages.memory import (
    Form,
    Formed,
    MemoryTuple,
    ObservedAction,
    Remember,
    Remembered,
    Summarized,
    Trajectory,
)
from quintet.messages.store import NamedType, StoreTuples
from quintet.ports.roles import Roles
from quintet.roles.branches import branches
from quintet.roles.memory.clustering import Clustering, Types
from quintet.roles.memory.recall import FoundType, Index, StateVectors
from quintet.roles.memory.summaries import Summaries

_AT_ONCE = 512
"""Steps that are summarized at a time: each keeps two prompts."""


@dataclass(frozen=True)
class Formation:
    """Forms batch memories: all steps are summarized at once, while goals and then observations are sorted into types.

    Source: LDM2, section 3.2, equations 6 to 8.
    """

    summaries: Summaries
    clustering: Clustering
    vectors: StateVectors
    roles: Roles

    async def form(self, request: Form) -> Formed:
        """Form a batch memory and store its tuples. What it stores does not depend on what arrives first."""
        async with branches() as group:
            summarizing = group.start(self._summarize, request.trajectories)
            sorting = group.start(self._types, request.trajectories)
            embedding = group.start(self.vectors.of_processes, request.trajectories)
        goals, observations = sorting.result()
        processes = tuple(
            tuple(_tuples(trajectory, histories, goals.of[trajectory.goal], observations))
            for trajectory, histories in zip(request.trajectories, summarizing.result(), strict=True)
        )
        stored = await self.roles.ask(
            StoreTuples(
                version=request.version,
                batch=request.batch,
                place=request.place,
                processes=processes,
                types=tuple(_named(goals, observations)),
                vectors=embedding.result(),
                embedder=self.vectors.embedder,
            )
        )
        every = (goals, *observations)
        return Formed(
            tuples=stored.tuples,
            goal_types=len(goals.names),
            observation_types=sum(len(types.names) for types in observations),
            asked_again=sum(types.asked_again for types in every),
            unassigned=sum(types.unassigned for types in every),
            invented=sum(types.invented for types in every),
        )

    async def _summarize(self, trajectories: Sequence[Trajectory]) -> Sequence[Sequence[Summarized]]:
        free = Semaphore(_AT_ONCE)

        async def before(trajectory: Trajectory, step: int) -> Summarized:
            async with free:
                seen = trajectory.steps[step].observation
                return await self.summaries.summarize(trajectory.goal, trajectory.steps[:step], seen)

        async with branches() as group:
            histories = [
                [group.start(before, trajectory, step) for step in range(len(trajectory.steps))]
                for trajectory in trajectories
            ]
        return [[branch.result() for branch in of_one] for of_one in histories]

    async def _types(self, trajectories: Sequence[Trajectory]) -> tuple[Types, Sequence[Types]]:
        """The types of goals and, in their order, of each one's observations."""
        goals = await self.clustering.types([each.goal for each in trajectories], "Goals:", observations=False)
        seen: list[list[str]] = [[] for _ in goals.names]
        for trajectory in trajectories:
            seen[goals.of[trajectory.goal] - 1] += (step.observation for step in trajectory.steps)
        sort = partial(self.clustering.types, observations=True)
        async with branches() as group:
            observations = [
                group.start(sort, texts, f"Goal type: {name}\n\nObservations:")
                for name, texts in zip(goals.names, seen, strict=True)
            ]
        return goals, [branch.result() for branch in observations]


def _tuples(
    trajectory: Trajectory, histories: Sequence[Summarized], goal_type: int, observations: Sequence[Types]
) -> Iterator[MemoryTuple]:
    of = observations[goal_type - 1].of
    for step, history in zip(trajectory.steps, histories, strict=True):
        yield memory_tuple(trajectory, step, history, goal_type, of[step.observation])


def memory_tuple(
    trajectory: Trajectory, step: ObservedAction, history: Summarized, goal_type: int, observation_type: int
) -> MemoryTuple:
    """A step of a trajectory as it is stored."""
    return MemoryTuple(
        goal=trajectory.goal,
        evaluation=history.evaluation,
        summary=history.summary,
        observation=step.observation,
        action=step.action,
        reward=trajectory.reward,
        source=trajectory.source,
        goal_type=goal_type,
        observation_type=observation_type,
    )


def _named(goals: Types, observations: Sequence[Types]) -> Iterator[NamedType]:
    for number, name in enumerate(goals.names, 1):
        yield NamedType(number=number, name=name)
        for of, each in enumerate(observations[number - 1].names, 1):
            yield NamedType(number=of, name=each, goal_type=number)


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
