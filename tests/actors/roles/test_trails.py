"""Trails: where the turns of a request begin, and what a context knows of its sessions."""

from typing import Any

from quintet.events import AnyEvent
from quintet.events.recording import Recording
from quintet.messages.environment import (
    Fork,
    Forked,
    Open,
    Opened,
    Session,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    Task,
    Trail,
)
from quintet.messages.execution import Decide, Execute, Executed
from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request
from quintet.messages.parts import Situation
from quintet.messages.paths import Path
from quintet.messages.planning import MakePlan
from quintet.messages.reflection import Reflect, Value
from quintet.messages.solving import Solve, Solved
from quintet.roles.context import RequestContext
from quintet.roles.trails import note_trail, trail_before
from quintet.roles.turn_text import turn_of

TASK = Task(name="beehive", seed=7)
FIRST, SECOND = Session(id="1", host="a"), Session(id="2", host="b")
ACTED = Stepped(observation="Done.", reward=0.0, done=False, rejected=False)


async def commit(*events: AnyEvent) -> None: ...


def context_at(path: str) -> RequestContext:
    return RequestContext(Path(path), 1, Recording(Path(path)), commit, lambda _: None)


def begun() -> RequestContext:
    context = context_at("beehive/0/0")
    opened = Opened(session=FIRST, observation="", setting="", goal="")
    note_trail(Open(task=TASK), opened, context)
    return context


def before(request: Request[Any], context: RequestContext) -> tuple[str, ...] | None:
    trail = trail_before(request, context, lambda name: Task(name=name, seed=1))
    return None if trail is None else trail.actions


def step(context: RequestContext, session: Session, action: str) -> None:
    note_trail(Step(session=session, action=action), ACTED, context)


def executed(*actions: str) -> Message:
    turns = tuple(turn_of(action, "Done.") for action in actions)
    return Executed(completed=True, claimed=True, stop="claimed", reward=0.0, done=False, calls=1, turns=turns)


def execute(session: Session) -> Execute:
    return Execute(session=session, setting="", goal="", max_calls=9, patience=9)


def test_a_request_about_a_session_begins_where_the_session_is() -> None:
    context = begun()
    step(context, FIRST, "get log")
    note_trail(execute(FIRST), executed("craft planks"), context)
    assert before(execute(FIRST), context) == ("get log", "craft planks")
    inner = Solve(task=TASK, session=FIRST)
    note_trail(inner, Solved(session=SECOND, reward=0.0, done=False, turns=(turn_of("get string", ""),)), context)
    assert before(execute(SECOND), context) == ("get log", "craft planks", "get string")
    assert before(execute(FIRST), context) == ("get log", "craft planks"), "the first was left as it was"


def test_turns_begin_where_the_method_did_and_other_questions_stand_where_it_acted_last() -> None:
    context = begun()
    step(context, FIRST, "get log")
    assert before(Value(setting="", goal="", turns=()), context) == ()
    assert before(Decide(setting="", goal=""), context) == ()
    assert before(Decide(setting="", goal="", parts=(Situation(observation=""),)), context) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ("get log",)


def test_a_snapshot_keeps_what_was_done_before_it() -> None:
    context = begun()
    step(context, FIRST, "get log")
    note_trail(Snapshot(session=FIRST), Snapshotted(snapshot=b"there"), context)
    step(context, FIRST, "burn log")
    opened = Opened(session=SECOND, observation="", setting="", goal="")
    note_trail(Open(task=TASK, snapshot=b"there", origin="1"), opened, context)
    assert before(execute(SECOND), context) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ("get log",)


def test_branches_know_the_sessions_of_others_and_act_where_they_act() -> None:
    context = begun()
    branch = context.below(context.next(), 1)
    note_trail(Fork(session=FIRST), Forked(session=SECOND), branch)
    step(branch, SECOND, "get log")
    assert before(MakePlan(setting="", goal=""), branch) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ()
    assert before(execute(SECOND), context) == ("get log",)


def test_a_reflection_begins_at_the_start_of_its_job() -> None:
    job = Reflect(experience=Experience(task="rail", opening="", turns=()), plan="", succeeded=False)
    found = trail_before(job, context_at("~learn/0/0"), lambda name: Task(name=name, seed=1))
    assert found == Trail(task=Task(name="rail", seed=1))
