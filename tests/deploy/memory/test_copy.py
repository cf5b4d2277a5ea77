import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.copy import MemoryVersion, copy_version, merge_versions
from quintet.memory.ids import ids_of_version, tuple_id
from quintet.memory.store import Store
from quintet.messages.memory import StoredTuple
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request


def _empty() -> Store:
    return Store(":memory:", world="alfworld")


def _tuples(store: Store, version: int = 0) -> list[StoredTuple]:
    return [row.stored for row in store.reader.tuples(range(ids_of_version(version).stop))]


def test_a_copy_has_everything_up_to_a_version_as_version_0_and_the_digest_of_that_version() -> None:
    source, first, second = a_memory(), _empty(), _empty()
    sealed = copy_version(MemoryVersion(source.reader, 1), first)
    whole = copy_version(MemoryVersion(source.reader, 2), second)
    assert [each.tuple for each in _tuples(first)] == [*HEAT, *COOL]
    assert [each.id for each in _tuples(second)] == [
        *(tuple_id(0, 0, number) for number in range(3)),
        *(tuple_id(0, 1, number) for number in range(2)),
        tuple_id(0, 2, 0),
    ]
    assert [sealed, whole] == [
        replace(source.reader.versions()[version], added=tuples) for version, tuples in ((1, 5), (2, 6))
    ]
    assert [row.type for row in second.reader.types(range(1))] == list(TYPES)


def test_a_copy_that_was_cut_short_is_made_again_and_a_run_goes_on_from_it() -> None:
    store = _empty()
    store.add(request(HEAT, version=0))
    assert copy_version(MemoryVersion(a_memory().reader, 2), store).tuples == 6
    store.add(request((a_tuple(action="wait"),), types=()))
    assert store.seal(1).tuples == 7


def test_merged_memories_have_batches_and_places_one_after_the_other() -> None:
    one, other, merged = a_memory(), a_store(None, request(COOL, batch=2)), _empty()
    sealed = merge_versions([MemoryVersion(one.reader, 2), MemoryVersion(other.reader, 1)], merged)
    assert (sealed.batches, sealed.tuples, sealed.goal_types, sealed.observation_types) == (3, 8, 4, 6)
    rows = list(merged.reader.tuples(ids_of_version(0)))
    assert [(row.batch, row.stored.id >> 16) for row in rows] == [(1, 0)] * 3 + [(1, 1)] * 2 + [(1, 2)] + [(3, 3)] * 2


def test_the_digest_of_merged_memories_is_of_their_content() -> None:
    digests: set[str] = set()
    for versions in ((1, 2), (2, 1), (2, 2)):
        merged = _empty()
        digests.add(merge_versions([MemoryVersion(a_memory().reader, each) for each in versions], merged).digest)
    assert len(digests) == 3


def _with_vectors(embedder: str, *vectors: bytes) -> MemoryVersion:
    """A memory with vectors of one process, and without vectors of another."""
    added = replace(request(COOL), vectors=(vectors,), embedder=embedder)
    return MemoryVersion(a_store(None, added, request(HEAT, place=1)).reader, 1)


def test_vectors_are_copied_and_merged_memories_keep_those_of_the_first_embedder() -> None:
    store, merged = _empty(), _empty()
    copy_version(_with_vectors("bytes", b"one!", b"two!"), store)
    assert store.reader.vectors.of(ids_of_version(0)) == {tuple_id(0, 0, 0): b"one!", tuple_id(0, 0, 1): b"two!"}
    assert store.reader.vectors.embedder == "bytes"
    others = _with_vectors("one", b"one!", b"one!"), _with_vectors("two", b"twofold!", b"twofold!")
    assert merge_versions([MemoryVersion(a_memory().reader, 1), *others], merged).tuples == 15
    assert set(merged.reader.vectors.of(ids_of_version(0)).values()) == {b"one!"}
    assert merged.reader.vectors.embedder == "one"


def test_a_memory_of_another_world_and_a_version_that_is_not_there_are_refused() -> None:
    merged = Store(":memory:", world="textcraft")
    with pytest.raises(UsageError, match="expected one of textcraft, got one of alfworld"):
        merge_versions([MemoryVersion(a_memory().reader, 2)], merged)
    for reader, version, there in ((a_memory().reader, 3, "0 to 2"), (_empty().reader, 0, "none")):
        with pytest.raises(UsageError, match=rf"expected a version \({there}\), got {version}"):
            copy_version(MemoryVersion(reader, version), _empty())
