import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import ReplayMismatch, UsageError
from quintet.memory.ids import ids_of_version, tuple_id
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.store import ListedType, ListTypes
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request


def _list(version: int = 2, text: str = "", goal_type: int | None = None, examples: int = 3) -> ListTypes:
    return ListTypes(version=version, batch=1, goal_type=goal_type, text=text, examples=examples)


def test_goal_types_are_listed_with_goals_in_order_of_entry() -> None:
    store = a_memory()
    assert store.reader.list_types(_list()) == (
        ListedType(number=1, name="heat things", examples=("heat an egg",), tuples=4),
        ListedType(number=2, name="cool things", examples=("cool an apple",), tuples=2),
    )


def test_observation_types_are_listed_as_the_version_has_them() -> None:
    store = a_memory()
    first, second = store.reader.list_types(_list(version=1, goal_type=1))
    assert first == ListedType(number=1, name="at a closed thing", examples=("You see a fridge.",), tuples=1)
    assert (second.number, second.tuples) == (2, 2)
    assert store.reader.list_types(_list(version=2, goal_type=1))[0].tuples == 2


def test_types_without_tuples_are_not_listed() -> None:
    store = a_store()
    store.add(request(HEAT))
    store.seal(1)
    assert [each.number for each in store.reader.list_types(_list(version=1))] == [1]
    assert store.reader.list_types(_list(version=0)) == ()
    assert store.reader.list_types(_list(version=1, goal_type=2)) == ()


def test_examples_are_the_first_different_texts_and_no_more_than_asked_for() -> None:
    store = a_store()
    texts = ["two", "one", "two", "three", "one", "four"]
    store.add(request(tuple(a_tuple(observation=text) for text in texts[3:]), place=1))
    store.add(request(tuple(a_tuple(observation=text) for text in texts[:3]), place=0, types=()))
    store.seal(1)
    (listed,) = store.reader.list_types(_list(version=1, goal_type=1))
    assert listed.examples == ("two", "one", "three")
    (listed,) = store.reader.list_types(_list(version=1, goal_type=1, examples=0))
    assert (listed.examples, listed.tuples) == ((), 6)


def test_a_text_of_the_memory_has_the_type_in_which_it_came_first() -> None:
    store = a_memory()
    assert store.reader.known_type(_list(text="cool an apple")) == 2
    assert store.reader.known_type(_list(text="You hold the egg.", goal_type=1)) == 2
    assert store.reader.known_type(_list(text="You hold the egg.", goal_type=2)) is None
    assert store.reader.known_type(_list(text="You hold the egg.")) is None
    assert store.reader.known_type(_list(text="cool an apple", version=0)) is None
    store.add(request((a_tuple(goal_type=2, observation_type=1),), version=3, types=()))
    store.seal(3)
    assert store.reader.known_type(_list(version=3, text="heat an egg")) == 1


def test_tuples_are_fetched_in_the_order_of_the_ids() -> None:
    ids = [tuple_id(1, 1, 1), tuple_id(1, 0, 0)]
    assert [each.tuple for each in a_memory().reader.fetch(ids)] == [COOL[1], HEAT[0]]


def test_an_id_that_is_not_there_is_a_mismatch() -> None:
    with pytest.raises(ReplayMismatch, match="expected tuple 3 of place 1 in version 1, found none"):
        a_memory().reader.fetch([tuple_id(1, 1, 3)])


def test_sources_say_where_every_process_comes_from() -> None:
    rows = list(a_memory().reader.sources(range(ids_of_version(2).stop)))
    assert [(row.source, row.goal, row.tuples) for row in rows] == [
        ("heat/0/0", "heat an egg", 3),
        ("cool/0/0", "cool an apple", 2),
        ("heat/1/0", "heat an egg", 1),
    ]


def test_types_come_by_batch_goal_type_and_number() -> None:
    rows = list(a_memory().reader.types(range(3)))
    assert [row.type for row in rows] == list(TYPES)
    assert {row.version for row in rows} == {1}


def _reason(file: Path) -> str:
    with pytest.raises(UsageError) as error:
        MemoryReader.open(file)
    return str(error.value)


def test_what_is_no_memory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    assert _reason(file) == f"memory: expected a file, found none ({file})"
    assert _reason(tmp_path) == f"memory: expected a file, found something else ({tmp_path})"
    file.write_text("a text" * 100)
    assert _reason(file) == f"memory: expected an SQLite file, got file is not a database ({file})"
    file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE tuples (id)")
    assert _reason(file) == f"memory: expected a memory of quintet, got an SQLite file of something else ({file})"


def test_another_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    a_memory(file).close()
    with closing(sqlite3.connect(file)) as newer:
        newer.execute("PRAGMA user_version=2")
    assert _reason(file) == f"memory: expected format 1, got 2; use the newer quintet that wrote it ({file})"
    with pytest.raises(UsageError, match="expected format 1, got 2"):
        Store(file, world="alfworld")


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    a_memory(file).close()
    file.write_bytes(file.read_bytes()[:10_000])
    assert _reason(file).startswith(f"memory: expected a whole file, got one that is cut off ({file}); ")
    with pytest.raises(UsageError, match="expected a whole file, got one that is cut off"):
        Store(file, world="alfworld")
