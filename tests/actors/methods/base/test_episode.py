import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from quintet.events import AnyEvent, NodeGrown, Offer, TrialEnded
from quintet.events.recording import Recording
from quintet.messages.environment import Session, Stepped, Task
from quintet.messages.execution import Execute, Executed, Stop, Turn
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.parts import Demonstrations, LastAction, TaskPlan
from quintet.messages.paths import child, episode_path
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.ports.model import SamplingOverride
from quintet.ports.roles import Roles
from quintet.roles.context import RequestContext, running

pytestmark = pytest.mark.real_time

HERE = Session(id="a", host="b")
COPY = Session(id="c", host="b")
PART = Demonstrations(text="Like this.")
HOT = SamplingOverride(temperature=1.0, top_p=1.0)


class Answered:
    """Roles that answer every request with one reply."""

    def __init__(self, reply: Message) -> None:
        self._reply = reply
        self.asked: list[Request[Any]] = []

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked.append(request)
        return cast("ReplyT", self._reply)


def episode(roles: Roles, depth: int = 1, **fields: Any) -> Episode:
    task = Task(name="supper", seed=7)
    return Episode(
        roles=roles,
        path=episode_path(task.name, 0, 0),
        task=task,
        session=HERE,
        setting="A kitchen.",
        goal="serve",
        depth=depth,
        parts=(PART,),
        **fields,
    )


def executed(reply: Executed, depth: int = 1) -> Solved | Unsolved:
    return asyncio.run(episode(Answered(reply), depth).execute(max_calls=9, patience=2))


def test_execute_asks_for_the_episode_s_goal_in_its_session_with_its_parts() -> None:
    roles = Answered(Executed(completed=True, claimed=True, stop="done", reward=1.0, done=True, calls=3))
    asyncio.run(episode(roles).execute(max_calls=9, patience=2))
    asyncio.run(episode(roles).execute(max_calls=1, patience=2, goal="taste", parts=(), claims=False))
    usual = Execute(session=HERE, setting="A kitchen.", goal="serve", parts=(PART,), max_calls=9, patience=2)
    other = Execute(session=HERE, setting="A kitchen.", goal="taste", max_calls=1, patience=2, claims=False)
    assert roles.asked == [usual, other]


def test_a_recursion_is_a_subtask_one_level_deeper_by_the_same_method() -> None:
    roles = Answered(Solved(session=HERE, reward=1.0, done=True))
    last = LastAction(action="stir", observation="It is hot.")
    asyncio.run(episode(roles, depth=2, by="adapt").recurse("taste", HERE, last))
    task = Task(name="supper", seed=7)
    assert roles.asked == [
        Solve(
            task=task,
            session=HERE,
            setting="A kitchen.",
            by="adapt",
            goal="taste",
            subgoal=True,
            depth=3,
            last_action="stir",
            last_observation="It is hot.",
        )
    ]


PLAN = TaskPlan(text="Serve.")


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({}, {"goal": "serve", "parts": (PLAN,)}),
        ({"goal": "serve"}, {"goal": "serve", "parts": (PLAN,)}),
        ({"goal": "taste"}, {"goal": "taste", "subgoal": True, "parts": (PLAN,)}),
        ({"parts": (), "session": COPY}, {"goal": "serve", "session": COPY}),
        ({"sampling": HOT}, {"goal": "serve", "sampling": HOT, "parts": (PLAN,)}),
    ],
)
def test_an_attempt_asks_the_inner_method_at_a_level_of_its_own(asked: dict[str, Any], sent: dict[str, Any]) -> None:
    roles = Answered(Solved(session=HERE, reward=1.0, done=True, depth=4))
    outer = episode(roles, depth=2, inner="react", inherited=(PLAN,))
    answer = asyncio.run(outer.attempt(**asked))
    usual: dict[str, Any] = {"session": HERE, "setting": "A kitchen."}
    assert roles.asked == [Solve(task=outer.task, by="react", **{**usual, **sent})]
    assert answer == Solved(session=HERE, reward=1.0, done=True, depth=2)


