"""A connection decodes texts by SQLite's own factory, and goes on at a damaged one."""

import sqlite3
from contextlib import closing

from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, connect
from tests.deploy.journal.test_charges import EPISODE

_ROWS = 2500
_DAMAGED = (1, 2, 1000, 1001, 2500)
"""At both ends of a batch, and side by side."""


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
