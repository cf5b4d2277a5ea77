"""The tools that calls were offered, and what was called. Both are texts, so a list of tools is stored once."""

from sys import intern
from typing import Final, NamedTuple

import msgspec

from quintet.journal.cells import Row, RowNumber, join_text, read_text
from quintet.messages.tools import ToolAnswer

TOOL_ANSWERS_TABLE: Final = """
CREATE TABLE _tool_answers (       -- of calls that were offered tools
    call INTEGER PRIMARY KEY,      -- in _calls
    tools INTEGER,                 -- the text: a list in JSON
    message INTEGER                -- the text: an object in JSON; none where the answer is text
);
"""

TOOL_ANSWERS: Final = f"""
SELECT event.call, {read_text("event.tools")}, {read_text("event.message")}
FROM _tool_answers AS event {join_text("event.tools")} {join_text("event.message")}
WHERE event.call BETWEEN ? AND ?
"""
"""The rows of an episode's calls."""


class _ToolAnswerRow(NamedTuple):
    call: RowNumber
    tools: str
    message: str


class StoredToolAnswers(dict[int, ToolAnswer]):
    """The answers of stored calls where tools were offered, by the id of the call."""

    def add(self, row: Row) -> None:
        """Add a row of `TOOL_ANSWERS`."""
        found = msgspec.convert(row, _ToolAnswerRow)
        # One text in memory, however many calls of how many resumed episodes have it.
        self[found.call] = ToolAnswer(tools=intern(found.tools), message=found.message)
