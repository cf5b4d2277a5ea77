"""The tools that calls were offered in the journal: a list of them is stored once."""

import sqlite3
from contextlib import closing
from pathlib import Path as FilePath

from quintet.events import CallMade
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.tools import ToolAnswer
from tests.deploy.journal.records import EPISODE, append, begun, call, changed, written
from tests.simulation.virtual import run

OTHER = episode_path("cake", 0, 0)
TOOLS = "[" + ", ".join(f'{{"name": "tool{number}"}}' for number in range(100)) + "]"
CALLED = ToolAnswer(tools=TOOLS, message='{"content": "", "tool_calls": []}')
SAID = ToolAnswer(tools=TOOLS)


def read(journal: SqliteJournal | JournalReader) -> list[ToolAnswer | None]:
    reader = journal.reader if isinstance(journal, SqliteJournal) else journal
    return [each.event.completion.tool_answer for each in reader.records() if isinstance(each.event, CallMade)]


def test_a_list_of_tools_is_stored_once_also_over_a_resume(tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", call(1, tool_answer=CALLED), call(2, tool_answer=SAID), call(3))
    assert FilePath(file).stat().st_size > len(TOOLS)
    with closing(SqliteJournal(file)) as journal:
        incarnation = journal.begin(EPISODE)
        for number in (4, 5):
            later = call(number, tool_answer=CALLED)
            run(append(journal, [type(later)(event=later.event, incarnation=incarnation, prompts=later.prompts)]))
        assert read(journal) == [CALLED, SAID, None, CALLED, CALLED]
        assert journal.reader.has_tool_answers()
    with closing(sqlite3.connect(file)) as opened:
        stored = opened.execute("SELECT count(id) FROM _texts WHERE text = ?", (TOOLS,)).fetchone()
        shown = opened.execute("SELECT tools, message FROM tool_answers ORDER BY id LIMIT 2").fetchall()
    assert stored == (2,), "once in each start, as any text"
    assert shown == [(TOOLS, CALLED.message), (TOOLS, None)]


def test_a_list_of_tools_is_in_memory_once_whoever_was_offered_it() -> None:
    journal = begun(":memory:", OTHER)
    run(append(journal, [call(1, tool_answer=CALLED), call(2, tool_answer=SAID)]))
    run(append(journal, [call(1, tool_answer=CALLED, episode=OTHER)]))
    assert len({id(each.tools) for each in read(journal) if each is not None}) == 1


def test_a_call_without_tools_costs_no_row() -> None:
    journal = begun()
    run(append(journal, [call(1)]))
    assert read(journal) == [None]
    assert not journal.reader.has_tool_answers()


def test_damaged_tools_are_named_and_do_not_hide_other_calls(tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", call(1, tool_answer=CALLED), call(2, tool_answer=SAID))
    changed(file, "UPDATE _tool_answers SET tools = 99 WHERE message IS NULL")
    with closing(JournalReader.open(file)) as reader:
        assert read(reader) == [CALLED, None]
        assert reader.damage
