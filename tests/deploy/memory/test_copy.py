import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.copy import MemoryVersion, copy_version, merge_versions
from quintet.memory.ids import ids_of_version, tuple_id
from quintet.memory.store import Store
from quintet.messages.memory import StoredTuple
from quintet.messages.store import StoreTuples
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


def test_a_run_goes_on_from_its_copy() -> None:
    store = _empty()
    copy_version(MemoryVersion(a_memory().reader, 2), store)
    store.add(request((a_tuple(action="wait"),), types=()))
    assert store.seal(1).tuples == 7


def test_a_copy_that_was_cut_short_is_made_again() -> None:
    source, store = a_memory(), _empty()
    store.add(request(HEAT, version=0))
    assert copy_version(MemoryVersion(source.reader, 2), store).tuples == 6


def test_merged_memories_have_batches_and_places_one_after_the_other() -> None:
    one, other, merged = a_memory(), a_store(), _empty()
    other.add(request(COOL, batch=2))
    other.seal(1)
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


def test_vectors_are_copied() -> None:
    source, store = a_store(), _empty()
    vectors = ((b"one!", b"two!"),)
    source.add(
        StoreTuples(version=1, batch=1, place=0, processes=(COOL,), types=TYPES, vectors=vectors, embedder="bytes")
    )
    source.add(request(HEAT, place=1))
    source.seal(1)
    copy_version(MemoryVersion(source.reader, 1), store)
    assert store.reader.vectors.of(ids_of_version(0)) == {tuple_id(0, 0, 0): b"one!", tuple_id(0, 0, 1): b"two!"}
    assert store.reader.vectors.embedder == "bytes"


def test_merged_memories_keep_the_vectors_of_the_first_embedder() -> None:
    sources = [a_memory()]
    for embedder, vector in (("one", b"one!"), ("two", b"twofold!")):
        sources.append(a_store())
        sources[-1].add(
            StoreTuples(
                version=1,
                batch=1,
                place=0,
                processes=(COOL,),
                types=TYPES,
                vectors=((vector, vector),),
                embedder=embedder,
            )
        )
        sources[-1].seal(1)
    merged = _empty()
    assert merge_versions([MemoryVersion(each.reader, 1) for each in sources], merged).tuples == 9
    assert set(merged.reader.vectors.of(ids_of_version(0)).values()) == {b"one!"}
    assert merged.reader.vectors.embedder == "one"


def test_a_memory_of_another_world_is_not_merged() -> None:
    merged = Store(":memory:", world="textcraft")
    with pytest.raises(UsageError, match="expected one of textcraft, got one of alfworld"):
        merge_versions([MemoryVersion(a_memory().reader, 2)], merged)


def test_a_version_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match=r"expected a version \(0 to 2\), got 3"):
        copy_version(MemoryVersion(a_memory().reader, 3), _empty())
    with pytest.raises(UsageError, match=r"expected a version \(none\), got 0"):
        copy_version(MemoryVersion(_empty().reader, 0), _empty())
