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


def test_types_are_listed_with_texts_in_order_of_entry_as_the_version_has_them() -> None:
    reader = a_memory().reader
    assert reader.list_types(_list()) == (
        ListedType(number=1, name="heat things", examples=("heat an egg",), tuples=4),
        ListedType(number=2, name="cool things", examples=("cool an apple",), tuples=2),
    )
    first, second = reader.list_types(_list(version=1, goal_type=1))
    assert first == ListedType(number=1, name="at a closed thing", examples=("You see a fridge.",), tuples=1)
    assert (second.number, second.tuples) == (2, 2)
    assert reader.list_types(_list(version=2, goal_type=1))[0].tuples == 2
    assert [(row.type, row.version) for row in reader.types(range(3))] == [(each, 1) for each in TYPES]


def test_types_without_tuples_are_not_listed() -> None:
    reader = a_store(None, request(HEAT)).reader
    assert [each.number for each in reader.list_types(_list(version=1))] == [1]
    assert reader.list_types(_list(version=0)) == reader.list_types(_list(version=1, goal_type=2)) == ()


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
    for text, goal_type, version, known in (
        ("cool an apple", None, 2, 2),
        ("You hold the egg.", 1, 2, 2),
        ("You hold the egg.", 2, 2, None),
        ("You hold the egg.", None, 2, None),
        ("cool an apple", None, 0, None),
    ):
        assert store.reader.known_type(_list(text=text, goal_type=goal_type, version=version)) == known
    store.add(request((a_tuple(goal_type=2, observation_type=1),), version=3, types=()))
    store.seal(3)
    assert store.reader.known_type(_list(version=3, text="heat an egg")) == 1


def test_tuples_are_fetched_in_the_order_of_the_ids_and_an_id_that_is_not_there_is_a_mismatch() -> None:
    reader = a_memory().reader
    found = reader.fetch([tuple_id(1, 1, 1), tuple_id(1, 0, 0)])
    assert [each.tuple for each in found] == [COOL[1], HEAT[0]]
    with pytest.raises(ReplayMismatch, match="expected tuple 3 of place 1 in version 1, found none"):
        reader.fetch([tuple_id(1, 1, 3)])


def test_sources_say_where_every_process_comes_from() -> None:
    rows = list(a_memory().reader.sources(range(ids_of_version(2).stop)))
    assert [(row.source, row.goal, row.tuples) for row in rows] == [
        ("heat/0/0", "heat an egg", 3),
        ("cool/0/0", "cool an apple", 2),
        ("heat/1/0", "heat an egg", 1),
    ]


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
    file.unlink()
    a_memory(file).close()
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as newer:
        newer.execute("PRAGMA user_version=2")
    assert _reason(file) == f"memory: expected format 1, got 2; use the newer quintet that wrote it ({file})"
    with pytest.raises(UsageError, match="expected format 1, got 2"):
        Store(file, world="alfworld")
    file.write_bytes(whole[:10_000])
    assert _reason(file).startswith(f"memory: expected a whole file, got one that is cut off ({file}); ")
    with pytest.raises(UsageError, match="expected a whole file, got one that is cut off"):
        Store(file, world="alfworld")
