"""Memories in files: as lines, and as they are read."""

import json
import re
import sqlite3
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import ReplayMismatch, UsageError
from quintet.memory.copy import MemoryVersion
from quintet.memory.ids import ids_of_version, tuple_id
from quintet.memory.lines import ExportedMemory, encoded_lines, numbered_lines, write_lines
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import ListedType, ListTypes, NamedType, Sealed, StoreTuples
from quintet.models.embedding.vectors import unit_vectors, vector_of
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_TUPLES = st.builds(
    MemoryTuple,
    goal=_TEXT,
    evaluation=_TEXT,
    summary=_TEXT,
    observation=_TEXT,
    action=_TEXT,
    reward=st.floats(0, 1),
    source=_TEXT,
    goal_type=st.integers(1, 2),
    observation_type=st.integers(1, 2),
)
_PROCESSES = st.lists(
    st.tuples(st.integers(1, 3), st.lists(_TUPLES, min_size=1, max_size=4), st.booleans()), max_size=6
)


def _types() -> Iterator[NamedType]:
    for goal in (1, 2):
        yield NamedType(number=goal, name=f"goal type {goal}")
        for number in (1, 2):
            yield NamedType(number=number, name=f"{goal}/{number}", goal_type=goal)


def _imported(lines: Sequence[bytes]) -> tuple[Store, Sealed]:
    exported = ExportedMemory(enumerate(lines, 1), "FILE")
    store = Store(":memory:", world=exported.head.world)
    return store, exported.import_into(store)


@given(_PROCESSES)
def test_what_is_imported_is_what_was_exported(
    processes: list[tuple[int, list[MemoryTuple], bool]],
) -> None:
    store = a_store()
    for batch in (1, 2, 3):
        store.add(StoreTuples(version=1, batch=batch, place=0, processes=(), types=tuple(_types())))
    for place, (batch, tuples, embedded) in enumerate(processes):
        vectors = tuple(unit_vectors([[1.0 + place, float(number)]])[0] for number in range(len(tuples)))
        embeds = {"vectors": (vectors,), "embedder": "bytes"} if embedded else {}
        store.add(StoreTuples(version=1, batch=batch, place=2 * place, processes=(tuple(tuples),), **embeds))  # type: ignore[arg-type]
    store.seal(1)
    lines = list(encoded_lines(MemoryVersion(store.reader, 1)))
    copy, sealed = _imported(lines)
    assert sealed == msgspec.structs.replace(store.reader.versions()[1], added=sealed.tuples)
    ids = range(ids_of_version(1).stop)
    assert [(row.batch, row.stored.tuple) for row in copy.reader.tuples(ids)] == [
        (row.batch, row.stored.tuple) for row in store.reader.tuples(ids)
    ]
    assert list(copy.reader.vectors.of(ids).values()) == list(store.reader.vectors.of(ids).values())
    assert list(encoded_lines(MemoryVersion(copy.reader, 0))) == lines


def _sample() -> list[bytes]:
    return list(encoded_lines(MemoryVersion(a_memory().reader, 2)))


def _reason(lines: Sequence[bytes]) -> str:
    with pytest.raises(UsageError) as error:
        _imported(lines)
    return str(error.value)


def test_every_line_says_what_it_is() -> None:
    assert [json.loads(line)["line"] for line in _sample()] == ["memory", *["type"] * 5, *["tuple"] * 6, "end"]


def test_a_file_that_lacks_lines_is_refused_wherever_it_is_cut() -> None:
    lines = _sample()
    for number in range(1, len(lines)):
        assert _reason(lines[:number]) == (
            "import: expected a last line of the end, got none: the file is cut off (FILE)"
        )
        assert _reason([*lines[:number], *lines[number + 1 :]]) != ""


@given(st.data())
def test_a_changed_byte_is_noticed(data: st.DataObject) -> None:
    lines = _sample()
    number = data.draw(st.integers(0, len(lines) - 1))
    line = bytearray(lines[number])
    line[data.draw(st.integers(0, len(line) - 2))] ^= 1 << data.draw(st.integers(0, 7))
    lines[number] = bytes(line)
    assert _reason(lines)


