"""Rows of events: what all of them have, and those without a table of their own, in both directions."""

from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import AnyEvent
from quintet.journal.cells import Count, Microseconds, Milliseconds, Number, Row, encode_json, event_query
from quintet.journal.codes import DECISION_KINDS
from quintet.messages.paths import Path

_Below = Annotated[str, Meta(pattern=r"^([0-9]{1,9}(/[0-9]{1,9})*)?\Z")]


SELECT_DECISIONS: Final = event_query("_decisions", "event.kind, event.content")


class CommonRow(NamedTuple):
    """The columns of every event."""

    id: Number
    path: _Below
    incarnation: Count
    host: str
    at: Milliseconds
    seconds: Microseconds


class DecisionRow(NamedTuple):
    """A row of `_decisions`."""

    kind: Annotated[int, Meta(ge=0, lt=len(DECISION_KINDS))]
    content: str


def encode_decision(event: AnyEvent) -> Row:
    """The own columns of an event without a table of its own."""
    fields = msgspec.to_builtins(event)
    del fields["type"], fields["path"]
    return DECISION_KINDS.index(event.kind), encode_json(fields).decode()


def decode_decision(path: Path, columns: Row) -> AnyEvent:
    """An event without a table of its own."""
    row = msgspec.convert(columns, DecisionRow)
    fields = msgspec.json.decode(row.content, type=dict[str, Any])
    event: AnyEvent = msgspec.convert({**fields, "type": DECISION_KINDS[row.kind], "path": path}, AnyEvent)
    return event
