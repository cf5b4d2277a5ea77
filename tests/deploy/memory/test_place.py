from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import SqliteJournal
from quintet.memory.place import find_memory, new_memory
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, request


def test_a_file_is_read_at_its_newest_version_or_at_the_one_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "kitchens@home.sqlite"
    a_memory(file).close()
    for place, version in ((str(file), 2), (f"{file}@1", 1), (f"{file}@0", 0)):
        found = find_memory(place)
        assert (found.version, found.reader.world) == (version, "alfworld")
        found.reader.close()


def test_a_run_is_read_at_its_newest_version_until_its_learner_has_chosen(tmp_path: Path) -> None:
    a_memory(tmp_path / MEMORY_FILE).close()
    SqliteJournal(tmp_path / JOURNAL_FILE).close()
    found = find_memory(str(tmp_path))
    assert found.version == 2
    found.reader.close()


def _reason(place: str) -> str:
    with pytest.raises(UsageError) as error:
        find_memory(place)
    return str(error.value)


def test_what_is_no_memory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    a_memory(file).close()
    assert _reason(f"{file}@3") == f"memory: expected a version (0 to 2), got 3 ({file})"
    assert _reason(f"{file}@new") == f"memory: expected a run folder or a memory file, found none ({file}@new)"
    assert (
        _reason(f"{tmp_path}/none@1") == f"memory: expected a run folder or a memory file, found none ({tmp_path}/none)"
    )
    assert _reason(str(tmp_path)) == (
        f"memory: expected a run that has one, got a folder without memory.sqlite ({tmp_path})"
    )
    lines = tmp_path / "m.jsonl"
    lines.write_text("{}\n")
    assert _reason(str(lines)) == (
        f"memory: expected an SQLite file, which `quintet memory import` makes of an export, got JSON lines ({lines})"
    )
    assert _reason("a\0b") == "memory: expected a path without null characters, got 'a\\x00b'"


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


def test_a_new_memory_that_fails_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stop"), new_memory(tmp_path / "m.sqlite", "alfworld"):
        raise RuntimeError("stop")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_no_part_of_a_new_memory(tmp_path: Path) -> None:
    left = Store(tmp_path / "m.sqlite.part", world="textcraft")
    left.add(request(COOL, version=0))
    left.close()
    (tmp_path / "m.sqlite.part-wal").write_bytes(b"left")
    with new_memory(tmp_path / "m.sqlite", "alfworld") as store:
        store.add(request(HEAT, version=0))
        assert store.seal(0).tuples == 3
    assert [each.name for each in tmp_path.iterdir()] == ["m.sqlite"]


def test_two_that_make_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    with new_memory(file, "alfworld") as store:
        with pytest.raises(UsageError, match="expected no other writer, got one"), new_memory(file, "alfworld"):
            pass
        store.seal(0)
    assert file.exists()
