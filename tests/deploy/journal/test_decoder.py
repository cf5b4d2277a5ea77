"""Rows that do not fit their table are left out and reported, and stop the run that writes them."""

from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import JournalDamaged
from quintet.events import Exchanged, NodeGrown, Published, Record
from quintet.journal.codes import DECISION_KINDS
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Turn
from quintet.messages.paths import child
from tests.deploy.journal.records import EPISODE, call, changed, decided, record, written

NODE = NodeGrown(path=child(EPISODE, 1), tree=EPISODE, node=1, parent=0, action="look", session=None)
TURNS = (Turn(completion="look", observation="A beehive."),)
ANSWER = Exchanged(path=EPISODE, request="solve", subject="", reply="{}", turns=TURNS)


@pytest.mark.parametrize(
    ("first", "damage"),
    [
        *(
            (record(NODE), f"UPDATE _nodes SET {damage}")
            for damage in ("standing = 3", "standing = 'open'", "action = 99", "visits = 'many'", "value = x'00'")
        ),
        (record(NODE), "UPDATE _nodes SET path = '~'"),
        *(
            (record(ANSWER), f"UPDATE _exchanges SET turns = '{damage}'")
            for damage in ("[1]", "[99, 1]", '{"a": 1, "b": 1}', '["x", 1]', "[0.5, 1]", "nonsense")
        ),
        (record(Published(path=child(EPISODE, 1), version=0, content="")), "UPDATE _versions SET version = -1"),
        (call(1), "DELETE FROM _phases"),
        (decided(1), "UPDATE _decisions SET kind = 99 WHERE path = '1'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_that_is_damaged_is_left_out_and_reported(first: Record, damage: str, tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", first, decided(2))
    changed(file, damage)
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(2)]
        assert "expected a row of this version, got 16777217" in reader.damage[0]
        if "kind" in damage:
            assert f"Expected `int` <= {len(DECISION_KINDS) - 1}" in reader.damage[0]
        if "_phases" in damage:
            assert next(reader.attempts())[1] == []
            assert len(reader.damage) == 2
    with (
        closing(SqliteJournal(file)) as journal,
        pytest.raises(JournalDamaged, match="expected a row of this version, got 16777217"),
    ):
        journal.reader.records(EPISODE)
