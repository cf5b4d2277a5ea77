"""The tables of events but calls, decisions and pictures: what holds each field. All else follows from that.

A field of an event has a column of its name, and is stored and read by its cell.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import AnyEvent
from quintet.journal.call_encoder import StoredOnce, as_integer, as_real, as_text, full_path, session_cell
from quintet.journal.cells import (
    EVENT_COLUMNS,
    Count,
    Flag,
    Row,
    RowNumber,
    decode_figures,
    encode_figures,
    encode_json,
    event_query,
    join_text,
    read_text,
)
from quintet.journal.codes import STANDINGS, name_of
from quintet.journal.open_episode import OpenEpisode
from quintet.messages.execution import Turn
from quintet.messages.learning import Version
from quintet.messages.paths import Path, parent


class Place(NamedTuple):
    """What storing a field depends on."""

    path: Path
    """Of the event."""
    episode: OpenEpisode
    stored: StoredOnce


class Cell(NamedTuple):
    """How a field is stored."""

    declared: str
    """In SQL; several columns for a part of a text."""
    type: Any
    """As it is read."""
    encode: Callable[..., Any]
    """Given the field, and its place if it is `placed`; several cells as a tuple."""
    decode: Callable[..., Any] | None = None
    """Given the cell, and the episode's path if it is `placed`; None: it is the field."""
    placed: bool = False
    read: Callable[[str], str] = lambda column: column
    """The expression that reads it."""
    show: Callable[[str], str] | None = None
    """The one for views, if it is another."""
    join: Callable[[str], str] = lambda _: ""
    """What either reads besides the event's row."""


def _session_name(column: str) -> str:
    """A session or a path in full."""
    below = f"CASE {column} WHEN '' THEN {EPISODE_PATH} ELSE {EPISODE_PATH} || '/' || {column} END"
    return f"CASE WHEN {column} LIKE '/%' THEN substr({column}, 2) ELSE {below} END"


def _code(names: Sequence[str]) -> Cell:
    return Cell(
        "{} INTEGER NOT NULL",
        Annotated[int, Meta(ge=0, lt=len(names))],
        names.index,
        names.__getitem__,
        show=partial(name_of, names=names),
    )


def _or_none(cell: Cell) -> Cell:
    def unless_none(convert: Callable[..., Any], value: Any, *place: Any) -> Any:
        return None if value is None else convert(value, *place)

    return cell._replace(
        declared=cell.declared.removesuffix(" NOT NULL"),
        type=cell.type | None,
        encode=partial(unless_none, cell.encode),
        decode=cell.decode and partial(unless_none, cell.decode),
    )


def _encode_text(text: str, place: Place) -> int | None:
    return place.stored.text(text)


def _encode_session(session: str | None, place: Place) -> str | None:
    return session_cell(session, place.episode.path)


def _encode_numbers(numbers: Sequence[int]) -> str:
    return encode_json([as_integer(each) for each in numbers]).decode()


def _encode_reals(numbers: Sequence[float]) -> str:
    return encode_json([as_real(each) for each in numbers]).decode()


def _read_part(column: str) -> str:
    return read_text(column, f"{column}_from", f"{column}_length")


def _read_content(_: str) -> str:
    return read_text("event.text")


def _join_content(_: str) -> str:
    return join_text("event.text")


def _encode_part(text: str, place: Place) -> Row:
    """A text as a part of the completion that it was read from, if it is one."""
    if not text:
        return None, None, None
    whole, number = place.episode.completions.get(parent(place.path), ("", 0))
    start = whole.find(text)
    if start >= 0:
        return (number, None, None) if len(text) == len(whole) else (number, start + 1, len(text))
    return place.stored.text(text), None, None


def _encode_turns(turns: Sequence[Turn], place: Place) -> str | None:
    """The numbers of completion, observation, completion, ... as JSON, each less the one before it."""
    if not turns:
        return None
    numbers = [place.stored.text(text) or 0 for turn in turns for text in (turn.completion, turn.observation)]
    return encode_json([number - before for before, number in zip([0, *numbers], numbers, strict=False)]).decode()


def _read_turns(column: str) -> str:
    """The cell, or no turns, and in a second line the texts."""
    return f"""coalesce({column}, '[]') || char(10) || (SELECT json_group_array(text) FROM (
        SELECT CASE number WHEN 0 THEN '' ELSE (SELECT text FROM _texts WHERE id = number) END AS text FROM (
            SELECT key, sum(value) OVER (ORDER BY key) AS number
            FROM json_each(CASE WHEN json_valid({column}) THEN {column} ELSE '[]' END)) ORDER BY key))"""


def _decode_turns(cell: str, episode: Path) -> tuple[Turn, ...]:
    numbers, _, said = cell.rpartition("\n")
    texts = msgspec.json.decode(said, type=list[str])
    if len(msgspec.json.decode(numbers, type=list[int])) % 2:
        raise msgspec.ValidationError(f"expected the turns of {episode} in pairs, got {len(texts)} texts")
    turns = zip(texts[::2], texts[1::2], strict=True)
    return tuple(Turn(completion=completion, observation=observation) for completion, observation in turns)


EPISODE_PATH: Final = "(task.name || '/' || episode.epoch || '/' || episode.attempt)"
"""Views call an episode's row `episode` and its task's row `task`."""

