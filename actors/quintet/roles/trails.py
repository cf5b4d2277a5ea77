"""Trails: what was done in each session since its task began, for models that take typed questions.

A question knows its own turns. Where they begin, and where a question without turns is asked, goes with the request:
the trail of the session that it names; else, if it has turns, that of the session in which the method began; else that
of the session that the asker touched last.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from quintet.messages.curation import ReviewAttempt
from quintet.messages.environment import Fork, Forked, Open, Opened, Session, Snapshot, Snapshotted, Step, Task, Trail
from quintet.messages.execution import Decide, Execute, Executed
from quintet.messages.learning import Experience
from quintet.messages.memory import Summarize
from quintet.messages.message import Message, Request
from quintet.messages.noting import WriteNotes
from quintet.messages.reflection import Choose, JudgeAttempt, LookBack, Reflect, Value
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.roles.context import RequestContext
from quintet.roles.recollection import situation_of
from quintet.roles.turn_text import actions_of


def trail_before(request: Request[Any], context: RequestContext, tasks: Callable[[str], Task]) -> Trail | None:
    """What was done before a request or its turns; None: unknown. `tasks` makes a task of the run from its name."""
    if isinstance(request, Reflect | JudgeAttempt | ReviewAttempt):
        return _from_start(request.experience, tasks)
    if isinstance(request, WriteNotes):
        return _from_start(request.attempts[0], tasks)
    session: object = getattr(request, "session", None)
    if isinstance(session, Session):
        return _of(session, context)
    start, last = context.start, context.last
    if not _has_turns(request):
        return last
    # Turns of another task begin where that one began.
    return Trail(task=last.task) if start and last and last.task != start.task else start


def note_trail(request: Request[Any], reply: Message, context: RequestContext) -> None:
    """Note what a request did to the sessions that the context knows."""
    match request, reply:
        case Open(), Opened():
            snapshot = request.snapshot
            begun = Trail(task=request.task) if snapshot is None else context.trails.get(_key(request.origin, snapshot))
            context.start = context.start or begun
            _touch(context, reply.session, begun)
        case Step(), _:
            _go_on(context, request.session, request.session, request.action)
        case Execute(), Executed():
            _go_on(context, request.session, request.session, *actions_of(reply.turns))
        case Solve(session=Session() as session), Solved(session=Session() as now) | Unsolved(session=Session() as now):
            _go_on(context, session, now, *actions_of(reply.turns))
        case Fork(), Forked():
            _go_on(context, request.session, reply.session)
        case Snapshot(), Snapshotted():
            if (trail := _of(request.session, context)) is not None:
                context.trails[_key(request.session.id, reply.snapshot)] = trail
        case Summarize(), _ if context.start is not None:
            context.last = context.start.then(*(step.action for step in request.steps))
        case _:
            pass


def _from_start(attempt: Experience, tasks: Callable[[str], Task]) -> Trail | None:
    """None: its task is unknown, as of a given trajectory."""
    return Trail(task=tasks(attempt.task)) if attempt.task else None


def _has_turns(request: Request[Any]) -> bool:
    match request:
        case Decide():
            return situation_of(request.parts) is None
        case Value() | Choose() | LookBack() | Summarize():
            return True
        case _:
            return False


def _of(session: Session, context: RequestContext) -> Trail | None:
    return context.trails.get(session.id, context.start)


def _go_on(context: RequestContext, before: Session, now: Session, *actions: str) -> None:
    trail = _of(before, context)
    _touch(context, now, None if trail is None else trail.then(*actions))


def _touch(context: RequestContext, session: Session, trail: Trail | None) -> None:
    context.last = trail
    if trail is not None:
        context.trails[session.id] = trail


def _key(origin: str, snapshot: bytes) -> str:
    """Of a snapshot: two ways to one state give equal bytes, in sessions of their own."""
    return f"{origin} {blake2b(snapshot, digest_size=16).hexdigest()}"
