"""Rows of what is learned and recalled, in both directions: exchanges, recalls and versions."""

from typing import Final, NamedTuple

import msgspec

from quintet.events import Exchanged, Published, Recalled
from quintet.journal.call_encoder import StoredOnce, as_integer, as_text, full_path, session_cell
from quintet.journal.cells import Count, Number, Row, encode_json, event_query, text_columns, text_of
from quintet.journal.open_episode import OpenEpisode
from quintet.messages.execution import Turn
from quintet.messages.paths import Path

SELECT_RECALLS: Final = event_query(
    "_recalls", "event.version, event.batch, event.ids, event.goal_type, event.observation_type, event.failed"
)
SELECT_EXCHANGES: Final = event_query(
    "_exchanges",
    f"""{text_columns("request")}, {text_columns("subject")}, event.session, {text_columns("reply")},
    (SELECT json_group_array(text) FROM (
        SELECT CASE number WHEN 0 THEN '' ELSE (SELECT text FROM _texts WHERE id = number) END AS text FROM (
            SELECT key, sum(value) OVER (ORDER BY key) AS number
            FROM json_each(CASE WHEN json_valid(event.turns) THEN event.turns ELSE '[]' END)) ORDER BY key)),
    event.turns""",
)
SELECT_VERSIONS: Final = event_query("_versions", f"event.version, {text_columns('text')}")


class RecallRow(NamedTuple):
    """A row of `_recalls`."""

    version: Count
    batch: Number
    ids: str
    goal_type: Number | None
    observation_type: Number | None
    failed: str


class ExchangeRow(NamedTuple):
    """A row of `_exchanges`."""

    request: Number | None
    request_text: str | None
    subject: Number | None
    subject_text: str | None
    session: str | None
    reply: Number | None
    reply_text: str | None
    texts: str
    turns: str | None


class VersionRow(NamedTuple):
    """A row of `_versions`."""

    version: Count
    number: Number | None
    text: str | None


def encode_recall(event: Recalled) -> Row:
    """A recall's own columns."""
    types = (event.goal_type, event.observation_type)
    return (
        as_integer(event.version),
        as_integer(event.batch),
        encode_json([as_integer(each) for each in event.ids]).decode(),
        *(None if each is None else as_integer(each) for each in types),
        as_text(event.failed),
    )


def decode_recall(path: Path, columns: Row) -> Recalled:
    """A recall."""
    row = msgspec.convert(columns, RecallRow)
    return Recalled(
        path=path,
        version=row.version,
        batch=row.batch,
        ids=msgspec.json.decode(row.ids, type=tuple[int, ...]),
        goal_type=row.goal_type,
        observation_type=row.observation_type,
        failed=row.failed,
    )


def encode_exchange(event: Exchanged, episode: OpenEpisode, stored: StoredOnce) -> Row:
    """An exchange's own columns."""
    turns = None
    if event.turns:
        numbers = [stored.text(text) or 0 for turn in event.turns for text in (turn.completion, turn.observation)]
        turns = encode_json([number - before for before, number in zip([0, *numbers], numbers, strict=False)]).decode()
    request, subject, reply = map(stored.text, (event.request, event.subject, event.reply))
    return request, subject, session_cell(event.session, episode.path), reply, turns


def decode_exchange(path: Path, columns: Row, episode: Path) -> Exchanged:
    """An exchange."""
    row = msgspec.convert(columns, ExchangeRow)
    numbers = [] if row.turns is None else msgspec.json.decode(row.turns, type=list[int])
    texts = msgspec.json.decode(row.texts, type=list[str])
    if len(numbers) % 2:
        raise msgspec.ValidationError(f"expected the turns of {path} in pairs, got {len(numbers)} texts")
    turns = zip(texts[::2], texts[1::2], strict=True)
    return Exchanged(
        path=path,
        request=text_of(row.request, row.request_text),
        subject=text_of(row.subject, row.subject_text),
        session=None if row.session is None else full_path(row.session, episode),
        reply=text_of(row.reply, row.reply_text),
        turns=tuple(Turn(completion=completion, observation=observation) for completion, observation in turns),
    )


def encode_version(event: Published, stored: StoredOnce) -> Row:
    """A version's own columns."""
    return as_integer(event.version), stored.text(event.content)


def decode_version(path: Path, columns: Row) -> Published:
    """A version."""
    row = msgspec.convert(columns, VersionRow)
    return Published(path=path, version=row.version, content=text_of(row.number, row.text))
