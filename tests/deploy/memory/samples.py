"""Small memories to test with."""

from pathlib import Path

from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import NamedType, StoreTuples

TYPES = (
    NamedType(number=1, name="heat things"),
    NamedType(number=2, name="cool things"),
    NamedType(number=1, name="at a closed thing", goal_type=1),
    NamedType(number=2, name="in the open", goal_type=1),
    NamedType(number=1, name="at a fridge", goal_type=2),
)
"""Of a batch memory."""


def a_tuple(
    goal: str = "heat an egg",
    observation: str = "You see a fridge.",
    action: str = "open fridge 1",
    *,
    goal_type: int = 1,
    observation_type: int = 1,
    reward: float = 1.0,
    source: str = "heat/0/0",
) -> MemoryTuple:
    """A tuple with an evaluation and a summary."""
    return MemoryTuple(
        goal=goal,
        evaluation=f"subgoal 1: {goal} - incomplete",
        summary="The last action was to look around.",
        observation=observation,
        action=action,
        reward=reward,
        source=source,
        goal_type=goal_type,
        observation_type=observation_type,
    )


HEAT = (
    a_tuple(),
    a_tuple(observation="The fridge is open. In it is an egg.", action="take egg 1", observation_type=2),
    a_tuple(observation="You hold the egg.", action="heat egg 1", observation_type=2),
)
COOL = (
    a_tuple("cool an apple", "You see a table.", "take apple 1", goal_type=2, source="cool/0/0"),
    a_tuple("cool an apple", "You hold the apple.", "cool apple 1", goal_type=2, source="cool/0/0"),
)


def request(
    *processes: tuple[MemoryTuple, ...],
    version: int = 1,
    batch: int = 1,
    place: int = 0,
    types: tuple[NamedType, ...] = TYPES,
) -> StoreTuples:
    """A request to store processes, with the types."""
    return StoreTuples(version=version, batch=batch, place=place, processes=processes, types=types)


def a_store(file: Path | None = None, *requests: StoreTuples) -> Store:
    """A store with version 0 sealed, empty; and with requests, these as version 1, sealed."""
    store = Store(":memory:" if file is None else file, world="alfworld")
    store.seal(0)
    for each in requests:
        store.add(each)
    if requests:
        store.seal(1)
    return store


def a_memory(file: Path | None = None) -> Store:
    """A store with two versions beyond the empty one: processes of two goals, then another of the first."""
    store = a_store(file, request(HEAT, COOL))
    store.add(request((a_tuple(action="look", source="heat/1/0"),), version=2, types=()))
    store.seal(2)
    return store
