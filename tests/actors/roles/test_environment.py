"""The environment role: sessions by path, isolation, use after close, and snapshots."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.adapters.plain import as_world
from quintet.errors import ActorCrashed, SessionGone, WorldFault
from quintet.events import AnyEvent
from quintet.events.recording import Recording
from quintet.messages.environment import (
    ActionsListed,
    AskExpert,
    Close,
    CloseBranch,
    Closed,
    EnvironmentRequest,
    ExpertAdvised,
    Fork,
    Forked,
    ListActions,
    ListTools,
    Open,
    Opened,
    Session,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    Task,
    ToolsListed,
)
from quintet.messages.message import Message, ReplyT
from quintet.messages.paths import Path, child, episode_path
from quintet.plugins.catalogue import world
from quintet.ports.world import Outcome, WorldState
from quintet.roles.context import RequestContext, running
from quintet.roles.environment import Environment
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot
from tests.actors.fakes import TASK as SUPPER
from tests.actors.fakes import Kitchen, KitchenState
from tests.actors.quiz import TOWN, Quiz, QuizState
from tests.actors.shop import TEA, Shop
from tests.actors.stall import SERVE, TAKE, Stall
from tests.deploy.testing.broken_environments import Climb, Rigid, Stairs
from tests.simulation.virtual import run

TASK = Task(name="beehive", seed=1)
HERE = episode_path("beehive", 0, 0)

Ask = Callable[[EnvironmentRequest], Awaitable[Message]]


async def _no_decision(*events: AnyEvent) -> None:
    raise AssertionError("an environment decides nothing")


def _no_note(event: AnyEvent) -> None:
    raise AssertionError("an environment notes nothing")


class Asker:
    """Asks an environment, each request under the next path, as an incarnation of an episode."""

    def __init__(self, environment: Environment, episode: Path = HERE, incarnation: int = 1) -> None:
        self.environment = environment
        self.episode = episode
        self.incarnation = incarnation
        self.asked = 0

    def __call__(self, request: EnvironmentRequest) -> Message:
        self.asked += 1
        path = child(self.episode, self.asked)

        async def ask() -> Message:
            with running(RequestContext(path, self.incarnation, Recording(path), _no_decision, _no_note)):
                return await self.environment.receive(request)

        return run(ask())

    def expect(self, kind: type[ReplyT], request: EnvironmentRequest) -> ReplyT:
        reply = self(request)
        assert isinstance(reply, kind)
        return reply

    def open(self, task: Task = TASK) -> Session:
        return self.expect(Opened, Open(task=task)).session

    def stepped(self, session: Session, action: str) -> Stepped:
        return self.expect(Stepped, Step(session=session, action=action))

    def step(self, session: Session, action: str) -> str:
        return self.stepped(session, action).observation


def test_a_session_is_known_by_the_path_that_opened_it_and_names_its_host() -> None:
    ask = Asker(Environment(world("textcraft"), host="here"))
    assert ask.open() == Session(id="beehive/0/0/1", host="here")


def test_a_fork_and_its_original_do_not_see_each_other() -> None:
    ask = Asker(Environment(world("textcraft"), host="here"))
    original = ask.open()
    ask.step(original, "get 2 honeycomb")
    forked = ask.expect(Forked, Fork(session=original))
    ask.step(forked.session, "get 1 honeycomb")
    assert ask.step(original, "inventory") == "Inventory: [honeycomb] (2) "
    assert ask.step(forked.session, "inventory") == "Inventory: [honeycomb] (3) "


STAIRS = Task(name="low stairs", seed=0)


def on_stairs(climb: type[Climb] = Climb) -> tuple[Asker, Session]:
    ask = Asker(Environment(type("Stairs", (Stairs,), {"climb": climb})(), host="here"))
    return ask, ask.open(STAIRS)


def test_a_world_lists_what_can_be_done_now_and_its_expert_says_how_to_go_on() -> None:
    ask, session = on_stairs()
    assert ask(ListActions(session=session)) == ActionsListed(actions=("up",))
    assert ask(AskExpert(session=session)) == ExpertAdvised(actions=("up", "up"))
    ask.step(session, "up")
    assert ask(AskExpert(session=session)) == ExpertAdvised(actions=("up",))
    ask.step(session, "up")
    assert ask(ListActions(session=session)) == ActionsListed(actions=())
    assert ask(AskExpert(session=session)) == ExpertAdvised(actions=())


def test_a_session_says_which_tools_it_offers_now_also_a_copy_and_one_that_went_back() -> None:
    ask = Asker(Environment(Stall(), host="here"))
    opened = ask.expect(Opened, Open(task=SUPPER))
    assert ask(ListTools(session=opened.session)) == ToolsListed(tools=(TAKE,))
    start = ask.expect(Snapshotted, Snapshot(session=opened.session)).snapshot
    ask.step(opened.session, "take salt")
    later = ask.expect(Snapshotted, Snapshot(session=opened.session)).snapshot
    copy = ask.expect(Forked, Fork(session=opened.session)).session
    for session in (opened.session, copy):
        assert ask(ListTools(session=session)) == ToolsListed(tools=(TAKE, SERVE))
    back, on = (ask.expect(Opened, Open(task=SUPPER, snapshot=snapshot)) for snapshot in (start, later))
    assert ask(ListTools(session=back.session)) == ToolsListed(tools=(TAKE,))
    assert ask(ListTools(session=on.session)) == ToolsListed(tools=(TAKE, SERVE))


def test_a_world_whose_opening_offers_no_tools_offers_none_whatever_its_state_has_of_that_name() -> None:
    class Auction(Climb):
        offered: Any = "a vase"

    ask, session = on_stairs(Auction)
    assert ask(ListTools(session=session)) == ToolsListed(tools=())


@pytest.mark.parametrize(
    ("boasted", "said"),
    [({"figures": {"exact": 2.0}}, "exact: .* got 2.0"), ({"reward": 7.0, "figures": {"reward": 1.0}}, "reward: .* 7")],
)
def test_rewards_and_figures_outside_their_range_are_a_bug_of_the_world(boasted: dict[str, Any], said: str) -> None:
    class Boasting(QuizState):
        def step(self, action: str) -> Outcome:
            return msgspec.structs.replace(super().step(action), **boasted)

    class Boasts(Quiz):
        def open(self, task: Task) -> QuizState:
            return Boasting()

    ask = Asker(Environment(Boasts(), host="here"))
    session = ask.open(TOWN)
    with pytest.raises(ActorCrashed, match=f"quiz: {said}"):
        ask.step(session, "look")


class Unlisted(Kitchen):
    def open(self, task: Task) -> KitchenState:
        return UnlistedState()


class UnlistedState(KitchenState):
    def admissible(self) -> tuple[str, ...] | None:
        return WorldState.admissible(self)


def test_a_world_may_list_nothing_and_know_no_expert() -> None:
    ask = Asker(Environment(Unlisted(), host="here"))
    session = ask.open()
    assert ask(ListActions(session=session)) == ActionsListed(actions=None)
    assert ask(AskExpert(session=session)) == ExpertAdvised(actions=None)


class Muddled(Climb):
    def admissible(self) -> Any:
        return ["up"]

    def expert(self) -> Any:
        return ("up", 1)


def test_actions_of_another_type_are_a_bug_of_the_world() -> None:
    ask, session = on_stairs(Muddled)
    with pytest.raises(ActorCrashed, match=r"stairs: admissible: expected a tuple of texts or None, got \['up'\]"):
        ask(ListActions(session=session))
    with pytest.raises(ActorCrashed, match=r"stairs: expert: expected a tuple of texts or None, got \('up', 1\)"):
        ask(AskExpert(session=session))


@pytest.mark.parametrize("request_type", [Fork, Snapshot])
def test_a_world_that_cannot_copy_a_state_is_not_asked_to(request_type: type[Fork | Snapshot]) -> None:
    ask = Asker(Environment(Rigid(), host="here"))
    session = ask.open(STAIRS)
    with pytest.raises(WorldFault, match=r"stairs: expected a world that copies its states.*, got one that can"):
        ask(request_type(session=session))


def test_a_closed_session_is_gone_and_closing_again_is_no_error() -> None:
    ask = Asker(Environment(world("textcraft"), host="here"))
    session = ask.open()
    ask(Close(session=session))
    ask(Close(session=session))
    for request in (
        Step(session=session, action="inventory"),
        ListActions(session=session),
        AskExpert(session=session),
    ):
        with pytest.raises(SessionGone, match="session beehive/0/0/1: expected an open session on here"):
            ask(request)


def test_release_closes_the_sessions_of_ended_incarnations_only() -> None:
    environment = Environment(world("textcraft"), host="here")
    old, new = Asker(environment, incarnation=1), Asker(environment, incarnation=2)
    other = Asker(environment, episode=episode_path("beehive", 0, 10))
    old.open()
    session, spared = new.open(), other.open()
    environment.release(episode_path("beehive", 0, 1), 9)  # whose number the other's begins with
    environment.release(HERE, 1)
    assert environment.sessions == 2
    assert new.step(session, "inventory") == "Inventory: You are not carrying anything."
    assert other.step(spared, "inventory") == "Inventory: You are not carrying anything."
    environment.release(HERE, 2)
    assert environment.sessions == 1


def test_a_branch_is_closed_with_all_that_was_made_in_it_and_nothing_else() -> None:
    environment = Environment(world("textcraft"), host="here")
    parent, branch = Asker(environment), Asker(environment, episode=child(HERE, 3))
    other, next_run = Asker(environment, episode=child(HERE, 33)), Asker(environment, child(HERE, 3), incarnation=2)
    session = parent.open()
    for asker in (branch, branch, other, next_run):
        asker(Fork(session=session)) if asker.incarnation == 1 else asker.open()
    assert environment.sessions == 5
    assert parent(CloseBranch(session=session, branch=child(HERE, 3))) == Closed()
    assert environment.sessions == 3
    assert parent.step(session, "inventory") == "Inventory: You are not carrying anything."


def test_a_session_opened_on_a_snapshot_shows_what_was_seen_last_and_begins_as_its_task_did() -> None:
    ask = Asker(Environment(world("textcraft"), host="here"))
    opened = ask.expect(Opened, Open(task=TASK))
    assert not ask.stepped(opened.session, "get 1 diamond").lasting
    assert "Could not find" in ask.step(opened.session, "get 1 nothing")
    taken = ask.expect(Snapshotted, Snapshot(session=opened.session))
    again = ask.expect(Opened, Open(task=TASK, snapshot=taken.snapshot))
    assert again.exact
    assert again.observation == "Got 1 diamond"
    assert (again.setting, again.goal) == (opened.setting, opened.goal)
    assert again.session != opened.session


def test_going_back_says_that_other_words_are_seen_and_a_step_that_it_does_not_undo() -> None:
    ask = Asker(Environment(as_world(Shop()), host="here"))
    opened = ask.expect(Opened, Open(task=TEA))
    assert opened.exact
    taken = ask.expect(Snapshotted, Snapshot(session=opened.session))
    assert not ask.stepped(opened.session, "click 12").lasting
    assert ask.stepped(opened.session, "order").lasting
    back = ask.expect(Opened, Open(task=TEA, snapshot=taken.snapshot, origin=opened.session.id))
    assert not back.exact
    assert back.observation == "Shelf: [21] milk, [22] salt, [23] tea. Basket: nothing. Bought: salt."


HALL = Task(name="hall", seed=1)
SNAPSHOTS = st.builds(
    SessionSnapshot,
    task=st.just(HALL),
    version=st.just("1"),
    seen=st.text(st.characters(codec=None)),
    state=st.binary(),
)


@given(SNAPSHOTS)
def test_a_snapshot_is_read_back(snapshot: SessionSnapshot) -> None:
    assert decode_snapshot(encode_snapshot(snapshot), HALL, "1") == snapshot


@given(SNAPSHOTS, st.data())
def test_a_damaged_or_cut_snapshot_is_a_fault(snapshot: SessionSnapshot, data: st.DataObject) -> None:
    damaged = bytearray(encode_snapshot(snapshot))
    place = data.draw(st.integers(0, len(damaged) - 1))
    cut = bytes(damaged[:place])
    damaged[place] ^= data.draw(st.integers(1, 255))
    for other in (bytes(damaged), cut):
        with pytest.raises(WorldFault, match="expected what a session wrote, got"):
            decode_snapshot(other, HALL, "1")


@given(st.binary())
def test_other_bytes_are_a_fault(data: bytes) -> None:
    with pytest.raises(WorldFault, match=re.escape(f"got {len(data)} bytes of something else")):
        decode_snapshot(data, HALL, "1")


@given(SNAPSHOTS)
def test_one_of_another_task_seed_or_version_is_a_fault(snapshot: SessionSnapshot) -> None:
    whole = encode_snapshot(snapshot)
    with pytest.raises(WorldFault, match="expected one of version 2, got one of 1"):
        decode_snapshot(whole, HALL, "2")
    for other in (Task(name="hall", seed=2), Task(name="door", seed=1)):
        with pytest.raises(WorldFault, match=re.escape(f"expected one of task {other}, got one of {HALL}")):
            decode_snapshot(whole, other, "1")