def test_what_is_attempted_for_a_part_of_a_task_is_a_part_of_it() -> None:
    roles = Answered(Solved(session=HERE, reward=0.0, done=False))
    asyncio.run(episode(roles, inner="react", subgoal=True).attempt())
    assert [asked.subgoal for asked in roles.asked if isinstance(asked, Solve)] == [True]


def test_a_method_without_an_inner_one_cannot_attempt() -> None:
    with pytest.raises(LookupError, match="expected a method with an inner one, got one without"):
        asyncio.run(episode(Answered(Solved(session=HERE, reward=0.0, done=False))).attempt())


def test_a_completed_run_is_solved() -> None:
    reply = Executed(completed=True, claimed=None, stop="done", reward=1.0, done=True, calls=3, last_action="serve")
    assert executed(reply, depth=2) == Solved(
        session=HERE, reward=1.0, done=True, claimed=None, depth=2, last_action="serve"
    )


@pytest.mark.parametrize(
    ("stop", "claimed", "reason"),
    [
        ("claimed", False, "given up as impossible"),
        ("done", False, "given up as impossible"),
        ("done", None, "the task ended with a reward of 0.50 of 1"),
        ("budget", None, "out of steps"),
        ("patience", None, "too many rejected actions in a row"),
    ],
)
def test_a_run_that_was_not_completed_says_why(stop: Stop, claimed: bool | None, reason: str) -> None:
    reply = Executed(completed=False, claimed=claimed, stop=stop, reward=0.5, done=False, calls=3)
    assert executed(reply) == Unsolved(session=HERE, reward=0.5, done=False, reason=reason, claimed=claimed, depth=1)


def stepped(reward: float, *, done: bool) -> Stepped:
    return Stepped(observation="", reward=reward, done=done, rejected=False)


def test_without_a_claim_only_a_done_world_with_the_full_reward_is_solved() -> None:
    solved = episode(Answered(stepped(1.0, done=True)), depth=2).conclude(
        stepped(1.0, done=True), reason="out of actions"
    )
    assert solved == Solved(session=HERE, reward=1.0, done=True, claimed=None, depth=2)


@pytest.mark.parametrize(
    ("last", "reward", "done", "reason"),
    [
        (None, 0.0, False, "out of actions"),
        (stepped(0.5, done=False), 0.5, False, "out of actions"),
        (stepped(1.0, done=False), 1.0, False, "out of actions"),
        (stepped(0.5, done=True), 0.5, True, "the task ended with a reward of 0.50 of 1"),
        (stepped(0.0, done=True), 0.0, True, "the task ended without success"),
    ],
)
def test_without_a_claim_everything_else_is_unsolved(
    last: Stepped | None, reward: float, done: bool, reason: str
) -> None:
    unsolved = episode(Answered(stepped(0.0, done=False))).conclude(last, reason="out of actions")
    assert unsolved == Unsolved(session=HERE, reward=reward, done=done, reason=reason)