def _changed(number: int, old: bytes, new: bytes) -> list[bytes]:
    """The sample with another line."""
    lines = _sample()
    lines[number - 1] = re.sub(re.escape(old), new, lines[number - 1])
    return lines


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            _changed(8, b'"reward":1.0', b'"reward":"all"'),
            "line 8: expected a line that `quintet memory export` wrote, got another: "
            "Expected `float`, got `str` - at `$.tuple.reward` (FILE)",
        ),
        ([b"{}\n"], "line 1: expected a line that `quintet memory export` wrote, got another: Object missing required"),
        ([], "line 1: "),
        (_sample()[1:], "line 1: expected the line of a memory, got one of 'type' (FILE)"),
        ([*_sample()[:2], _sample()[0]], "line 3: expected a type, a tuple or the end"),
        (
            _changed(1, b'"format":2', b'"format":1'),
            "line 1: expected format 2, got 1; use the older quintet that wrote it (FILE)",
        ),
        (
            _changed(1, b'"format":2', b'"format":3'),
            "line 1: expected format 2, got 3; use the newer quintet that wrote it (FILE)",
        ),
        *(
            (_changed(2, f'"{field}":1'.encode(), f'"{field}":{10**30}'.encode()), "line 2: ")
            for field in ("batch", "number")
        ),
    ],
)
def test_a_line_that_is_not_of_the_form_is_named_by_number_and_field(lines: list[bytes], said: str) -> None:
    assert _reason(lines).startswith(f"import: {said}")


def test_line_breaks_and_fields_that_were_added_since_do_not_count_as_changes() -> None:
    first, *lines, end = _sample()
    first = first.replace(b',"embedder":""', b"")  # as it was before there were embedders
    digest = sha256(b"".join([first, *lines])).hexdigest().encode()
    end = re.sub(rb'"digest":"\w+"', b'"digest":"%s"' % digest, end)
    store, sealed = _imported([line.replace(b"\n", b"\r\n") for line in (first, *lines, end)])
    assert (sealed.tuples, store.reader.vectors.embedder) == (6, "")


def test_a_tuple_of_a_type_without_a_name_is_refused() -> None:
    lines = _sample()
    del lines[3], lines[-1]
    end = {"line": "end", "lines": len(lines), "digest": sha256(b"".join(lines)).hexdigest()}
    lines.append(json.dumps(end).encode())
    assert _reason(lines) == "import: batch 1: expected a named observation type of goal type 1, got 1 (FILE)"


@pytest.mark.parametrize("vector", [b"\0\0\0", b"", vector_of([3.0, 4.0]), vector_of([float("nan"), 1.0])])
def test_a_vector_that_is_not_of_length_one_is_refused(vector: bytes) -> None:
    head, *lines, _ = _sample()
    head = head.replace(b'"embedder":""', b'"embedder":"e"')
    encoded = b'"vector":"%s"' % b64encode(vector)
    assert "import: expected" in _reason([head, *(line.replace(b'"vector":null', encoded) for line in lines)])


def test_an_export_replaces_no_file_and_one_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    source = MemoryVersion(a_memory().reader, 2)
    assert write_lines(encoded_lines(source), file) == 13
    assert [line for _, line in numbered_lines(file)] == _sample()
    with pytest.raises(UsageError, match="export: expected a new file, got File exists"):
        write_lines(encoded_lines(source), file)
    assert [each.name for each in tmp_path.iterdir()] == ["memory.jsonl"]
    with pytest.raises(UsageError, match="import: expected a file that can be read, got No such file"):
        next(numbered_lines(tmp_path / "none"))
    with pytest.raises(UsageError, match="import: expected a line of at most 67,108,864 bytes, got a longer one"):
        next(numbered_lines(Path("/dev/zero")))


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


def _refusal(file: Path) -> str:
    with pytest.raises(UsageError) as error:
        MemoryReader.open(file)
    return str(error.value)


def test_what_is_no_memory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    assert _refusal(file) == f"memory: expected a file, found none ({file})"
    assert _refusal(tmp_path) == f"memory: expected a file, found something else ({tmp_path})"
    file.write_text("a text" * 100)
    assert _refusal(file) == f"memory: expected an SQLite file, got file is not a database ({file})"
    file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE tuples (id)")
    assert _refusal(file) == f"memory: expected a memory of quintet, got an SQLite file of something else ({file})"
    file.unlink()
    a_memory(file).close()
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as newer:
        newer.execute("PRAGMA user_version=4")
    assert _refusal(file) == f"memory: expected format 3, got 4; use the newer quintet that wrote it ({file})"
    with pytest.raises(UsageError, match="expected format 3, got 4"):
        Store(file, world="alfworld")
    file.write_bytes(whole[:10_000])
    assert _refusal(file).startswith(f"memory: expected a whole file, got one that is cut off ({file}); ")
    with pytest.raises(UsageError, match="expected a whole file, got one that is cut off"):
        Store(file, world="alfworld")
