"""Looks tuples up: by type or by words, within a budget of bytes, or in their place tuples of other goals."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b

from quintet.errors import UsageError
from quintet.memory.ids import ids_of_process, place_of
from quintet.memory.reader import MemoryReader
from quintet.memory.words import ranked
from quintet.messages.memory import FindTuples, StoredTuple
from quintet.messages.recall import Retrieval

_NEWEST = "SELECT id, size FROM tuples WHERE type = ? AND id < ? AND size <= ? ORDER BY id DESC"
_SIZE = "SELECT size FROM tuples WHERE id = ?"
_GOALS = """
SELECT min(first), text FROM examples JOIN types ON types.id = examples.type
WHERE batch = ? AND goal_type = 0 AND first < ? GROUP BY text ORDER BY 1
"""
_GOAL = "SELECT goal FROM tuples WHERE id = ?"
_OF_PROCESS = "SELECT id FROM tuples WHERE id BETWEEN ? AND ? AND id < ?"


_NEAREST = 64
"""Tuples that are looked for at first: more than a budget of a few kilobytes takes."""


def find_tuples(reader: MemoryReader, request: FindTuples) -> tuple[StoredTuple, ...]:
    """The tuples that a request looks for.

    They are taken one after the other until one does not fit the budget any more; one that is larger than all of it is
    passed over. The budget of shuffled tuples is that of the tuples in whose place they are.

    Raises:
        UsageError: the memory cannot be searched in this way.
        ValueError: the version is not sealed.
    """
    if request.retrieval not in _FOUND:
        raise UsageError(f"retrieval: expected {' or '.join(_FOUND)}, got {request.retrieval!r}")
    ids = _FOUND[request.retrieval](reader, request)
    return reader.fetch(_of_other_goals(reader, request, ids) if request.shuffled else ids)


def _by_type(reader: MemoryReader, request: FindTuples) -> list[int]:
    """The newest, in the order of their entry."""
    type_id = _type_id(reader, request)
    limit = reader.limit(request.version)
    sizes = reader.rows(_NEWEST, (type_id, limit, request.budget))
    return list(_within(request.budget, ((identifier, size) for identifier, size in sizes)))[::-1]


def _by_words(reader: MemoryReader, request: FindTuples) -> list[int]:
    """The best first."""
    reader.limit(request.version)
    type_id = _type_id(reader, request)
    best = [] if type_id is None else ranked(reader, type_id, request.version, request.query)
    sizes = ((identifier, size) for _, identifier in best for (size,) in reader.rows(_SIZE, (identifier,)))
    return list(_within(request.budget, ((identifier, size) for identifier, size in sizes if size <= request.budget)))


def _by_embedding(reader: MemoryReader, request: FindTuples) -> list[int]:
    """The nearest in the batch memory, nearest first."""
    nearest = reader.vectors.nearest(
        request.batch, request.version, reader.limit(request.version), request.vector, request.embedder
    )
    count, found = _NEAREST, list[int]()
    while True:
        near = nearest(count)
        sizes = ((identifier, size) for identifier in near for (size,) in reader.rows(_SIZE, (identifier,)))
        fitting = [(identifier, size) for identifier, size in sizes if size <= request.budget]
        found = list(_within(request.budget, fitting))
        if len(near) < count or len(found) < len(fitting):
            return found
        count *= 4


_FOUND: Mapping[Retrieval, Callable[[MemoryReader, FindTuples], list[int]]] = {
    "type": _by_type,
    "lexical": _by_words,
    "embedding": _by_embedding,
}
"""How each retrieval finds ids."""


def _type_id(reader: MemoryReader, request: FindTuples) -> int | None:
    if request.goal_type is None or request.observation_type is None:
        raise UsageError(f"retrieval {request.retrieval!r}: expected a goal type and an observation type, got none")
    return reader.type_id(request.batch, request.goal_type, request.observation_type)


def _within(budget: int, sizes: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Ids until one does not fit."""
    for identifier, size in sizes:
        budget -= size
        if budget < 0:
            return
        yield identifier


def _of_other_goals(reader: MemoryReader, request: FindTuples, ids: list[int]) -> list[int]:
    """In place of each tuple, one of another goal of its batch memory: drawn by the id, and none twice."""
    limit = reader.limit(request.version)
    goals = list(reader.rows(_GOALS, (request.batch, limit)))
    drawn: dict[int, None] = {}
    for identifier in ids:
        ((own,),) = reader.rows(_GOAL, (identifier,))
        others = [first for first, goal in goals if goal != own]
        number = int.from_bytes(blake2b(identifier.to_bytes(8), digest_size=8).digest())
        for turn in range(len(others)):
            free = [
                each for each in _of_process(reader, others[(number + turn) % len(others)], limit) if each not in drawn
            ]
            if free:
                drawn[free[number // len(others) % len(free)]] = None
                break
    return list(drawn)


def _of_process(reader: MemoryReader, first: int, limit: int) -> list[int]:
    """All tuples of the process that a tuple is of."""
    version, place, _ = place_of(first)
    ids = ids_of_process(version, place)
    return [identifier for (identifier,) in reader.rows(_OF_PROCESS, (ids.start, ids.stop - 1, limit))]
