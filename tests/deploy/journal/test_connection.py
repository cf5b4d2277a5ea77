"""Opening a journal: archived, damaged, while it is being written; its tables and which files are refused."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.export.tables import ViewQuery
from quintet.journal.episode_rows import EPISODE_QUERY
from quintet.journal.open_episode import FIND
from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, JOURNAL_VERSION, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, episode_path
from tests.deploy.journal.records import EPISODE, append, decided, record, written
from tests.simulation.virtual import run

_ROWS = 2500
_DAMAGED = (1, 2, 1000, 1001, 2500)
"""At both ends of a batch, and side by side."""


def begin_episodes(file: FilePath) -> list[Path]:
    """A journal in which a thousand episodes have begun."""
    journal = SqliteJournal(file)
    paths = [episode_path("beehive", epoch, 0) for epoch in range(1_000)]
    for path in paths:
        journal.begin(path)
    journal.close()
    return paths


def test_an_archived_journal_is_read_in_a_read_only_folder(tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", decided(1))
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]
    assert [found.name for found in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_damaged_journal_is_reported_as_damaged(tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", *map(decided, range(1, 200)))
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    reader = JournalReader.open(file)
    assert reader.records() == []
    assert re.fullmatch(
        rf"journal: expected a journal that can be read, got .*malformed.* \({re.escape(str(file))}\)", reader.damage[0]
    )
    reader.close()
    with pytest.raises(UsageError, match=rf"got .*malformed.*\({file}\)"):
        SqliteJournal(file)


def test_a_reader_can_read_while_the_run_writes(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    reader = JournalReader.open(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)
    run(append(journal, [record(EpisodeEnded(path=EPISODE, state="solved"))]))
    assert [row.path for row in reader.episodes() if row.state is not None] == [EPISODE]
    assert [(row.path, row.incarnation) for row in reader.episodes()] == [(EPISODE, 1)]
    reader.close()
    journal.close()


def test_episodes_behind_a_damaged_page_are_read(tmp_path: FilePath) -> None:
    paths = begin_episodes(file := tmp_path / "journal.sqlite")
    sound = file.read_bytes()
    last: list[Path] = []
    for page in range(1, len(sound) // 4096):
        file.write_bytes(sound[: page * 4096] + b"\xff" * 4096 + sound[(page + 1) * 4096 :])
        with closing(JournalReader.open(file)) as reader:
            found = [row.path for row in reader.episodes()]
            assert len(found) == len(paths) or "malformed" in reader.damage[0]
        if 0 < len(found) < len(paths):
            last.append(found[-1])
    assert last.count(paths[-1]) > len(last) / 2


def test_a_damaged_text_is_shown_and_hides_no_other_row() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        task, *_ = EPISODE.split("/")
        journal.execute("INSERT INTO _tasks VALUES (1, ?)", (task,))
        journal.execute("INSERT INTO _starts VALUES (1, 1, 'driver')")
        end = (60_000, 1, 1, 1, 0.0, 1, "fine", None, 0, None, 0)
        columns = "ended, start, seconds, state, reward, depth, reason, fault, cancelled, claimed, steps"
        journal.executemany(
            f"INSERT INTO _episodes (id, task, epoch, attempt, began, incarnation, started, {columns}) "
            f"VALUES (?, 1, ?, 0, 1, 1, 0, {', '.join('?' * len(end))})",
            [(number, number, *end) for number in range(1, _ROWS + 1)],
        )
        for number in _DAMAGED:
            journal.execute("UPDATE _episodes SET reason = CAST(x'ff41' AS TEXT) WHERE id = ?", (number,))
        reader = JournalReader(journal)
        rows = list(reader.episodes())
        assert [row.number for row in rows] == list(range(1, _ROWS + 1))
        assert {row.number: row.reason for row in rows if row.reason != "fine"} == dict.fromkeys(_DAMAGED, r"\xffA")
        assert reader.damage == []
        batches = list(reader.scan("SELECT id, reason FROM _episodes WHERE id >= ? ORDER BY id", list, unit=1))
        assert [row for batch in batches for row in batch] == [(row.number, row.reason) for row in rows]
        assert journal.text_factory is not str, "the writer's own queries must stay tolerant"


def test_an_error_of_sqlite_comes_after_the_rows_before_it() -> None:
    with closing(sqlite3.connect(":memory:")) as journal:
        reader = JournalReader(journal)
        # Python steps to the next row before it returns one, so the error takes the row before it along.
        query = "WITH n (id) AS (VALUES (1), (2), (3)) SELECT id, abs(iif(id = 3, -9223372036854775808, id)) FROM n"
        assert [list(batch) for batch in reader.scan(f"{query} WHERE id >= ?", list, unit=1)] == [[(1, 1)]]
        assert len(reader.damage) == 1


def test_what_is_left_of_a_journal_that_was_cut_off_is_read(tmp_path: FilePath) -> None:
    begin_episodes(file := tmp_path / "journal.sqlite")
    whole = file.read_bytes()
    read: list[int] = []
    for tenths in (9, 7, 5):
        file.write_bytes(whole[: len(whole) * tenths // 10])
        with closing(JournalReader.open(file)) as reader:
            read.append(len(list(reader.episodes())))
            assert reader.damage[0] == f"journal: expected a whole file, got one that is cut off ({file})"
        with pytest.raises(UsageError, match="malformed"):
            SqliteJournal(file)
    assert 0 < read[0] < 1_000, "an episode lies in the last tenth"


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


@pytest.mark.parametrize(("version", "other"), [(1, "older"), (9, "older"), (JOURNAL_VERSION + 1, "newer")])
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


def test_a_journal_of_an_older_version_that_is_read_is_not_written(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version=10")
    with pytest.raises(UsageError, match=f"expected version {JOURNAL_VERSION}, got 10; use the older quintet"):
        SqliteJournal(file)


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


def test_a_strangers_views_are_not_used_but_ours(tmp_path: FilePath) -> None:
    file, view = written(tmp_path / "journal.sqlite", decided(1)), ViewQuery("episodes")
    with closing(JournalReader.open(file)) as reader:
        before = list(reader.scan(view.query, view.check, unit=1))
    with closing(sqlite3.connect(file)) as stranger:
        for (name,) in stranger.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
            stranger.executescript(f"DROP VIEW {name}; CREATE VIEW {name} AS SELECT 1 AS id WHERE 0;")
    with closing(JournalReader.open(file)) as reader:
        assert list(reader.scan(view.query, view.check, unit=1)) == before != []
        assert reader.damage == []
    SqliteJournal(file).close()


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        ("DROP TABLE _texts; CREATE VIEW _texts AS SELECT 1 AS id", "view _texts"),
        ("CREATE TRIGGER t AFTER INSERT ON _calls BEGIN DELETE FROM _texts; END", "trigger t"),
    ],
)
def test_a_strangers_view_in_place_of_a_table_and_a_trigger_are_refused(
    statements: str, found: str, tmp_path: FilePath
) -> None:
    file = written(tmp_path / "journal.sqlite", decided(1))
    with closing(sqlite3.connect(file)) as stranger:
        stranger.executescript(f"{statements};")
    said = rf"journal: expected its own tables, got a {found} \({re.escape(str(file))}\)"
    for open_it in (JournalReader.open, SqliteJournal):
        with pytest.raises(UsageError, match=said):
            open_it(file)


def test_a_users_own_view_beside_ours_is_none_of_our_business(tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", decided(1))
    with closing(sqlite3.connect(file)) as user:
        user.execute("CREATE VIEW mine AS SELECT * FROM episodes")
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]
