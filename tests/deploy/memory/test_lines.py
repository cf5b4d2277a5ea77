import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.memory.copy import MemoryVersion
from quintet.memory.ids import ids_of_version
from quintet.memory.lines import ExportedMemory, encoded_lines, numbered_lines, write_lines
from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import NamedType, Sealed, StoreTuples
from quintet.models.embedding.vectors import unit_vectors, vector_of
from tests.deploy.memory.samples import a_memory, a_store

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
        (_changed(1, b'"format":1', b'"format":2'), "line 1: expected format 1, got 2 (FILE)"),
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
    with numbered_lines(file) as lines:
        assert [line for _, line in lines] == _sample()
    with pytest.raises(UsageError, match="export: expected a new file, got File exists"):
        write_lines(encoded_lines(source), file)
    assert [each.name for each in tmp_path.iterdir()] == ["memory.jsonl"]
    unread = pytest.raises(UsageError, match="import: expected a file that can be read, got No such file")
    with unread, numbered_lines(tmp_path / "none"):
        pass
