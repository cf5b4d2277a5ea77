"""Cells of a journal's tables: any may hold anything, and what a damaged one raises."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from quintet.messages.continuations import COPIED

Row: TypeAlias = tuple[Any, ...]
"""As SQLite returns it: any column may hold any type."""
NewRows: TypeAlias = dict[str, list[Row]]
"""By statement, the rows to execute it with."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)

Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
RowNumber = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""As large as a cell holds one: what was written is read."""
Flag = Annotated[int, Meta(ge=0, le=1)]
Milliseconds = Annotated[int, Meta(ge=-(10**14), le=10**14)]
Microseconds = Annotated[int, Meta(ge=-(10**17), le=10**17)]
"""Negative if the clock was set back."""

encode_json = msgspec.json.Encoder().encode


def encode_figures(figures: Mapping[str, float]) -> str | None:
    """The cell of figures by name: JSON; None: there are none."""
    return encode_json(figures).decode() if figures else None


def decode_figures(cell: str | None) -> dict[str, float]:
    """Figures by name; a `msgspec.DecodeError` if the cell holds none."""
    return {} if cell is None else msgspec.json.decode(cell, type=dict[str, float])


EVENT_COLUMNS = """
    id INTEGER PRIMARY KEY,        -- of its episode, shifted by 24 bits, plus its position in the order of commits
    path TEXT NOT NULL,            -- below its episode: '2/1'; '' for the episode itself
    start INTEGER NOT NULL,        -- in _starts
    at INTEGER NOT NULL,           -- milliseconds since its episode began
    seconds INTEGER NOT NULL,      -- in microseconds
"""
"""Columns of every event. The numbers of texts are rows of `_texts`; NULL is the empty text."""


def is_live(start: str) -> str:
    """An SQL condition on an event's start: the event happened in this run, and was not copied from another."""
    return f"{start} NOT IN (SELECT id FROM _starts WHERE incarnation = {COPIED})"


def join_text(number: str) -> str:
    """The join that `read_text` of the same number needs: a subquery in its place would be begun anew for each row."""
    return f"LEFT JOIN _texts AS {_joined(number)} ON {_joined(number)}.id = {number}"


def _joined(number: str) -> str:
    return number.replace(".", "_")


def read_text(number: str, start: str = "", length: str = "") -> str:
    """An expression for a text by its number, or for a part of it: '' for no number, NULL if there is no such text."""
    text = f"{_joined(number)}.text"
    if not start:
        return f"CASE WHEN {number} IS NULL THEN '' ELSE {text} END"
    part = f"substr({text}, {start}, {length})"
    return f"CASE WHEN {number} IS NULL THEN '' WHEN {start} IS NULL THEN {text} ELSE {part} END"


def event_query(table: str, columns: str, joined: str = "") -> str:
    """The query for a table's events of an episode, from its first possible id to its last."""
    return f"""
SELECT event.id, event.path, start.incarnation, start.host, event.at, event.seconds, {columns}
FROM {table} AS event LEFT JOIN _starts AS start ON start.id = event.start {joined}
WHERE event.id BETWEEN ? AND ?"""
