"""The steps of an episode by session: a copy of a session has those of its origin before its own."""

from collections.abc import Iterable, Mapping, Sequence

from quintet.events import CutShort, Exchanged, Offer, Record, SessionForked, StepTaken
from quintet.messages.paths import episode_of


def steps_by_session(records: Iterable[Record]) -> dict[str, list[StepTaken]]:
    """Every session's steps, from the start of its task on.

    Args:
        records: of one attempt, in order.
    """
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

    Args:
        records: of one attempt, in order.
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
