"""Reading a journal: archived, damaged, or while it is being written."""

import re
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.events import (
    EpisodeEnded,
    Record,
)
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from tests.deploy.journal.records import EPISODE, decided
from tests.simulation.virtual import run


def test_an_archived_journal_is_read_in_a_read_only_folder(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([decided(1)]))
    journal.close()
    reader = JournalReader.open(file)
    assert reader.records() == [decided(1)]
    reader.close()
    assert [found.name for found in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_damaged_journal_is_reported_as_damaged(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([decided(number) for number in range(1, 200)]))
    journal.close()
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
    run(journal.append([Record(event=EpisodeEnded(path=EPISODE, state="solved"), incarnation=1)]))
    assert [row.path for row in reader.episodes() if row.state is not None] == [EPISODE]
    assert [(row.path, row.incarnation) for row in reader.episodes()] == [(EPISODE, 1)]
    reader.close()
    journal.close()
