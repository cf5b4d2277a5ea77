"""Rows of sessions and of the steps in them, in both directions."""

from typing import Final, NamedTuple

import msgspec

from quintet.events import SessionForked, SessionOpened, StepTaken
from quintet.journal.call_encoder import StoredOnce, as_real, full_path, session_cell
from quintet.journal.cells import Flag, Number, Row, decode_figures, encode_figures, event_query, text_columns, text_of
from quintet.journal.open_episode import OpenEpisode
from quintet.messages.paths import Path, parent

SELECT_SESSIONS: Final = event_query("_sessions", f"event.session, event.origin, {text_columns('observation')}")
SELECT_STEPS: Final = event_query(
    "_steps",
    f"""event.session, {text_columns("action")}, event.action_from, event.action_length,
    {text_columns("thought")}, event.thought_from, event.thought_length, {text_columns("observation")}, event.reward,
    event.done, event.rejected, event.lasting, event.figures""",
)


class SessionRow(NamedTuple):
    """A row of `_sessions`."""

    session: str
    origin: str | None
    observation: Number | None
    text: str | None


class StepRow(NamedTuple):
    """A row of `_steps`."""

    session: str
    action: Number | None
    action_text: str | None
    action_from: Number | None
    action_length: Number | None
    thought: Number | None
    thought_text: str | None
    thought_from: Number | None
    thought_length: Number | None
    observation: Number | None
    observation_text: str | None
    reward: float
    done: Flag
    rejected: Flag
    lasting: Flag
    figures: str | None
    """JSON; None: there are none."""


def encode_session(event: SessionOpened | SessionForked, episode: OpenEpisode, stored: StoredOnce) -> Row:
    """The own columns of a session that is opened or copied."""
    session = session_cell(event.session, episode.path)
    if isinstance(event, SessionForked):
        return session, session_cell(event.origin, episode.path), None
    return session, None, stored.text(event.observation)


def decode_session(path: Path, columns: Row, episode: Path) -> SessionOpened | SessionForked:
    """How a session came to be."""
    row = msgspec.convert(columns, SessionRow)
    session = full_path(row.session, episode)
    if row.origin is not None:
        return SessionForked(path=path, session=session, origin=full_path(row.origin, episode))
    return SessionOpened(path=path, session=session, observation=text_of(row.observation, row.text))


def encode_step(event: StepTaken, episode: OpenEpisode, stored: StoredOnce) -> Row:
    """A step's own columns."""
    completion = episode.completions.get(parent(event.path))
    return (
        session_cell(event.session, episode.path),
        *_encode_part(event.action, completion, stored),
        *_encode_part(event.thought, completion, stored),
        stored.text(event.observation),
        as_real(event.reward),
        int(event.done),
        int(event.rejected),
        int(event.lasting),
        encode_figures(event.figures),
    )


def _encode_part(text: str, completion: tuple[str, int] | None, stored: StoredOnce) -> Row:
    """A text as a part of the completion that it was read from, if it is one."""
    if not text:
        return None, None, None
    whole, number = completion or ("", 0)
    place = whole.find(text)
    if place >= 0:
        return (number, None, None) if len(text) == len(whole) else (number, place + 1, len(text))
    return stored.text(text), None, None


def decode_step(path: Path, columns: Row, episode: Path) -> StepTaken:
    """A step."""
    row = msgspec.convert(columns, StepRow)
    return StepTaken(
        path=path,
        session=full_path(row.session, episode),
        action=_decode_part(text_of(row.action, row.action_text), row.action_from, row.action_length),
        thought=_decode_part(text_of(row.thought, row.thought_text), row.thought_from, row.thought_length),
        observation=text_of(row.observation, row.observation_text),
        reward=row.reward,
        done=bool(row.done),
        rejected=bool(row.rejected),
        lasting=bool(row.lasting),
        figures=decode_figures(row.figures),
    )


def _decode_part(text: str, start: int | None, length: int | None) -> str:
    return text if start is None or length is None else text[start - 1 : start - 1 + length]
