"""Encodes records of all events but calls, whose way to the journal is `call_encoder`, as rows."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from quintet.events import EpisodeEnded, Pictured, Record
from quintet.journal.call_encoder import StoredOnce, as_integer, as_real, as_text, encode_common, insert
from quintet.journal.cells import Row, encode_figures, encode_json
from quintet.journal.codes import DECISION_KINDS, EPISODE_BITS, STATES, TABLE_OF
from quintet.journal.event_tables import TABLES, Place
from quintet.journal.open_episode import OpenEpisode

END: Final = f"""
UPDATE _episodes SET ended = ?, start = ?, seconds = ?, state = ?, reward = ?, claimed = ?, depth = ?, reason = ?,
    fault = ?, cancelled = ?, figures = ?, steps = (SELECT count(*) FROM _steps WHERE
    _steps.id >= _episodes.id << {EPISODE_BITS} AND _steps.id < (_episodes.id + 1) << {EPISODE_BITS})
WHERE id = ?
"""
"""Executed after all statements that insert events."""


def encode_event(record: Record, episode: OpenEpisode, stored: StoredOnce) -> tuple[str, Row]:
    """The statement that stores a record of no call, and its row. It goes with the rows of `stored.take_rows`.

    Raises:
        JournalFault: the episode has no room for it.
        UnicodeEncodeError: a text has no UTF-8 form.
        OverflowError: a number has more than 64 bits.
    """
    event = record.event
    if isinstance(event, EpisodeEnded):
        return END, _encode_end(record, event, episode, stored)
    common = encode_common(record, episode, stored)
    own: Sequence[Any]
    if isinstance(event, Pictured):
        table, own = "_pictures", (len(event.picture), event.picture)
    elif type(event) in TABLE_OF:
        table = TABLE_OF[type(event)]
        own = TABLES[table].encode(event, Place(event.path, episode, stored))
    else:
        fields = msgspec.to_builtins(event)
        del fields["type"], fields["path"]
        table, own = "_decisions", (DECISION_KINDS.index(event.kind), encode_json(fields).decode())
    return insert(table, len(common) + len(own)), (*common, *own)


def _encode_end(record: Record, event: EpisodeEnded, episode: OpenEpisode, stored: StoredOnce) -> Row:
    return (
        as_integer(round(record.at * 1000) - episode.began),
        stored.start(record.incarnation, record.host),
        as_integer(round(record.seconds * 1_000_000)),
        STATES.index(event.state),
        as_real(event.reward),
        None if event.claimed is None else int(event.claimed),
        as_integer(event.depth),
        as_text(event.reason),
        None if event.fault is None else encode_json(event.fault).decode(),
        int(event.cancelled),
        encode_figures(event.figures),
        episode.number,
    )
