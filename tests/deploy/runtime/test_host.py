"""The host: asks, faults, cancellation, late and lost messages."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from quintet.errors import (
    ActorCrashed,
    DeadlineExceeded,
    Fault,
    FaultNote,
    HostLost,
    ModelFault,
    SessionGone,
    StaleIncarnation,
    Undecodable,
    UsageError,
)
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Closed, Open, Opened, Session, Task
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.planning import MakePlan, PlanMade, PlanStep
from quintet.messages.wire import encode
from quintet.ports.transport import Address, Ask, Cancel, HostName
from quintet.roles.branches import branches
from quintet.roles.context import current, decide
from quintet.runtime.host import Host
from quintet.runtime.roles import HostRoles, Placement
from tests.simulation.network import DELIVERY_DEADLINE, Network
from tests.simulation.virtual import VirtualLoop

ASKER, ANSWERER = HostName("asker"), HostName("answerer")
EPISODE = episode_path("task", 0, 0)
PLAN = MakePlan(setting="", goal="tea")
CLOSE = Close(session=Session(id="x", host="y"))
MADE = PlanMade(steps=(PlanStep(number=1, text="boil water"),))


class Planner:
    """Answers, or does what the test scripts."""

    def __init__(self, act: Any = None) -> None:
        self.act = act
        self.ended = 0
        self.released: list[tuple[Path, int]] = []

    async def receive(self, request: MakePlan) -> PlanMade | Unanswered:
        try:
            if self.act is not None:
                await self.act()
            return MADE
        finally:
            self.ended += 1

    def release(self, episode: Path, incarnation: int) -> None:
        self.released.append((episode, incarnation))


class Pair:
    """Two hosts: one asks, the other has a planner."""

    def __init__(self, planner: Planner, *, loss: float = 0.0) -> None:
        self.network = Network(Random(1), loss=loss)
        self.journal = SqliteJournal(":memory:")
        self.journal.begin(EPISODE)
        self.asker = Host(ASKER, self.network.transport(ASKER), self.journal)
        self.answerer = Host(ANSWERER, self.network.transport(ANSWERER), self.journal)
        self.answerer.spawn("planner", planner)

    async def ask(self, request: Request[Any] = PLAN, *, role: str = "planner", **changed: Any) -> Message:
        options: dict[str, Any] = {"path": child(EPISODE, 1), "incarnation": 1} | changed
        return await self.asker.ask(Address(host=ANSWERER, role=role), request, **options)


async def test_an_ask_is_answered_with_its_reply() -> None:
    pair = Pair(Planner())
    assert await pair.ask() == MADE
    await asyncio.sleep(1)
    assert pair.asker.idle


class RateLimited(ModelFault):
    """A plug-in's subclass of one of our faults."""


class Secretive(Exception):
    """A fault whose text cannot be read."""

    def __str__(self) -> str:
        raise ValueError("no words")


