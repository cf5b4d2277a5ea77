"""Reading a journal: archived, damaged, or while it is being written."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.events import Decided, EpisodeEnded, Record
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, episode_path
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


def test_episodes_behind_a_damaged_page_are_read(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    paths = [episode_path("beehive", epoch, 0) for epoch in range(1_000)]
    for path in paths:
        journal.begin(path)
    journal.close()
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


@pytest.mark.parametrize("place", [1, 2, 1000, 1001, 2500])
def test_a_text_that_is_no_utf_8_breaks_no_other_row(tmp_path: FilePath, place: int) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)
    texts = [f"text {number}" for number in range(1, 2501)]
    run(journal.append([decided(number, answer=text) for number, text in enumerate(texts, 1)]))
    journal.close()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as vandal, vandal:
        damaged = "UPDATE _decisions SET content = CAST(CAST(content AS BLOB) || x'ff' AS TEXT) WHERE path = ?"
        vandal.execute(damaged, (str(place),))
    with closing(JournalReader.open(tmp_path / "journal.sqlite")) as reader:
        found = [record.event for record in reader.records(EPISODE)]
        assert [event.answer for event in found if isinstance(event, Decided)] == [
            text for number, text in enumerate(texts, 1) if number != place
        ]
        assert len(reader.damage) == 1
