"""The tables of a journal: what is created, what is searched by an index, and which files are refused."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.journal.episode_rows import EPISODE_QUERY
from quintet.journal.open_episode import FIND
from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, JOURNAL_VERSION, connect
from quintet.journal.writer import SqliteJournal


def test_a_foreign_file_is_refused(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    file.write_text("this is no database, however long it may be" * 100)
    with pytest.raises(UsageError, match="expected an SQLite file"):
        JournalReader.open(file)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(UsageError, match="got an SQLite file of something else"):
        SqliteJournal(other)
    with pytest.raises(UsageError, match="expected a file, found none"):
        JournalReader.open(tmp_path / "missing.sqlite")


@pytest.mark.parametrize(
    ("version", "other"), [(1, "older"), (JOURNAL_VERSION - 1, "older"), (JOURNAL_VERSION + 1, "newer")]
)
def test_a_journal_of_another_version_is_refused(version: int, other: str, tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version={version}")
    connection.close()
    for opened in (JournalReader.open, SqliteJournal):
        with pytest.raises(
            UsageError, match=f"expected version {JOURNAL_VERSION}, got {version}; use the {other} quintet"
        ):
            opened(file)


def test_the_tables_of_a_new_journal_are_in_its_file_and_not_in_a_log_that_may_not_fit_beside_it(
    tmp_path: FilePath,
) -> None:
    with closing(connect(str(tmp_path / "made"))) as making:
        making.executescript(CREATE)
        shutil.copy(tmp_path / "made", tmp_path / "alone")
    with closing(JournalReader.open(tmp_path / "alone")) as reader:
        assert reader.records() == []
        assert reader.damage == []


def test_an_episode_is_found_by_an_index_however_many_tasks_there_are() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        for query in (FIND, f"{EPISODE_QUERY} WHERE task.name = ? AND episode.epoch = ? AND episode.attempt = ?"):
            plan = journal.execute(f"EXPLAIN QUERY PLAN {query}", ("beehive", 0, 0)).fetchall()
            assert not [step for *_, step in plan if "SCAN" in step], plan