class Numbered(Fault):
    """A plug-in's fault with a constructor of its own."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.detail = {"code": code}  # type: ignore[assignment]


async def test_a_request_that_cannot_be_encoded_is_its_askers_error_and_leaves_nothing_open() -> None:
    pair = Pair(Planner())
    with pytest.raises(UnicodeEncodeError):
        await pair.ask(MakePlan(setting="", goal="\ud800"))
    await asyncio.sleep(1)
    assert pair.asker.idle


async def test_a_lost_message_of_an_old_incarnation_does_not_affect_the_next() -> None:
    pair = Pair(Planner(lambda: asyncio.sleep(10)))
    pair.journal.begin(EPISODE)
    asking = asyncio.create_task(pair.ask(incarnation=2))
    await asyncio.sleep(1)
    pair.asker.take_up_again(child(EPISODE, 1), 1)
    assert await asking == MADE


async def test_a_lost_cancellation_is_reported_and_the_work_ends_with_its_incarnation() -> None:
    network = Network(Random(3))
    driver_name = HostName("driver")
    driver = Host(driver_name, network.transport(driver_name), SqliteJournal(":memory:"))
    worker = Host(ANSWERER, network.transport(ANSWERER), SqliteJournal(":memory:"))
    worker.spawn("planner", Planner(lambda: asyncio.sleep(3600)))
    to = Address(host=ANSWERER, role="planner")
    whole = asyncio.create_task(driver.ask(to, PLAN, path=EPISODE, incarnation=1))
    part = asyncio.create_task(driver.ask(to, PLAN, path=child(EPISODE, 1), incarnation=1))
    await asyncio.sleep(1)
    network.loss = 1.0
    part.cancel()
    with pytest.raises(HostLost, match="a message was lost"):
        await whole


async def test_an_incarnation_whose_exchange_the_journal_refused_asks_nothing_more() -> None:
    planner = Planner()
    pair = Pair(planner)
    pair.journal.begin(EPISODE)
    assert await pair.ask() == MADE  # the exchange is written without waiting
    await asyncio.sleep(1)
    with pytest.raises(StaleIncarnation, match="task/0/0/2: the journal refused incarnation 1"):
        await pair.ask(path=child(EPISODE, 2))
    assert planner.ended == 1
    assert await pair.ask(path=child(EPISODE, 2), incarnation=2) == MADE


async def test_a_lost_batch_makes_its_asks_host_lost_at_the_delivery_deadline() -> None:
    pair = Pair(Planner(), loss=0.999999)
    started = asyncio.get_running_loop().time()
    with pytest.raises(HostLost):
        await pair.ask()
    assert asyncio.get_running_loop().time() - started == DELIVERY_DEADLINE


async def test_a_dead_host_fails_the_asks_it_owes_and_every_later_one() -> None:
    pair = Pair(Planner(lambda: asyncio.sleep(3600)))
    asyncio.get_running_loop().call_later(5, pair.network.kill, ANSWERER)
    with pytest.raises(HostLost, match="host answerer died"):
        await pair.ask()
    with pytest.raises(HostLost, match="host answerer is gone"):
        await pair.ask()


async def test_two_asks_in_flight_under_one_path_raise_at_once() -> None:
    class Asker:
        def __init__(self, roles: HostRoles) -> None:
            self.roles = roles

        async def receive(self, request: Open) -> Opened:
            await asyncio.gather(self.roles.ask(PLAN), self.roles.ask(PLAN))
            raise AssertionError("unreachable")

    pair = Pair(Planner())
    placement = Placement({"planner": [ANSWERER]})
    pair.answerer.spawn("environment", Asker(HostRoles(pair.answerer, placement, step_deadline=None)))
    with pytest.raises(ActorCrashed, match="two things in flight under one path"):
        await pair.ask(Open(task=Task(name="task", seed=0)), role="environment")


async def test_branches_may_ask_at_once_and_each_has_a_path_of_its_own() -> None:
    paths: list[Path] = []

    async def remember() -> None:
        paths.append(current().path)

    class Asker:
        def __init__(self, roles: HostRoles) -> None:
            self.roles = roles

        async def receive(self, request: Close) -> Closed:
            async with branches() as group:
                for _ in range(3):
                    group.start(self.roles.ask, PLAN)
            await self.roles.ask(PLAN)
            return Closed()

    pair = Pair(Planner(remember))
    pair.answerer.spawn("environment", Asker(HostRoles(pair.answerer, Placement({}), step_deadline=None)))
    await pair.ask(CLOSE, role="environment")
    assert paths == ["task/0/0/1/1/1/1", "task/0/0/1/1/2/1", "task/0/0/1/1/3/1", "task/0/0/1/2"]


async def test_a_lost_reply_is_reported_to_the_driver() -> None:
    network = Network(Random(3), loss=0.0)
    driver = Host(HostName("driver"), network.transport(HostName("driver")), SqliteJournal(":memory:"))
    worker = Host(ANSWERER, network.transport(ANSWERER), SqliteJournal(":memory:"))

    async def lose_everything_from_now_on() -> None:
        network.loss = 1.0
        asyncio.get_running_loop().call_later(10, setattr, network, "loss", 0.0)

    worker.spawn("planner", Planner(lose_everything_from_now_on))
    with pytest.raises(HostLost, match="a message was lost"):
        await driver.ask(Address(host=ANSWERER, role="planner"), PLAN, path=EPISODE, incarnation=1)


def test_every_fault_keeps_its_kind_across_the_wire() -> None:
    kinds: list[type[Fault]] = [Fault, *Fault.__subclasses__(), StaleIncarnation, SessionGone]
    for kind in kinds:
        if kind.__module__ != Fault.__module__:
            continue
        assert type(FaultNote.of(kind("text")).fault()) is kind
    assert type(FaultNote(kind="FromTheFuture", text="?").fault()) is Fault


async def test_what_a_cancelled_request_asks_after_its_incarnation_is_over_is_refused_where_it_is_asked() -> None:
    """The other host may have ended the incarnation too, and then answers nothing of it."""
    pair = Pair(Planner(partial(asyncio.sleep, 3600)))
    ended: list[str] = []

    async def ask_while_leaving() -> None:
        try:
            await pair.ask()
        except StaleIncarnation:
            with pytest.raises(StaleIncarnation, match="task/0/0/2: incarnation 1 is over"):
                await pair.ask(path=child(EPISODE, 2))
            ended.append("refused")

    asking = asyncio.create_task(ask_while_leaving())
    await asyncio.sleep(1)
    for host in (pair.answerer, pair.asker):
        host.end_episode(EPISODE, 1)
    await asking
    await asyncio.sleep(10)
    assert ended == ["refused"]
    assert pair.asker.idle


@pytest.mark.parametrize(
    ("request_", "role", "said"),
    [
        (CLOSE, "planner", "expected MakePlan, got 'close'"),
        (PLAN, "cook", "expected a role of host answerer, got 'cook'"),
    ],
)
async def test_what_a_host_does_not_answer_is_a_fault_that_names_what_was_expected(
    request_: Request[Any], role: str, said: str
) -> None:
    with pytest.raises(Undecodable, match=said):
        await Pair(Planner()).ask(request_, role=role)


class Hurried:
    def receive(self, request: MakePlan) -> PlanMade:
        raise NotImplementedError


async def test_an_actor_that_cannot_be_asked_is_refused_when_it_is_started() -> None:
    said = (
        rf"{re.escape(__file__)}, line \d+: Hurried.receive: expected `async def receive\(self, request\)`, got `def "
    )
    with pytest.raises(UsageError, match=said):
        Pair(Hurried())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ModelFault("expected 200, got 500"), ModelFault, "^expected 200, got 500"),
        (RateLimited("slow down"), ModelFault, "RateLimited: slow down"),
        (Numbered(7, "plug-in"), Fault, "Numbered: 7: plug-in"),
        (ZeroDivisionError("plug-in"), ActorCrashed, r"test_host\.py, line \d+, in fail: ZeroDivisionError: plug-in"),
        (Secretive(), ActorCrashed, "Secretive without a readable message"),
        (ValueError("file \udc80 bad"), ActorCrashed, r"file \\udc80 bad"),
        (ValueError("one\ntwo " + "x" * 100_000), ActorCrashed, "one two x"),
        (GeneratorExit(), ActorCrashed, "GeneratorExit"),
        (SystemExit(3), ActorCrashed, "SystemExit: 3"),
        (StopIteration("stop"), ActorCrashed, "StopIteration"),
        (asyncio.CancelledError(), ActorCrashed, "cancelled itself"),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_whatever_an_actor_raises_reaches_its_asker_as_a_short_fault(
    error: BaseException, kind: type[Fault], said: str
) -> None:
    async def fail() -> None:
        raise error

    with pytest.raises(Fault, match=said) as caught:
        await Pair(Planner(fail)).ask()
    assert type(caught.value) is kind
    assert len(str(caught.value)) < 3000
    if isinstance(error, ZeroDivisionError):
        assert "in fail" in caught.value.detail, "a bug has its traceback"


@pytest.mark.parametrize("blocks", [False, True])
async def test_an_answer_after_the_deadline_is_a_fault_also_where_it_could_not_be_interrupted(blocks: bool) -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        if blocks:
            loop.pass_time(9.0)
        else:
            await asyncio.sleep(60)

    with pytest.raises(DeadlineExceeded, match=r"planner: no answer within 5\.0 s"):
        await Pair(Planner(work)).ask(seconds=5.0)


def envelope(body: object = PLAN) -> bytes:
    path = child(EPISODE, 1)
    return encode(Ask(id=7, sender=ASKER, role="planner", path=path, incarnation=1, body=msgspec.Raw(encode(body))))


async def test_bytes_that_are_no_request_are_answered_with_a_fault() -> None:
    pair = Pair(Planner())
    answered = asyncio.get_running_loop().create_future()
    pair.asker.receive = lambda batch: None  # type: ignore[method-assign]
    pair.network.bind(ASKER, answered.set_result, lambda name: None)
    pair.answerer.receive([envelope({"type": "make_plan", "goal": 3})])
    (reply,) = await answered
    assert b"Undecodable" in reply
    assert b"$.goal" in reply


async def test_a_batch_that_is_no_envelopes_is_not_acknowledged_and_nothing_of_it_is_taken() -> None:
    planner = Planner()
    with pytest.raises(HostLost):
        await Pair(planner).network.transport(ASKER).deliver(ANSWERER, [envelope(), b"\xc1 no envelope"])
    assert planner.ended == 0


async def test_a_cancellation_that_overtakes_its_ask_still_reaches_it() -> None:
    planner = Planner()
    pair = Pair(planner)
    pair.answerer.receive([encode(Cancel(id=7, sender=ASKER, path=child(EPISODE, 1), incarnation=1))])
    pair.answerer.receive([envelope()])
    await asyncio.sleep(1)
    assert planner.ended == 0
    assert pair.answerer.idle


async def end_incarnation(pair: Pair, _asking: "asyncio.Task[Message]") -> None:
    pair.answerer.end_episode(EPISODE, 1)


async def refuse_commit(pair: Pair, _asking: "asyncio.Task[Message]") -> None:
    """The journal refuses what another actor of the episode decides on that host."""

    class Decides:
        async def receive(self, request: Close) -> Closed:
            await decide("which", 1)
            return Closed()

    pair.answerer.spawn("environment", Decides())
    pair.journal.begin(EPISODE)
    with pytest.raises(StaleIncarnation):
        await pair.ask(CLOSE, role="environment", path=child(EPISODE, 2))


async def cancel(pair: Pair, asking: "asyncio.Task[Message]") -> None:
    asking.cancel()
    await asyncio.sleep(1)
    assert pair.asker.idle


async def kill_asker(pair: Pair, _asking: "asyncio.Task[Message]") -> None:
    pair.network.kill(ASKER)


async def close_answerer(pair: Pair, _asking: "asyncio.Task[Message]") -> None:
    await pair.answerer.close()


@pytest.mark.parametrize("what", [end_incarnation, refuse_commit, cancel, kill_asker, close_answerer])
async def test_the_work_of_an_ask_is_ended_by(what: Callable[[Pair, "asyncio.Task[Message]"], Awaitable[None]]) -> None:
    planner = Planner(lambda: asyncio.sleep(3600))
    pair = Pair(planner)
    asking = asyncio.create_task(pair.ask())
    await asyncio.sleep(1)
    await what(pair, asking)
    await asyncio.sleep(1)
    assert planner.ended == 1
    assert pair.answerer.idle
    assert asyncio.get_running_loop().time() < 60
    if what in (end_incarnation, refuse_commit):
        assert planner.released == [(EPISODE, 1)]
        with pytest.raises(StaleIncarnation, match="incarnation 1 is over"):
            await pair.ask()
    asking.cancel()


async def test_closing_a_host_fails_what_it_still_asks() -> None:
    pair = Pair(Planner(lambda: asyncio.sleep(3600)))
    asking = asyncio.create_task(pair.ask())
    await asyncio.sleep(1)
    await pair.asker.close()
    with pytest.raises(HostLost, match="host asker was closed"):
        await asking
    with pytest.raises(HostLost, match="host asker is gone"):
        await pair.ask()


async def test_an_older_release_does_not_revive_a_newer_incarnation_and_the_next_can_run_on_the_same_host() -> None:
    pair = Pair(Planner())
    pair.answerer.end_episode(EPISODE, 3)
    pair.answerer.end_episode(EPISODE, 1)
    with pytest.raises(StaleIncarnation):
        await pair.ask(incarnation=3)
    for _ in range(3):
        pair.journal.begin(EPISODE)
    assert await pair.ask(incarnation=4) == MADE
