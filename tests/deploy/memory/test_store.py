"""The store of a memory: what it adds and acknowledges, under which ids, and what a kill leaves of it."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import ReplayMismatch, StoreFault, UsageError
from quintet.memory.ids import TuplePlace, ids_of_process, ids_of_version, place_of, tuple_id
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.memory import Trajectory
from quintet.messages.store import NamedType, StoreTuples
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request


def test_what_was_added_is_read_with_ids_that_order_it_and_counted() -> None:
    store = a_memory()
    rows = list(store.reader.tuples(range(ids_of_version(2).stop)))
    assert [row.stored.tuple for row in rows] == [*HEAT, *COOL, a_tuple(action="look", source="heat/1/0")]
    places = [*((1, 0, number) for number in range(3)), (1, 1, 0), (1, 1, 1), (2, 0, 0)]
    assert [row.stored.id for row in rows] == [tuple_id(*place) for place in places]
    first, second = (store.reader.versions()[version] for version in (1, 2))
    assert (first.batches, first.tuples, first.added, first.goal_types, first.observation_types) == (1, 5, 5, 2, 3)
    assert (second.tuples, second.added) == (6, 1)


def test_adding_again_changes_nothing_also_once_the_version_is_sealed() -> None:
    store = a_memory()
    before = list(store.reader.tuples(range(ids_of_version(9).stop)))
    assert store.add(request(HEAT, COOL)) == 5
    assert store.seal(1) == store.reader.versions()[1]
    assert list(store.reader.tuples(range(ids_of_version(9).stop))) == before


@pytest.mark.parametrize(
    ("other", "kind", "said"),
    [
        (request(COOL, HEAT[:2]), ReplayMismatch, "version 1, batch 1, place 1: expected the 3 tuples that are there"),
        (request(HEAT, place=1, batch=2), ReplayMismatch, "batch 2, place 1"),
        (
            request(types=(NamedType(number=1, name="warm things"),)),
            ReplayMismatch,
            "expected type 1 called 'heat things', got 'warm things'",
        ),
        (request((a_tuple(observation_type=3),)), ValueError, "a named observation type of goal type 1, got 3"),
        (request(HEAT, version=0), ReplayMismatch, "tuples of version 1, which is not sealed, got new ones"),
        (request(HEAT, version=2), ReplayMismatch, "tuples of version 1, which is not sealed, got new ones"),
    ],
)
def test_other_tuples_types_or_versions_than_are_there_are_refused_and_nothing_is_added(
    other: StoreTuples, kind: type[Exception], said: str
) -> None:
    store = a_store()
    store.add(request(HEAT, place=1))
    with pytest.raises(kind, match=said):
        store.add(other)
    with pytest.raises(ReplayMismatch, match="expected version 1 to be sealed, got 2"):
        store.seal(2)
    assert store.seal(1).tuples == 3


def test_the_digest_does_not_depend_on_the_order_of_arrival() -> None:
    one = a_store(None, request(HEAT), request(COOL, place=1))
    other = a_store(None, request(COOL, place=1, types=TYPES[::-1]), request(HEAT))
    assert one.reader.versions() == other.reader.versions()


def test_the_digest_depends_on_every_tuple_and_type_and_on_the_processes_in_their_order() -> None:
    variants = [
        request(HEAT),
        request(HEAT[:2]),
        request(HEAT[:1], HEAT[1:]),
        request(HEAT[1:], HEAT[:1]),
        request(HEAT, batch=2),
        request(HEAT, types=(*TYPES, NamedType(number=3, name="clean things"))),
        request((replace(HEAT[0], reward=0.5), *HEAT[1:])),
        request((replace(HEAT[0], source="else"), *HEAT[1:])),
    ]
    stores = [a_store(None, variant) for variant in variants]
    assert len({store.seal(1).digest for store in stores}) == len(variants)


def test_content_in_several_versions_has_the_digest_of_the_same_content_in_one() -> None:
    one, two = a_store(None, request(HEAT, COOL)), a_store(None, request(HEAT))
    two.add(request(COOL, version=2, types=()))
    assert two.seal(2).digest == one.reader.versions()[1].digest
    assert two.seal(3).digest == one.reader.versions()[1].digest


def test_a_second_writer_is_refused_until_the_first_has_closed_and_one_of_another_world(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    store = a_store(file)
    with pytest.raises(UsageError, match="expected no other writer, got one"):
        Store(file, world="alfworld")
    store.add(request(HEAT))
    store.close()
    Store(file, world="alfworld").close()
    with pytest.raises(UsageError, match="expected one of textcraft, got one of alfworld"):
        Store(file, world="textcraft")


def test_a_full_disk_is_a_fault_of_storage_and_adding_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store = a_store(tmp_path / "memory.sqlite")
    (pages,) = store.reader.connection.execute("PRAGMA page_count").fetchone()
    store.reader.connection.execute(f"PRAGMA max_page_count={pages}")
    large = tuple(a_tuple(observation=f"{number} " * 5_000) for number in range(20))
    with pytest.raises(StoreFault, match="expected a file that can be written, got database or disk is full"):
        store.add(request(large))
    assert list(store.reader.tuples(ids_of_version(1))) == []
    store.reader.connection.execute("PRAGMA max_page_count=100000")
    assert store.add(request(large)) == 20
    assert store.seal(1).tuples == 20
    store.close()


def test_trajectories_are_kept_in_order_and_replaced() -> None:
    store = a_store()
    goals = [Trajectory(goal=f"goal {number}", steps=(), source=f"file:{number}") for number in range(5)]
    first = store.give_trajectories(goals)
    assert first.number == 5
    assert [each.goal for each in store.reader.trajectories(3, 9)] == ["goal 3", "goal 4"]
    assert store.give_trajectories(goals[:2]).digest != first.digest
    assert store.reader.trajectories(0, 9) == tuple(goals[:2])
    assert store.give_trajectories([]).number == 0


def test_a_damaged_page_is_a_fault_of_storage(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    a_memory(file).close()
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises((StoreFault, UsageError), match="memory: expected a file that can be"):
        Store(file, world="alfworld")
    with pytest.raises(sqlite3.Error):
        sqlite3.connect(file).execute("SELECT * FROM tuples").fetchall()


_PLACES = st.builds(TuplePlace, st.integers(0, 2**15 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1))


@given(_PLACES)
def test_an_id_says_what_it_is_made_of(place: TuplePlace) -> None:
    identifier = tuple_id(*place)
    assert place_of(identifier) == place
    assert 0 <= identifier < 2**63
    assert identifier in ids_of_version(place.version)
    assert identifier in ids_of_process(place.version, place.place)


@given(_PLACES, _PLACES)
def test_ids_have_the_order_of_version_place_and_number(one: TuplePlace, other: TuplePlace) -> None:
    assert (tuple_id(*one) < tuple_id(*other)) == (one < other)
    assert (tuple_id(*other) in ids_of_version(one.version)) == (one.version == other.version)
    assert (tuple_id(*other) in ids_of_process(one.version, one.place)) == (one[:2] == other[:2])


@pytest.mark.parametrize(
    ("place", "name"), [((-1, 0, 0), "version"), ((0, 2**32, 0), "place"), ((0, 0, 2**16), "number")]
)
def test_what_does_not_fit_into_an_id_is_refused(place: tuple[int, int, int], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} of a tuple: expected 0 to "):
        tuple_id(*place)


ROOT = Path(__file__).parents[3]

_WRITER = """
import sys
from pathlib import Path
from tests.deploy.memory.samples import a_store, a_tuple, request
store = a_store(Path(sys.argv[1]))
for place in range(100_000):
    store.add(request(tuple(a_tuple(action=f"do {place} {step}") for step in range(3)), place=place))
    print(place, flush=True)
"""


def test_what_was_acknowledged_survives_a_second_writer_and_a_kill_and_adding_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    command = [sys.executable, "-c", _WRITER, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        for _ in range(20):
            next(writer.stdout)
        with pytest.raises(UsageError, match=rf"expected no other writer, got one \({file}\)"):
            Store(file, world="alfworld")
        for _ in range(20):
            next(writer.stdout)
        os.kill(writer.pid, signal.SIGKILL)
    reader = MemoryReader.open(file)
    there = list(reader.tuples(ids_of_version(1)))
    reader.close()
    assert len(there) >= 3 * 40
    assert len(there) % 3 == 0  # every process whole
    whole, store = a_store(), Store(file, world="alfworld")
    for each in (store, whole):
        for place in range(len(there) // 3 + 5):
            each.add(request(tuple(a_tuple(action=f"do {place} {step}") for step in range(3)), place=place))
    assert store.seal(1) == whole.seal(1)
    store.close()
