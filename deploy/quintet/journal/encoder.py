"""Encodes records of all events but calls, whose way to the journal is `call_encoder`, as rows."""

from typing import Final

from quintet.events import (
    EpisodeEnded,
    Exchanged,
    NodeGrown,
    Pictured,
    Published,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.call_encoder import StoredOnce, as_integer, as_real, as_text, encode_common, insert
from quintet.journal.cells import Row, encode_figures, encode_json
from quintet.journal.codes import STATES
from quintet.journal.event_rows import encode_decision
from quintet.journal.memory_rows import encode_exchange, encode_recall, encode_version
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.picture_rows import encode_picture
from quintet.journal.progress_rows import encode_node, encode_trial
from quintet.journal.session_rows import encode_session, encode_step

END: Final = """
UPDATE _episodes SET ended = ?, start = ?, seconds = ?, state = ?, reward = ?, claimed = ?, depth = ?, reason = ?,
    fault = ?, cancelled = ?, figures = ? WHERE id = ?
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
    match event:
        case StepTaken():
            table, own = "_steps", encode_step(event, episode, stored)
        case SessionOpened() | SessionForked():
            table, own = "_sessions", encode_session(event, episode, stored)
        case Pictured():
            table, own = "_pictures", encode_picture(event)
        case NodeGrown():
            table, own = "_nodes", encode_node(event, episode, stored)
        case TrialEnded():
            table, own = "_trials", encode_trial(event, episode)
        case Recalled():
            table, own = "_recalls", encode_recall(event)
        case Exchanged():
            table, own = "_exchanges", encode_exchange(event, episode, stored)
        case Published():
            table, own = "_versions", encode_version(event, stored)
        case _:
            table, own = "_decisions", encode_decision(event)
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