def test_an_offer_replaces_the_one_before_and_has_neither_turns_nor_a_host() -> None:
    here = episode(Answered(Solved(session=HERE, reward=0.0, done=False)))
    here.offer(Unsolved(session=HERE, reward=0, done=False, reason="tired", claimed=False, depth=2))
    assert here.latest.offer == Offer(state="unsolved", session="a", reward=0.0, done=False, claimed=False, depth=2)
    turns = (Turn(completion="Action: serve", observation="Supper is served."),)
    here.offer(Solved(session=HERE, reward=1.0, done=True, claimed=None, turns=turns))
    assert here.latest.offer == Offer(state="solved", session="a", reward=1.0, done=True, claimed=None, depth=1)


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        ("done", TypeError, "offer: expected Solved or Unsolved, got 'done'"),
        (Solved(session=HERE, reward=float("nan"), done=True), ValueError, r"expected a reward in \[0, 1\], got nan"),
        (Solved(session=HERE, reward=float("inf"), done=True), ValueError, r"expected a reward in \[0, 1\], got inf"),
        (Solved(session=HERE, reward=-0.1, done=True), ValueError, r"expected a reward in \[0, 1\], got -0.1"),
        (Solved(session=HERE, reward=2, done=True), ValueError, r"expected a reward in \[0, 1\], got 2"),
        (Solved(session=HERE, reward=cast("Any", "1"), done=True), TypeError, r"offer: .*`str` - at `\$.reward`"),
        (Solved(session=HERE, reward=1, done=cast("Any", None)), TypeError, r"offer: .*`null` - at `\$.done`"),
        (
            Unsolved(session=None, reward=0, done=False, reason=""),
            ValueError,
            "that names its session, got one without",
        ),
    ],
)
def test_an_offer_that_no_episode_can_end_with_is_refused_and_the_one_before_stays(
    answer: Any, error: type[Exception], said: str
) -> None:
    here = episode(Answered(Solved(session=HERE, reward=0.0, done=False)))
    here.offer(Solved(session=HERE, reward=0.5, done=False))
    before = here.latest.offer
    with pytest.raises(error, match=said):
        here.offer(answer)
    assert here.latest.offer is before


async def test_a_branch_may_have_a_context_of_its_own_with_its_session_its_parts_and_its_tree() -> None:
    outer = episode(Answered(Stepped(observation="", reward=0, done=False, rejected=False)))
    noted: list[AnyEvent] = []

    async def commit(*_events: AnyEvent) -> None: ...

    async def grow(number: int) -> None:
        own = outer.within(Session(id=f"a/{number}", host="b"), ())
        own.journal_node(node=0, parent=None, action="", session=own.session)
        own.offer(Solved(session=own.session, reward=1.0, done=True))
        assert own.parts == ()

    with running(RequestContext(outer.path, 1, Recording(outer.path), commit, noted.append)):
        async with outer.branches() as group:
            for number in (1, 2):
                group.start(grow, number)
    grown = [(event.tree, event.session) for event in noted if isinstance(event, NodeGrown)]
    assert grown == [("supper/0/0/1/1", "a/1"), ("supper/0/0/1/2", "a/2")]
    assert outer.latest.offer is None


async def test_a_trial_is_journaled_under_the_methods_request_with_its_name() -> None:
    outer = replace(episode(Answered(Stepped(observation="", reward=0, done=False, rejected=False))), by="reflexion")
    noted: list[AnyEvent] = []

    async def commit(*_events: AnyEvent) -> None: ...

    with running(RequestContext(outer.path, 1, Recording(outer.path), commit, noted.append)):
        outer.journal_trial(number=2, actions=7, reward=0.5, steps=3, revised=True)
    assert noted == [
        TrialEnded(
            path=child(outer.path, 1),
            solve=outer.path,
            method="reflexion",
            number=2,
            actions=7,
            reward=0.5,
            steps=3,
            revised=True,
        )
    ]


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        ({"number": 0}, "trial 0 of supper/0/0: number: expected at least 1, got 0"),
        ({"actions": -1}, "trial 1 of supper/0/0: actions: expected at least 0, got -1"),
        ({"steps": -1}, "trial 1 of supper/0/0: steps: expected at least 0, got -1"),
        ({"reward": 1.5}, r"trial 1 of supper/0/0: reward: expected within \[0, 1\], got 1.5"),
        ({"reward": float("nan")}, "got nan"),
    ],
)
def test_a_trial_that_cannot_be_is_refused(trial: dict[str, Any], said: str) -> None:
    here = episode(Answered(Stepped(observation="", reward=0, done=False, rejected=False)))
    usual: dict[str, Any] = {"number": 1, "actions": 1, "reward": 0.0}
    with pytest.raises(ValueError, match=said):
        here.journal_trial(**{**usual, **trial})