_INTEGER = Cell("{} INTEGER NOT NULL", int, as_integer)
_COUNT = _INTEGER._replace(type=Count)
_VERSION = _INTEGER._replace(type=Version)
_NUMBER = _INTEGER._replace(type=RowNumber)
_REAL = Cell("{} REAL NOT NULL", float, as_real)
_FLAG = Cell("{} INTEGER NOT NULL", Flag, int, bool)
_WORD = Cell("{} TEXT NOT NULL", str, as_text)
_TEXT = Cell("{} INTEGER", str, _encode_text, placed=True, read=read_text, join=join_text)
"""The number of a text; NULL is the empty one."""
_PART = Cell(
    "{0} INTEGER, {0}_from INTEGER, {0}_length INTEGER",
    str,
    _encode_part,
    placed=True,
    read=_read_part,
    join=join_text,
)
"""The same, or a part of it: its first character, from 1, and its length; NULL: all of it."""
_SESSION = Cell(
    "{} TEXT NOT NULL",
    str,
    _encode_session,
    full_path,
    placed=True,
    show=_session_name,
)
"""A session or a path, below its episode; after a slash, as it is."""
_FIGURES = Cell("{} TEXT", str | None, encode_figures, decode_figures)
_NUMBERS = Cell(
    "{} TEXT NOT NULL",
    str,
    _encode_numbers,
    partial(msgspec.json.decode, type=tuple[int, ...]),
)
_REALS = _NUMBERS._replace(encode=_encode_reals, decode=partial(msgspec.json.decode, type=tuple[float, ...]))
_CONTENT = _TEXT._replace(declared="text INTEGER", read=_read_content, join=_join_content)
_TURNS = Cell("{} TEXT", str, _encode_turns, _decode_turns, placed=True, read=_read_turns)


class EventTable:
    """A table of events."""

    def __init__(self, name: str, **cells: Cell) -> None:
        self.name = name
        self._cells = cells
        columns = ", ".join(cell.declared.format(field) for field, cell in cells.items())
        self.create = f"CREATE TABLE {name} ({EVENT_COLUMNS} {columns});"
        self.joined = " ".join(filter(None, (cell.join(f"event.{field}") for field, cell in cells.items())))
        """What its query and its view join."""
        read = ", ".join(cell.read(f"event.{field}") for field, cell in cells.items())
        self.query = event_query(name, read, self.joined)
        self._row = msgspec.defstruct(name, [(field, cell.type) for field, cell in cells.items()], array_like=True)
        self._encoders = [(field, cell.encode, cell.placed) for field, cell in cells.items()]
        self._decoders = [(field, cell.decode, cell.placed) for field, cell in cells.items() if cell.decode]

    def shown(self, *fields: str) -> str:
        """The columns of a view: of these fields, or of all."""
        return ", ".join(
            f"{(cell.show or cell.read)(f'event.{field}')} AS {field}"
            for field, cell in ((field, self._cells[field]) for field in fields or self._cells)
        )

    def encode(self, event: AnyEvent, place: Place) -> list[Any]:
        """An event's own columns."""
        row: list[Any] = []
        for field, encode, placed in self._encoders:
            value = getattr(event, field, None)
            stored = encode(value, place) if placed else encode(value)
            if type(stored) is tuple:
                row += stored
            else:
                row.append(stored)
        return row

    def decode(self, columns: Row, episode: Path) -> dict[str, Any]:
        """The fields of an event, from a row of `query` without what all events have."""
        fields = msgspec.structs.asdict(msgspec.convert(columns, self._row))
        for field, decode, placed in self._decoders:
            fields[field] = decode(fields[field], episode) if placed else decode(fields[field])
        return fields


TABLES: Final[Mapping[str, EventTable]] = {
    table.name: table
    for table in (
        EventTable("_sessions", session=_SESSION, origin=_or_none(_SESSION), observation=_TEXT),
        EventTable(
            "_steps",
            session=_SESSION,
            action=_PART,
            thought=_PART,
            observation=_TEXT,
            reward=_REAL,
            done=_FLAG,
            rejected=_FLAG,
            lasting=_FLAG,
            figures=_FIGURES,
        ),
        EventTable(
            "_nodes",
            tree=_SESSION,
            node=_INTEGER,
            parent=_or_none(_INTEGER),
            action=_TEXT,
            session=_or_none(_SESSION),
            value=_or_none(_REAL),
            confidence=_or_none(_REAL),
            visits=_INTEGER,
            reward=_REAL,
            standing=_code(STANDINGS),
            adjusted=_FLAG,
        ),
        EventTable(
            "_trials",
            solve=_SESSION,
            method=_WORD,
            number=_NUMBER,
            actions=_COUNT,
            reward=_REAL,
            steps=_COUNT,
            revised=_FLAG,
        ),
        EventTable(
            "_recalls",
            version=_COUNT,
            batch=_COUNT,
            ids=_NUMBERS,
            goal_type=_or_none(_NUMBER),
            observation_type=_or_none(_NUMBER),
            failed=_WORD,
            left_out=_COUNT,
            section=_WORD,
            scores=_REALS,
        ),
        EventTable("_exchanges", request=_TEXT, subject=_TEXT, session=_or_none(_SESSION), reply=_TEXT, turns=_TURNS),
        EventTable("_versions", version=_VERSION, content=_CONTENT),
    )
}
