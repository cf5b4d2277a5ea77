"""The exported tables: the journal's views with the columns that only a run's record knows.

`docs/journal.md` says what each column means.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from quintet.journal.cells import Row
from quintet.ports.tokens import ID_BYTES, LOGPROB_BYTES

TABLES_VERSION = 6
"""Increased when a column is removed or changes its type or meaning, but not when one is added."""

TableName: TypeAlias = Literal[
    "episodes",
    "usage",
    "calls",
    "tokens",
    "tool_answers",
    "sessions",
    "steps",
    "nodes",
    "trials",
    "recalls",
    "exchanges",
    "decisions",
    "versions",
    "prompts",
]
"""A table; its columns are in `docs/journal.md`."""

COLUMN_TYPES: Final[Mapping[str, type]] = {
    "text": str,
    "integer": int,
    "real": float,
    "flag": bool,
    "time": datetime,
    "map": dict[str, str],
    "ids": list[int],
    "logprobs": list[float],
}
"""Of values in an export, by the word for them; a `?` behind it: or null."""


class Column(NamedTuple):
    """A column."""

    name: str
    type: type
    """Of its values other than None."""
    nullable: bool


def _columns(*declared: str) -> tuple[Column, ...]:
    parts = [column.split() for text in declared for column in text.split(",")]
    return tuple(Column(name, COLUMN_TYPES[kind.rstrip("?")], kind.endswith("?")) for name, kind in parts)


_EVENT = "id integer, episode integer, path text, incarnation integer, host text, at time, seconds real"
_TOKENS = "prompt_tokens integer, cached_tokens integer, completion_tokens integer"

EXPORTED_TABLES: Final[Mapping[TableName, tuple[Column, ...]]] = {
    "episodes": _columns(
        "id integer, path text, task text, epoch integer, attempt integer, newest flag, state text, success flag?",
        "reward real?, claimed flag?, depth integer?, steps integer, calls integer",
        _TOKENS,
        "usd real?, incarnation integer, host text?, started time, ended time?, seconds real?, reason text",
        "fault text?, cancelled flag?, figures text?",
    ),
    "usage": _columns(
        "episode integer, model text, phase text, calls integer",
        _TOKENS,
        "usd real?, bounded integer, unanswered text?",
    ),
    "calls": _columns(
        _EVENT,
        "model text, phase text, prompt integer?, completion text, reasoning text, finish text",
        _TOKENS,
        "reasoning_tokens integer, bounded flag, temperature real, top_p real, max_tokens integer, stop text",
        "seed integer?, form text?, fingerprint text, weights_version integer?",
    ),
    "tokens": _columns(
        "id integer, episode integer, base integer?, shared integer, prompt ids, completion ids, logprobs logprobs"
    ),
    "tool_answers": _columns("id integer, episode integer, tools text, message text?"),
    "sessions": _columns(_EVENT, "session text, origin text?, observation text"),
    "steps": _columns(
        _EVENT,
        "session text, thought text, action text, observation text, reward real, done flag, rejected flag",
        "lasting flag, figures text?",
    ),
    "nodes": _columns(
        _EVENT,
        "tree text, node integer, parent integer?, action text, session text?, value real?, confidence real?",
        "visits integer, reward real, standing text, adjusted flag",
    ),
    "trials": _columns(
        _EVENT, "solve text, method text, number integer, actions integer, reward real, steps integer, revised flag"
    ),
    "recalls": _columns(
        _EVENT,
        "version integer, batch integer, ids text, goal_type integer?, observation_type integer?, failed text, "
        "left_out integer, section text, scores text",
    ),
    "exchanges": _columns(_EVENT, "request text, subject text, session text?, reply text"),
    "decisions": _columns(_EVENT, "kind text, content text"),
    "versions": _columns(_EVENT, "version integer, text text, unchanged flag, chosen flag?"),
    "prompts": _columns("id integer, parent integer?, role text, content text"),
}
"""The columns of each view, in order, by its name."""

RUN_COLUMNS: Final = _columns("run text, arm text?")
"""Those that every exported table begins with."""

RECORD_COLUMNS: Final = _columns("counts flag, method text, environment text, models text, metadata map, purpose text?")
"""Those that the exported table of episodes ends with."""


def exported(table: TableName) -> tuple[Column, ...]:
    """The columns of an exported table, in order."""
    return RUN_COLUMNS + EXPORTED_TABLES[table] + (RECORD_COLUMNS if table == "episodes" else ())


_Time = Annotated[float, Meta(ge=-62_000_000_000, le=250_000_000_000)]
"""Seconds since the Unix epoch, in the years that Python can show."""
_IN_VIEWS: Final[Mapping[object, Any]] = {
    bool: Annotated[int, Meta(ge=0, le=1)],
    datetime: _Time,
    list[int]: bytes,
    list[float]: bytes,
}
"""The types of values in a view that differ from those of an export."""
_PACKED: Final[Mapping[object, int]] = {list[int]: ID_BYTES, list[float]: LOGPROB_BYTES}
"""Bytes of an item of a list that a view has packed."""


class ViewQuery:
    """Reads a view: the query for its rows, and their types."""

    def __init__(self, name: TableName) -> None:
        declared = EXPORTED_TABLES[name]
        first = declared[0].name
        self.query = (
            f"SELECT {', '.join(each.name for each in declared)} FROM {name} WHERE {first} >= ? ORDER BY {first}"
        )
        """Its rows from one on, by its first column."""
        types: list[Any] = [_IN_VIEWS.get(each.type, each.type) for each in declared]
        row = tuple(kind | None if each.nullable else kind for kind, each in zip(types, declared, strict=True))
        self._packed = [(place, _PACKED[each.type]) for place, each in enumerate(declared) if each.type in _PACKED]
        self._rows: Any = list[tuple.__class_getitem__(row)]  # type: ignore[misc]

    def check(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows, if their values have the types of their columns; else a `msgspec.ValidationError`."""
        checked: Sequence[Row] = msgspec.convert(rows, self._rows)
        for cell, size in ((row[place], size) for row in checked for place, size in self._packed):
            if len(cell) % size:
                raise msgspec.ValidationError(f"expected {size} bytes for each token, got {len(cell)} bytes")
        return checked
