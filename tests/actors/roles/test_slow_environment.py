"""The environment role in worlds that wait: at once, in order, cancelled, late, released and closed."""

import asyncio
from collections.abc import Awaitable

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import DeadlineExceeded, SessionGone, StaleIncarnation
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Open, Session, Step, Stepped
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import child, episode_path
from quintet.messages.solving import Solve
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.ports.transport import DRIVER, Address
from quintet.roles.environment import Environment
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime, Loopback
from quintet.runtime.spec import MethodSpec, RunSpec
from tests.actors.environments.adapters.stairs import LOW, AsyncStairs
from tests.simulation.virtual import run

HERE = episode_path(LOW.name, 0, 0)


class House:
    """One host with an environment role in slow stairs, asked under numbered paths."""

    def __init__(self) -> None:
        self.world = AsyncStairs()
        self.environment = Environment(as_world(self.world), host=DRIVER)
        journal = SqliteJournal(":memory:")
        self.host = Host(DRIVER, Loopback(DRIVER), journal)
        self.host.spawn("environment", self.environment)
        self._incarnation = journal.begin(HERE)
        self._asked = 0

    async def open(self) -> Session:
        return (await self._ask(Open(task=LOW))).session

    def step(self, session: Session, action: str, seconds: float | None = None) -> Awaitable[Stepped]:
        return self._ask(Step(session=session, action=action), seconds)

    async def close(self, session: Session) -> None:
        await self._ask(Close(session=session))

    def _ask(self, request: Request[ReplyT], seconds: float | None = None) -> Awaitable[ReplyT]:
        self._asked += 1
        to, path = Address(host=DRIVER, role="environment"), child(HERE, self._asked)
        return self.host.ask(to, request, path=path, incarnation=self._incarnation, seconds=seconds)


def now() -> float:
    return asyncio.get_running_loop().time()


def test_four_episodes_take_the_time_of_one() -> None:
    spec = RunSpec(
        methods=(MethodSpec(name="expert", method=Expert(ExpertConfig()), models={}, sampling={}, prompts={}),),
        world=as_world(AsyncStairs()),
        seed=0,
    )

    async def seconds(number: int) -> float:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=4) as runtime:
            began = now()
            episodes = (
                Planned(episode_path(LOW.name, epoch, 0), Solve(task=spec.task(LOW.name, epoch)))
                for epoch in range(number)
            )
            async for end in runtime.run(episodes):
                assert (end.state, end.reward) == ("solved", 1), end.why
            return now() - began

    one = run(seconds(1))
    assert one >= 1.0  # two steps of half a second
    assert run(seconds(4)) == one


async def test_the_steps_of_one_session_are_taken_in_the_order_in_which_they_arrive() -> None:
    house = House()
    session = await house.open()
    began = now()
    stepped = await asyncio.gather(house.step(session, "up"), house.step(session, "jump"), house.step(session, "up"))
    assert now() - began == pytest.approx(1.5)
    assert [each.observation for each in stepped] == [
        "You are 1 steps up.",
        "You are 1 steps up.",
        "You are 2 steps up.",
    ]


async def test_a_step_that_never_returns_is_late_and_holds_up_no_other_session() -> None:
    house = House()
    hung, other = await house.open(), await house.open()
    late = asyncio.ensure_future(house.step(hung, "wait", seconds=60))
    assert (await house.step(other, "up", seconds=60)).observation == "You are 1 steps up."
    assert now() == pytest.approx(0.5)
    with pytest.raises(DeadlineExceeded, match="environment: no answer within 60"):
        await late
    assert now() == pytest.approx(60)
    with pytest.raises(SessionGone):
        await house.step(hung, "up")
    await asyncio.sleep(1)
    assert house.world.closed == [LOW.name]
    await house.host.close()


async def test_a_session_whose_step_is_cancelled_is_closed_and_what_waited_for_it_is_told() -> None:
    house = House()
    session = await house.open()
    first = asyncio.ensure_future(house.step(session, "wait"))
    second = asyncio.ensure_future(house.step(session, "up"))
    await asyncio.sleep(0.1)
    first.cancel()
    with pytest.raises(SessionGone):
        await second
    assert house.environment.sessions == 0
    await house.host.close()


async def test_a_step_that_is_cancelled_while_it_waits_leaves_its_session_as_it_is() -> None:
    house = House()
    session = await house.open()
    first, second = (asyncio.ensure_future(house.step(session, "up")) for _ in range(2))
    await asyncio.sleep(0.1)
    second.cancel()
    await first
    assert (await house.step(session, "up")).done


async def test_a_closed_session_is_closed_in_the_world_once_and_nobody_waits_for_that() -> None:
    house = House()
    session = await house.open()
    await house.close(session)
    assert (now(), house.world.closed) == (0, [])
    await house.close(session)
    await house.host.close()
    assert house.world.closed == [LOW.name]


async def test_what_an_episode_left_open_is_closed_with_it_and_the_rest_with_the_host() -> None:
    house = House()
    await house.open()
    house.host.end_episode(HERE, 1)
    assert house.environment.sessions == 0
    await house.host.close()
    assert (now(), house.world.closed) == (0.5, [LOW.name])


async def test_a_state_that_does_not_close_keeps_its_host_for_ten_seconds_only() -> None:
    house = House()
    session = await house.open()
    step = asyncio.ensure_future(house.step(session, "up"))
    await asyncio.sleep(0.1)
    house.world.closing = 1e9
    await house.host.close()
    assert now() == pytest.approx(10.1)
    with pytest.raises(StaleIncarnation):
        await step
