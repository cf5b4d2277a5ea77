"""Decodes rows of events. A row that does not fit its table raises one of `UNREADABLE`."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import AnyEvent, Record, SessionForked, SessionOpened
from quintet.journal.call_encoder import full_path
from quintet.journal.call_rows import SELECT_CALLS, decode_call
from quintet.journal.cells import Count, Microseconds, Milliseconds, Row, RowNumber, event_query
from quintet.journal.codes import DECISION_KINDS, TABLE_OF
from quintet.journal.event_tables import TABLES
from quintet.journal.prompt_messages import PromptMessages
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptNode

EVENTS: Final[Mapping[str, str]] = {
    "_calls": SELECT_CALLS,
    **{name: table.query for name, table in TABLES.items()},
    "_decisions": event_query("_decisions", "event.kind, event.content"),
}
"""By table, the query for the events of an episode, from its first possible id to its last."""

_EVENT_OF: Final = {table: event for event, table in TABLE_OF.items()}


class CommonRow(NamedTuple):
    """The columns of every event."""

    id: RowNumber
    path: Annotated[str, Meta(pattern=r"^([0-9]{1,9}(/[0-9]{1,9})*)?\Z")]
    incarnation: Count
    host: str
    at: Milliseconds
    seconds: Microseconds


class DecisionRow(NamedTuple):
    """A row of `_decisions`, which has the events without a table of their own."""

    kind: Annotated[int, Meta(ge=0, lt=len(DECISION_KINDS))]
    content: str


class EventDecoder:
    """Decodes the events of one episode.

    Args:
        episode: its path.
        began: when, in milliseconds since the Unix epoch.
        prompts: of its calls.
    """

    def __init__(self, episode: Path, began: int, prompts: PromptMessages) -> None:
        self._episode = episode
        self._began = began
        self._prompts = prompts

    def record(self, table: str, row: Row) -> Record:
        """The record of a row of `EVENTS[table]`."""
        common = msgspec.convert(row[:6], CommonRow)
        path = Path(full_path(common.path, self._episode))
        own = row[6:]
        prompts: tuple[PromptNode, ...] = ()
        event: AnyEvent
        if table == "_calls":
            event, prompts = decode_call(path, own, self._prompts)
        elif table == "_decisions":
            decision = msgspec.convert(own, DecisionRow)
            fields = msgspec.json.decode(decision.content, type=dict[str, Any])
            event = msgspec.convert({**fields, "type": DECISION_KINDS[decision.kind], "path": path}, AnyEvent)
        else:
            event = self._own_event(table, path, own)
        return Record(
            event=event,
            incarnation=common.incarnation,
            host=common.host,
            at=(self._began + common.at) / 1000,
            seconds=common.seconds / 1_000_000,
            prompts=prompts,
        )

    def _own_event(self, table: str, path: Path, own: Row) -> AnyEvent:
        fields = TABLES[table].decode(own, self._episode)
        if table != "_sessions":
            return _EVENT_OF[table](path=path, **fields)
        origin, observation = fields.pop("origin"), fields.pop("observation")
        if origin is not None:
            return SessionForked(path=path, origin=origin, **fields)
        return SessionOpened(path=path, observation=observation, **fields)
