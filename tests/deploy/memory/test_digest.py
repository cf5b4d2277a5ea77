"""A memory whose types or tuples were changed after a version was sealed: it is refused, wherever it is opened."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.place import open_version
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.messages.store import FindTuples
from quintet.models.embedding.vectors import unit_vectors
from tests.command import command
from tests.deploy.memory.samples import COOL, HEAT, a_memory, a_store, request

CHANGES = {
    "a tuple is gone": "DELETE FROM tuples WHERE id = (SELECT max(id) FROM tuples WHERE id < 2 << 48)",
    "all tuples are gone": "DELETE FROM tuples",
    "an action is another": "UPDATE tuples SET action = 'wait' WHERE action = 'heat egg 1'",
    "a reward is another": "UPDATE tuples SET reward = 0 WHERE action = 'heat egg 1'",
    "a text is another": "UPDATE texts SET text = 'You see a bomb.' WHERE text = 'You see a table.'",
    "two tuples are exchanged": "UPDATE tuples SET goal = (SELECT max(goal) FROM tuples)",
    "a tuple has another type": "UPDATE tuples SET type = 3",
    "a type has another name": "UPDATE types SET name = 'freeze things' WHERE name = 'cool things'",
    "a type is gone": "DELETE FROM types WHERE name = 'cool things'",
    "the digest is another": "UPDATE versions SET content = replace(content, 'digest\":\"', 'digest\":\"0') "
    "WHERE version = 1",
    "a version counts more": "UPDATE versions SET content = replace(content, 'tuples\":5', 'tuples\":50') "
    "WHERE version = 1",
}
"""Of version 1 of the sample, by what they are."""


def _changed(file: Path, statements: str) -> Path:
    a_memory(file).close()
    with closing(sqlite3.connect(file)) as memory:
        memory.executescript(statements)
    return file


@pytest.mark.parametrize("change", CHANGES)
def test_a_version_that_was_changed_is_refused_by_its_name_and_the_one_before_is_read(
    change: str, tmp_path: Path
) -> None:
    file = _changed(tmp_path / "m.sqlite", CHANGES[change])
    said = r"^memory: version 1: expected the digest \w+ of \d+ tuples, with which it was sealed, got \w+ of \d+: "
    for version in (None, 2, 1):
        with pytest.raises(UsageError, match=said):
            open_version(file, version)
    with pytest.raises(UsageError, match=said):
        Store(file, world="alfworld")
    with closing(open_version(file, 0).reader) as reader:
        assert reader.versions()[0].tuples == 0


def test_a_version_in_between_that_is_gone_is_refused(tmp_path: Path) -> None:
    file = _changed(tmp_path / "m.sqlite", "DELETE FROM versions WHERE version = 1")
    with pytest.raises(UsageError, match=r"memory: version 1: expected a sealed one, got none \(.*m\.sqlite\)"):
        open_version(file)


@pytest.mark.parametrize("change", ["DELETE FROM counts WHERE type = 3", "UPDATE counts SET tuples = 9 WHERE type = 3"])
def test_a_type_that_would_be_listed_without_its_tuples_or_with_more_is_refused(change: str, tmp_path: Path) -> None:
    file = _changed(tmp_path / "m.sqlite", change)
    said = r"memory: batch 1, observation type 1\.1: expected the count of its tuples, got another \(.*m\.sqlite\)"
    with pytest.raises(UsageError, match=said):
        open_version(file)


@pytest.mark.parametrize(
    "change", ["documents SET ids = x'ff00'", "documents SET lengths = 'two'", "postings SET places = x'ff'"]
)
def test_a_damaged_index_of_words_is_named_when_it_is_searched(change: str, tmp_path: Path) -> None:
    file = _changed(tmp_path / "m.sqlite", f"UPDATE {change}")
    said = command("memory", "search", file, "egg")
    assert (said.code, "memory: expected a file that can be read, got a damaged index of words" in said.err) == (
        2,
        True,
    )


def test_damaged_vectors_are_named_when_they_are_searched(tmp_path: Path) -> None:
    file, vectors = tmp_path / "m.sqlite", tuple(unit_vectors([[1.0, 2.0]] * len(HEAT)))
    a_store(file, replace(request(HEAT), vectors=(vectors,), embedder="e")).close()
    with closing(sqlite3.connect(file)) as memory:
        memory.executescript("UPDATE vectors SET vector = x'ff00' WHERE id = (SELECT max(id) FROM vectors)")
    wanted = FindTuples(version=1, batch=1, retrieval="embedding", vector=vectors[0], embedder="e", budget=1_000)
    with (
        closing(open_version(file).reader) as reader,
        pytest.raises(UsageError, match=r"embedding: expected vectors of 2 numbers, got damaged ones: .*m\.sqlite\)"),
    ):
        find_tuples(reader, wanted)


@pytest.mark.filterwarnings("error")
def test_versions_that_are_no_json_are_refused_and_nothing_else_is_said(tmp_path: Path) -> None:
    file = _changed(tmp_path / "m.sqlite", "UPDATE versions SET content = 1e300 WHERE version = 1")
    said = command("memory", "show", file)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "expected a file that can be read, got Expected `object`, got `float`" in said.err


def test_a_file_that_changes_between_two_looks_is_checked_again(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    a_memory(file).close()
    open_version(file).reader.close()
    with closing(sqlite3.connect(file)) as memory:
        memory.executescript(CHANGES["an action is another"])
    with pytest.raises(UsageError, match="memory: version 1: expected the digest"):
        open_version(file)


def test_a_memory_is_read_while_its_run_adds_to_a_version_that_is_not_sealed_yet(tmp_path: Path) -> None:
    with closing(a_store(tmp_path / "m.sqlite", request(HEAT))) as store:
        store.add(request(COOL, version=2, types=()))
        with closing(open_version(tmp_path / "m.sqlite").reader) as reader:
            assert reader.versions()[1].tuples == 3


@pytest.mark.parametrize("words", ["show", "show --tuples", "search egg", "merge --out", "export --jsonl", "eval"])
def test_every_command_refuses_a_changed_memory_and_makes_nothing(words: str, tmp_path: Path) -> None:
    file = _changed(tmp_path / "m.sqlite", CHANGES["all tuples are gone"])
    verb, *more = words.split()
    made = [tmp_path / "made"] if words.endswith(("--out", "--jsonl")) else []
    if verb == "eval":
        run = ("eval", "react", "alfworld", "--model", "sim-strong", "--tasks", 1, "--memory", file)
        said = command(*run, "--out", tmp_path / "made")
    else:
        said = command("memory", verb, file, *more, *made)
    assert (said.code, "memory: version 1: expected the digest" in said.err, str(file) in said.err) == (2, True, True)
    assert not (tmp_path / "made").exists()


def test_an_import_of_other_tuples_than_its_first_line_says_makes_no_file(tmp_path: Path) -> None:
    a_memory(tmp_path / "m.sqlite").close()
    command("memory", "export", tmp_path / "m.sqlite", "--jsonl", tmp_path / "m.jsonl", code=0)
    head, *lines = (tmp_path / "m.jsonl").read_text().splitlines()
    fewer = [head, *lines[:-2]]
    end = {
        "line": "end",
        "lines": len(fewer),
        "digest": sha256("".join(f"{line}\n" for line in fewer).encode()).hexdigest(),
    }
    (tmp_path / "other.jsonl").write_text("\n".join([*fewer, json.dumps(end)]))
    said = command("memory", "import", tmp_path / "other.jsonl", "--out", tmp_path / "made.sqlite")
    assert (said.code, "import: expected types and tuples of the digest" in said.err) == (2, True)
    assert not list(tmp_path.glob("made*"))
