"""Rows that do not fit their table."""

import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import JournalDamaged
from quintet.events import Exchanged, NodeGrown, Published, Record
from quintet.journal.codes import DECISION_KINDS
from quintet.journal.reader import JournalReader
from quintet.journal.schema import connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Turn
from quintet.messages.paths import LEARNER, child
from quintet.messages.prompts import Prompt, user
from tests.deploy.journal.records import EPISODE, call, decided
from tests.simulation.virtual import run


def test_an_event_of_a_later_version_is_named(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    future = sqlite3.connect(file)
    future.executescript("""
        INSERT INTO _tasks VALUES (1, 'beehive');
        INSERT INTO _episodes (id, task, epoch, attempt, began, incarnation, started) VALUES (1, 1, 0, 0, 0, 1, 0);
        INSERT INTO _starts VALUES (1, 1, 'here');
        INSERT INTO _decisions VALUES ((1 << 24) + 1, '1', 1, 0, 0, 99, '{}');
    """)
    future.close()
    reader = JournalReader.open(file)
    assert reader.records() == []
    (said,) = reader.damage
    last = len(DECISION_KINDS) - 1
    assert f"expected a row of this version, got 16777217, '1', 1: Expected `int` <= {last}" in said
    reader.close()
    journal = SqliteJournal(file)
    with pytest.raises(JournalDamaged, match="expected a row of this version, got 16777217, '1', 1"):
        journal.reader.records(EPISODE)
    journal.close()


@pytest.mark.parametrize(
    "damage", ["standing = 3", "standing = 'open'", "action = 99", "visits = 'many'", "value = x'00'", "path = '~'"]
)
def test_a_node_that_is_damaged_is_left_out_and_reported(tmp_path: FilePath, damage: str) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    grown = NodeGrown(path=child(EPISODE, 2), tree=EPISODE, node=1, parent=0, action="look", session=None)
    run(journal.append([decided(1), Record(event=grown, incarnation=1)]))
    journal.close()
    with closing(connect(str(file))) as vandal:
        vandal.execute(f"UPDATE _nodes SET {damage}")
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]
        assert "expected a row of this version, got 16777218" in reader.damage[0]


def test_a_published_version_below_0_is_left_out_and_reported(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(LEARNER)
    event = Published(path=child(LEARNER, 1), version=0, content="a plan")
    run(journal.append([Record(event=event, incarnation=1)]))
    journal.close()
    with closing(connect(str(file))) as vandal:
        vandal.execute("UPDATE _versions SET version = -1")
    with closing(JournalReader.open(file)) as reader:
        assert reader.published() == {}
        assert "expected a row of this version, got" in reader.damage[0]


def test_a_call_of_a_phase_that_is_gone_is_left_out_and_reported(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([call(1, Prompt(user("Go."))), decided(2)]))
    journal.close()
    with closing(connect(str(file))) as vandal:
        vandal.execute("DELETE FROM _phases")
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(2)]
        assert "expected a row of this version, got 16777217" in reader.damage[0]
        assert next(reader.attempts())[1] == []
        assert len(reader.damage) == 2


@pytest.mark.parametrize("turns", ["[1]", "[99, 1]", '{"a": 1, "b": 1}', '["x", 1]', "[0.5, 1]", "nonsense"])
def test_turns_that_are_damaged_are_reported(tmp_path: FilePath, turns: str) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    turn = Turn(completion="look", observation="A beehive.")
    answer = Exchanged(path=EPISODE, request="solve", subject="", reply="{}", turns=(turn,))
    run(journal.append([Record(event=answer, incarnation=1), decided(1)]))
    journal.close()
    with closing(connect(str(file))) as vandal:
        vandal.execute("UPDATE _exchanges SET turns = ?", (turns,))
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]
        assert "expected a row of this version, got 16777217" in reader.damage[0]
