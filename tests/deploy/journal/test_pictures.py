"""Pictures in a journal: apart from the events, stored once at a path, and in a view of their own."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.events import AnyEvent, Pictured, Record, StepTaken
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path
from tests.actors.pictured import picture_at
from tests.deploy.journal.records import changed
from tests.deploy.journal.test_document import by_duckdb
from tests.simulation.virtual import run

EPISODE = episode_path("low stairs", 0, 0)
STEP = StepTaken(path=child(EPISODE, 2), session="s", action="up", observation="", reward=0, done=False, rejected=False)


def _seen(number: int, steps: int) -> Pictured:
    return Pictured(path=child(EPISODE, number), picture=picture_at(steps))


def _write(file: Path, *events: AnyEvent) -> None:
    journal = SqliteJournal(file)
    incarnation = journal.begin(EPISODE)
    run(journal.append([Record(event=event, incarnation=incarnation, host="here", at=1.5) for event in events]))
    journal.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    _write(tmp_path / "journal.sqlite", _seen(1, 0), STEP, _seen(2, 1))
    return tmp_path / "journal.sqlite"


def test_pictures_are_found_by_their_paths_and_are_no_records(file: Path) -> None:
    with closing(JournalReader.open(file)) as reader:
        assert reader.pictures(EPISODE) == {child(EPISODE, number): len(picture_at(0)) for number in (1, 2)}
        assert reader.picture(child(EPISODE, 2)) == picture_at(1)
        assert [record.event for record in reader.records(EPISODE)] == [STEP]
        assert reader.pictures(episode_path("high stairs", 0, 0)) == {}
        assert reader.damage == []


@pytest.mark.parametrize("at", [child(EPISODE, 3), EPISODE, episode_path("high stairs", 0, 0)])
def test_a_place_without_a_picture_is_refused(at: str, file: Path) -> None:
    with closing(JournalReader.open(file)) as reader, pytest.raises(UsageError, match=f"a picture at {at}, found none"):
        reader.picture(type(EPISODE)(at))


def test_a_replay_stores_no_picture_twice(file: Path) -> None:
    _write(file, _seen(1, 7), _seen(3, 3))
    with closing(JournalReader.open(file)) as reader:
        assert [*reader.pictures(EPISODE)] == [child(EPISODE, number) for number in (1, 2, 3)]
        assert reader.picture(child(EPISODE, 1)) == picture_at(0)


def test_a_damaged_picture_is_named_and_hides_no_other(file: Path) -> None:
    changed(file, "UPDATE _pictures SET picture = 'torn', size = 'large' WHERE path = '1'")
    with closing(JournalReader.open(file)) as reader:
        assert [*reader.pictures(EPISODE)] == [child(EPISODE, 2)]
        with pytest.raises(UsageError, match="found none"):
            reader.picture(child(EPISODE, 1))
        assert len(reader.damage) == 2


def test_sqlite_and_duckdb_read_them_from_a_view(file: Path) -> None:
    query = "SELECT path, incarnation, host, size, picture FROM pictures ORDER BY id"
    rows = [(child(EPISODE, number + 1), 1, "here", len(picture_at(0)), picture_at(number)) for number in (0, 1)]
    with closing(sqlite3.connect(file)) as journal:
        assert journal.execute(query).fetchall() == rows
    with by_duckdb(file) as connection:
        assert connection.execute(query).fetchall() == rows
