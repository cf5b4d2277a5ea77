"""The steps of an episode by session: a copy of a session has those of its origin before its own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from quintet.events import CutShort, Exchanged, Offer, Record, SessionForked, StepTaken
from quintet.journal.cells import decode_figures
from quintet.messages.paths import episode_of

EARNED: Final = """
SELECT session, origin, NULL AS reward, NULL AS figures, id FROM _sessions WHERE id BETWEEN ?1 AND ?2
UNION ALL SELECT session, NULL, reward, figures, id FROM _steps
WHERE id BETWEEN ?1 AND ?2 AND NOT (rejected AND figures IS NULL) ORDER BY id
"""
"""What `figures_of` reads of an episode, in order: a rejected step without figures left those that were reached."""


class EarnedRow(NamedTuple):
    """A step, or how its session began."""

    session: str
    origin: str | None
    reward: float | None
    """None: it is no step."""
    figures: str | None
    id: int


def figures_of(rows: Iterable[EarnedRow], session: str | None, reward: float) -> dict[str, float]:
    """The figures of the last step with a reward, in a session or in those that it is a copy of; None: in any session.

    Raises:
        msgspec.DecodeError: a cell cannot be read.
    """
    found: dict[str | None, str | None] = {}
    for row in rows:
        if row.origin is not None:
            found[row.session] = found.get(row.origin)
        elif row.reward == reward:
            found[row.session] = found[None] = row.figures
    return decode_figures(found.get(session))


def steps_by_session(records: Iterable[Record]) -> dict[str, list[StepTaken]]:
    """Every session's steps, from the start of its task on."""
    steps: dict[str, list[StepTaken]] = {}
    for record in records:
        match record.event:
            case StepTaken(session=session) as step:
                steps.setdefault(session, []).append(step)
            case SessionForked(session=copy, origin=origin):
                steps[copy] = list(steps.get(origin, ()))
            case _:
                pass
    return steps


def answer_steps(records: Sequence[Record]) -> list[StepTaken]:
    """The steps in the session that an episode ended in.

    That is the session of its answer. If it was cut short, it is the session that it offered. A faulted one, or one
    that offered nothing, ended in the session that was acted in last.
    """
    answered, offered, acted_in = "", "", ""
    for record in records:
        match record.event:
            case StepTaken(session=acted_in):
                pass
            case CutShort(offer=Offer(session=offered)):
                pass
            case Exchanged(session=str(session)) as answer if answer.path == episode_of(answer.path):
                answered = session
            case _:
                pass
    steps: Mapping[str, list[StepTaken]] = steps_by_session(records)
    return steps.get(offered or answered or acted_in, [])
