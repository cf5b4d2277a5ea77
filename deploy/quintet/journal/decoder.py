"""Decodes rows of events. A row that does not fit its table raises one of `UNREADABLE`."""

from collections.abc import Mapping
from typing import Final

import msgspec

from quintet.events import AnyEvent, Record
from quintet.journal.call_encoder import full_path
from quintet.journal.call_rows import SELECT_CALLS, decode_call
from quintet.journal.cells import Row
from quintet.journal.event_rows import SELECT_DECISIONS, CommonRow, decode_decision
from quintet.journal.memory_rows import (
    SELECT_EXCHANGES,
    SELECT_RECALLS,
    SELECT_VERSIONS,
    decode_exchange,
    decode_recall,
    decode_version,
)
from quintet.journal.progress_rows import SELECT_NODES, SELECT_TRIALS, decode_node, decode_trial
from quintet.journal.prompt_messages import PromptMessages
from quintet.journal.session_rows import SELECT_SESSIONS, SELECT_STEPS, decode_session, decode_step
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptNode

EVENTS: Final[Mapping[str, str]] = {
    "_calls": SELECT_CALLS,
    "_sessions": SELECT_SESSIONS,
    "_steps": SELECT_STEPS,
    "_nodes": SELECT_NODES,
    "_trials": SELECT_TRIALS,
    "_recalls": SELECT_RECALLS,
    "_exchanges": SELECT_EXCHANGES,
    "_decisions": SELECT_DECISIONS,
    "_versions": SELECT_VERSIONS,
}
"""By table, the query for the events of an episode, from its first possible id to its last."""


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
        match table:
            case "_calls":
                event, prompts = decode_call(path, own, self._prompts)
            case "_steps":
                event = decode_step(path, own, self._episode)
            case "_sessions":
                event = decode_session(path, own, self._episode)
            case "_nodes":
                event = decode_node(path, own, self._episode)
            case "_trials":
                event = decode_trial(path, own, self._episode)
            case "_recalls":
                event = decode_recall(path, own)
            case "_exchanges":
                event = decode_exchange(path, own, self._episode)
            case "_versions":
                event = decode_version(path, own)
            case _:
                event = decode_decision(path, own)
        return Record(
            event=event,
            incarnation=common.incarnation,
            host=common.host,
            at=(self._began + common.at) / 1000,
            seconds=common.seconds / 1_000_000,
            prompts=prompts,
        )
