import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import SqliteJournal
from quintet.memory.place import find_memory, new_memory
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, request


def test_a_memory_is_read_at_its_newest_version_or_at_the_one_that_is_named(tmp_path: Path) -> None:
    file, run = tmp_path / "kitchens@home.sqlite", tmp_path / "run"
    run.mkdir()
    for memory in (file, run / MEMORY_FILE):
        a_memory(memory).close()
    SqliteJournal(run / JOURNAL_FILE).close()  # whose learner has not chosen
    for place, version in ((file, 2), (f"{file}@1", 1), (f"{file}@0", 0), (run, 2)):
        found = find_memory(str(place))
        with closing(found.reader) as reader:
            assert (found.version, reader.world) == (version, "alfworld")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("{tmp}/m.sqlite@3", "expected a version (0 to 2), got 3 ({tmp}/m.sqlite)"),
        ("{tmp}/m.sqlite@new", "expected a run folder or a memory file, found none ({tmp}/m.sqlite@new)"),
        ("{tmp}/none@1", "expected a run folder or a memory file, found none ({tmp}/none)"),
        ("{tmp}", "expected a run that has one, got a folder without memory.sqlite ({tmp})"),
        (
            "{tmp}/m.jsonl",
            "expected an SQLite file, which `quintet memory import` makes of lines, got JSON lines ({tmp}/m.jsonl)",
        ),
        ("a\0b", "expected a path without null characters, got 'a\\x00b'"),
    ],
)
def test_what_is_no_memory_is_refused(place: str, said: str, tmp_path: Path) -> None:
    a_memory(tmp_path / "m.sqlite").close()
    (tmp_path / "m.jsonl").write_text("{}\n")
    with pytest.raises(UsageError) as error:
        find_memory(place.format(tmp=tmp_path))
    assert str(error.value) == f"memory: {said.format(tmp=tmp_path)}"


def test_a_new_memory_gets_its_name_when_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    with new_memory(file, "alfworld") as store:
        store.add(request(HEAT, version=0, types=TYPES))
        store.seal(0)
        assert not file.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["m.sqlite"]
    with (
        pytest.raises(UsageError, match="--out: expected a new file, got one that exists"),
        new_memory(file, "alfworld"),
    ):
        pass
    found = find_memory(str(file))
    assert found.sealed.tuples == 3
    found.reader.close()


def test_a_new_memory_that_fails_leaves_no_file_and_two_that_make_one_do_not_disturb_each_other(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    with pytest.raises(RuntimeError, match="stop"), new_memory(file, "alfworld"):
        raise RuntimeError("stop")
    assert list(tmp_path.iterdir()) == []
    with new_memory(file, "alfworld") as store:
        with pytest.raises(UsageError, match="expected no other writer, got one"), new_memory(file, "alfworld"):
            pass
        store.seal(0)
    assert file.exists()


def test_what_a_killed_process_left_is_no_part_of_a_new_memory(tmp_path: Path) -> None:
    left = Store(tmp_path / "m.sqlite.part", world="textcraft")
    left.add(request(COOL, version=0))
    left.close()
    (tmp_path / "m.sqlite.part-wal").write_bytes(b"left")
    with new_memory(tmp_path / "m.sqlite", "alfworld") as store:
        store.add(request(HEAT, version=0))
        assert store.seal(0).tuples == 3
    assert [each.name for each in tmp_path.iterdir()] == ["m.sqlite"]


def test_a_memory_with_a_strangers_view_in_place_of_a_table_is_refused(tmp_path: Path) -> None:
    a_memory(tmp_path / "m.sqlite").close()
    with closing(sqlite3.connect(tmp_path / "m.sqlite")) as stranger:
        stranger.executescript("DROP TABLE types; CREATE VIEW types AS SELECT 1 AS id;")
    with pytest.raises(UsageError, match="memory: expected its own tables, got a view types"):
        find_memory(str(tmp_path / "m.sqlite"))
