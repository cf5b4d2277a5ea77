"""Looks up tuples: by type, reward, words or embedding, or others in their place; and indexes their words."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from itertools import groupby

from quintet.errors import UsageError
from quintet.memory.budget import within
from quintet.memory.ids import ids_of_process, place_of
from quintet.memory.reader import MemoryReader
from quintet.messages.memory import MemoryTuple, StoredTuple
from quintet.messages.parts import Retrieval
from quintet.messages.store import FindTuples

_GOALS = """
SELECT min(first), texts.text
FROM examples JOIN types ON types.id = examples.type JOIN texts ON texts.id = examples.text
WHERE batch = ? AND goal_type = 0 AND first < ? GROUP BY examples.text ORDER BY 1
"""
_OF_PROCESS = "SELECT id FROM tuples WHERE id BETWEEN ? AND ? AND id < ?"
_TO_INDEX = """
SELECT type, tuples.id, goals.text, observations.text FROM tuples
JOIN texts AS goals ON goals.id = goal JOIN texts AS observations ON observations.id = observation
WHERE tuples.id BETWEEN ? AND ? ORDER BY type, tuples.id
"""


def find_tuples(reader: MemoryReader, request: FindTuples) -> tuple[StoredTuple, ...]:
    """The tuples that a request looks for.

    They are taken one after the other until one does not fit the budget any more; one that is larger than all of it is
    passed over. The budget of shuffled tuples is that of the tuples in whose place they are.

    Raises:
        UsageError: the memory cannot be searched in this way.
        ValueError: the version is not sealed.
    """
    reader.expect("memory")
    if request.retrieval not in _FOUND:
        raise UsageError(f"retrieval: expected {' or '.join(_FOUND)} of tuples, got {request.retrieval!r}")
    reader.limit(request.version)
    found = _FOUND[request.retrieval](reader, request)
    return tuple(_of_other_goals(reader, request, found) if request.shuffled else found)


def tuple_size(found: MemoryTuple) -> int:
    """Bytes of a tuple in a prompt, as a budget counts them."""
    return sum(len(text.encode()) for text in (found.observation, found.evaluation, found.summary, found.action))


def _by_type(reader: MemoryReader, request: FindTuples) -> list[StoredTuple]:
    type_id = _type_id(reader, request)
    return [] if type_id is None else _within(request.budget, reader.newest_of(type_id, request.version))[::-1]


def _by_reward(reader: MemoryReader, request: FindTuples) -> list[StoredTuple]:
    """Those of the processes that earned most, the best first; of equals the newest is."""
    type_id = _type_id(reader, request)
    return [] if type_id is None else _within(request.budget, reader.best_of(type_id, request.version))


def _by_words(reader: MemoryReader, request: FindTuples) -> list[StoredTuple]:
    type_id = _type_id(reader, request)
    best = iter(()) if type_id is None else reader.words.ranked(type_id, reader.limit(request.version), request.query)
    return _within(request.budget, (reader.fetch_one(identifier) for _, identifier in best))


def _by_embedding(reader: MemoryReader, request: FindTuples) -> list[StoredTuple]:
    before = reader.limit(request.version)
    near = reader.vectors.in_order(request.batch, request.version, before, request.vector, request.embedder)
    return _within(request.budget, (reader.fetch_one(identifier) for _, identifier in near))


_FOUND: Mapping[Retrieval, Callable[[MemoryReader, FindTuples], list[StoredTuple]]] = {
    "type": _by_type,
    "best": _by_reward,
    "lexical": _by_words,
    "embedding": _by_embedding,
}
"""How each retrieval finds tuples."""


def _type_id(reader: MemoryReader, request: FindTuples) -> int | None:
    if request.goal_type is None or request.observation_type is None:
        raise UsageError(f"retrieval {request.retrieval!r}: expected a goal type and an observation type, got none")
    return reader.type_id(request.batch, request.goal_type, request.observation_type)


def _within(budget: int, tuples: Iterable[StoredTuple]) -> list[StoredTuple]:
    return list(within(budget, tuples, size=lambda each: tuple_size(each.tuple)))


def _of_other_goals(reader: MemoryReader, request: FindTuples, found: Iterable[StoredTuple]) -> list[StoredTuple]:
    """In place of each tuple, one of another goal of its batch memory: drawn by seed and id, and none twice."""
    limit = reader.limit(request.version)
    goals = [(first, goal) for first, goal in reader.rows(_GOALS, (request.batch, limit))]
    drawn: dict[int, None] = {}
    for each in found:
        others = [first for first, goal in goals if goal != each.tuple.goal]
        number = int.from_bytes(blake2b(f"{request.seed} {each.id}".encode(), digest_size=8).digest())
        for turn in range(len(others)):
            process = _of_process(reader, others[(number + turn) % len(others)], limit)
            if free := [identifier for identifier in process if identifier not in drawn]:
                drawn[free[number // len(others) % len(free)]] = None
                break
    return list(reader.fetch(drawn))


def _of_process(reader: MemoryReader, first: int, limit: int) -> list[int]:
    version, place, _ = place_of(first)
    try:
        ids = ids_of_process(version, place)
    except ValueError as error:  # a damaged id, among the examples of types
        raise reader.fault(error) from error
    return [identifier for (identifier,) in reader.rows(_OF_PROCESS, (ids.start, ids.stop - 1, limit))]


def index_tuples(reader: MemoryReader, ids: range) -> None:
    """Index the goals and observations of tuples that a version brought, apart for each type."""
    rows = reader.rows(_TO_INDEX, (ids.start, ids.stop - 1))
    for type_id, each in groupby(rows, key=lambda row: int(row[0])):
        reader.words.add(type_id, ((identifier, f"{goal} {seen}") for _, identifier, goal, seen in each))
