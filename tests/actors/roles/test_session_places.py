"""Places: who waits for one, off which clock, and when it is free again, also in the environment role."""

import asyncio
from collections.abc import Awaitable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.adapters.plain import as_world
from quintet.errors import DeadlineExceeded, WorldFault
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Fork, Forked, Open, Opened, Session, Step, Task, Vacate
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.solving import Solve
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.roles.environment import Environment
from quintet.roles.places import HeldPlace, SessionPlaces, Tenant
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime, Loopback
from quintet.runtime.spec import Limits, MethodSpec, RunSpec
from tests.actors.environments.adapters.stairs import LOW, AsyncClimb, AsyncStairs
from tests.simulation.virtual import run
from tests.work import work_of

ONE, TWO, THREE = (episode_path(LOW.name, epoch, 0) for epoch in range(3))


class SmallStairs(AsyncStairs):
    """Room for one. The task `high stairs` cannot be opened."""

    places = 1

    async def open(self, task: Task) -> AsyncClimb:
        await asyncio.sleep(0.25)
        if task.name != LOW.name:
            raise WorldFault("these stairs are closed")
        return await super().open(task)


class Inn:
    """One host with an environment role in small stairs, asked by several episodes."""

    def __init__(self, places: int = 1) -> None:
        self.world = SmallStairs()
        self.world.places = places
        self.environment = Environment(as_world(self.world), host=DRIVER)
        self.journal = SqliteJournal(":memory:")
        self.host = Host(DRIVER, Loopback(DRIVER), self.journal)
        self.host.spawn("environment", self.environment)
        self._asked: dict[Path, int] = {}

    def ask(
        self, episode: Path, request: Request[ReplyT], *, seconds: float | None = None, home: str | None = None
    ) -> "asyncio.Future[ReplyT]":
        if episode not in self._asked:
            self.journal.begin(episode)
        self._asked[episode] = number = self._asked.get(episode, 0) + 1
        asked: Awaitable[ReplyT] = self.host.ask(
            Address(host=DRIVER, role="environment"),
            request,
            path=child(episode, number),
            incarnation=1,
            seconds=seconds,
            home=None if home is None else HostName(home),
        )
        return asyncio.ensure_future(asked)

    def open(self, episode: Path, *, seconds: float | None = None, home: str | None = None) -> "asyncio.Future[Opened]":
        return self.ask(episode, Open(task=LOW), seconds=seconds, home=home)

    @property
    def held(self) -> tuple[int, int]:
        return self.environment.places_held, self.environment.places_awaited


def now() -> float:
    return asyncio.get_running_loop().time()


async def ended(inn: Inn) -> None:
    """Close the host; nothing may be held then."""
    await inn.host.close()
    await asyncio.sleep(30)
    assert inn.environment.sessions == 0


async def test_an_episode_waits_for_its_first_session_off_the_clock_of_its_request() -> None:
    inn = Inn()
    session = (await inn.open(ONE)).session
    waiting = inn.open(TWO, seconds=1)
    await asyncio.sleep(60)
    assert inn.held == (1, 1)
    await inn.ask(ONE, Close(session=session))
    inn.host.end_episode(ONE, 1)
    opened = await waiting
    assert opened.waited == pytest.approx(60.25, abs=0.5)
    assert inn.held == (1, 0)
    await ended(inn)


async def test_the_clock_goes_on_once_it_has_its_place() -> None:
    inn = Inn()
    await inn.open(ONE)
    late = inn.open(TWO, seconds=0.2)
    await asyncio.sleep(10)
    inn.host.end_episode(ONE, 1)
    with pytest.raises(DeadlineExceeded):
        await late
    assert now() == pytest.approx(10.25 + 0.5 + 0.2)  # opened, closed, and then it took too long
    inn.host.end_episode(TWO, 1)
    assert inn.held == (0, 0)
    await ended(inn)


@pytest.mark.parametrize(("closing", "seconds"), [(0.5, 0.5), (1e9, 10)])
async def test_a_place_is_free_once_the_session_is_closed_or_ten_seconds_later(closing: float, seconds: float) -> None:
    inn = Inn()
    inn.world.closing = closing
    await inn.open(ONE)
    waiting = inn.open(TWO)
    await asyncio.sleep(1)
    began = now()
    inn.host.end_episode(ONE, 1)
    assert inn.held == (1, 1)
    await waiting
    assert now() - began == pytest.approx(seconds + 0.25)
    await ended(inn)


async def test_an_episode_with_a_session_gets_more_at_once_and_a_fork_too() -> None:
    inn = Inn()
    session = (await inn.open(ONE)).session
    await inn.open(ONE)
    forked = await inn.ask(ONE, Fork(session=session))
    assert isinstance(forked, Forked)
    assert inn.held == (3, 0)
    await ended(inn)


async def test_an_episode_that_closed_its_session_keeps_a_place_until_it_ends() -> None:
    inn = Inn()
    session = (await inn.open(ONE)).session
    waiting = inn.open(TWO)
    await inn.ask(ONE, Close(session=session))
    await asyncio.sleep(5)
    assert inn.held == (1, 1)
    assert (await inn.open(ONE)).waited == 0
    assert not waiting.done()
    inn.host.end_episode(ONE, 1)
    await waiting
    await ended(inn)


async def test_a_visitor_from_another_host_neither_waits_nor_counts() -> None:
    inn = Inn()
    await inn.open(ONE, home=DRIVER)
    assert (await inn.open(TWO, home="elsewhere")).waited == 0
    assert inn.held == (1, 0)
    inn.host.end_episode(ONE, 1)
    await asyncio.sleep(1)
    assert inn.held == (0, 0)
    await inn.open(THREE, home=DRIVER)
    await ended(inn)


async def test_who_is_released_while_it_waits_has_no_place() -> None:
    inn = Inn()
    await inn.open(ONE)
    waiting, third = inn.open(TWO), inn.open(THREE)
    await asyncio.sleep(1)
    inn.host.end_episode(TWO, 1)
    await asyncio.wait([waiting])
    assert inn.held == (1, 1)
    inn.host.end_episode(ONE, 1)
    await third
    assert inn.held == (1, 0)
    assert inn.environment.sessions == 1
    await ended(inn)


async def test_who_is_cancelled_while_the_world_opens_gives_its_place_back() -> None:
    inn = Inn()
    opening = inn.open(ONE)
    await asyncio.sleep(0.1)
    assert inn.held == (1, 0)
    inn.host.end_episode(ONE, 1)
    await asyncio.wait([opening])
    await asyncio.sleep(0)
    assert inn.held == (0, 0)
    await ended(inn)


async def test_a_world_that_does_not_open_keeps_no_place_beyond_its_episode() -> None:
    inn = Inn()
    with pytest.raises(WorldFault, match="closed"):
        await inn.ask(ONE, Open(task=Task(name="high stairs", seed=0)))
    inn.host.end_episode(ONE, 1)
    assert inn.held == (0, 0)
    await ended(inn)


async def test_a_state_whose_opening_fails_is_closed() -> None:
    class Torn(AsyncClimb):
        @property
        def observation(self) -> str:
            raise WorldFault("the sign is torn")

    class TornStairs(SmallStairs):
        async def open(self, task: Task) -> AsyncClimb:
            climb = await super().open(task)
            climb.__class__ = Torn
            return climb

    inn = Inn()
    torn = TornStairs()
    inn.host.spawn("environment", Environment(as_world(torn), host=DRIVER))
    with pytest.raises(WorldFault, match="torn"):
        await inn.open(ONE)
    assert torn.closed == [LOW.name]
    await ended(inn)


async def test_vacate_ends_every_session_and_answers_once_they_are_closed() -> None:
    inn = Inn(places=2)
    session: Session = (await inn.open(ONE)).session
    stepping = inn.ask(ONE, Step(session=session, action="up"))
    opening = inn.open(TWO)
    await asyncio.sleep(0.1)
    await inn.ask(THREE, Vacate())
    assert stepping.done()
    assert opening.done()
    assert inn.environment.sessions == 0
    assert inn.world.closed == [LOW.name] * 2
    await ended(inn)


def states(world: SmallStairs, limits: Limits) -> list[str]:
    """How three episodes of the expert end."""
    expert = MethodSpec(name="expert", method=Expert(ExpertConfig()), models={}, sampling={}, prompts={})
    spec = RunSpec(methods=(expert,), world=as_world(world), seed=0, limits=limits)

    async def scene() -> list[str]:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=3) as runtime:
            episodes = (
                Planned(episode_path(LOW.name, epoch, 0), Solve(task=spec.task(LOW.name, epoch))) for epoch in range(3)
            )
            return [end.state async for end in runtime.run(episodes)]

    return run(scene())


def test_waiting_for_a_place_is_no_working_time_of_an_episode() -> None:
    limits = Limits(episode=10.0, step=5.0)
    assert states(SmallStairs(stepping=4.0), limits) == ["solved"] * 3
    assert set(states(SmallStairs(stepping=20.0), limits)) == {"faulted"}  # more than both limits


def test_making_a_session_has_a_limit_of_its_own() -> None:
    assert states(SmallStairs(stepping=0.05), Limits(step=0.1, session=1.0)) == ["solved"] * 3
    assert set(states(SmallStairs(stepping=0.05), Limits(step=1.0, session=0.1))) == {"faulted"}


FIRST, SECOND, THIRD = (Tenant(episode_path("task", epoch, 0), 1) for epoch in range(3))


async def asked(places: SessionPlaces, *tenants: Tenant) -> list["asyncio.Task[HeldPlace]"]:
    """Tasks that take a place each, once they have got as far as they get."""
    tasks = [asyncio.create_task(places.take(tenant)) for tenant in tenants]
    await asyncio.sleep(1)
    return tasks


async def end(*tasks: "asyncio.Task[HeldPlace]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_who_finds_no_free_place_waits_in_turn() -> None:
    places = SessionPlaces(1)
    first, second, third = await asked(places, FIRST, SECOND, THIRD)
    assert (first.done(), second.done(), places.held, places.waiting) == (True, False, 1, 2)
    first.result().give_back()
    places.release(FIRST.episode, 1)
    await asyncio.sleep(0)
    assert (second.done(), third.done()) == (True, False)
    await end(third)


async def test_two_that_wait_for_one_tenant_get_theirs_together() -> None:
    places = SessionPlaces(1)
    first, *both = await asked(places, FIRST, SECOND, SECOND)
    first.result().give_back()
    places.release(FIRST.episode, 1)
    await asyncio.sleep(0)
    assert [task.done() for task in both] == [True, True]


async def test_a_place_is_given_back_once() -> None:
    places = SessionPlaces(2)
    first, second = await asked(places, FIRST, FIRST)
    first.result().give_back()
    first.result().give_back()
    assert places.held == 1
    second.result().give_back()
    places.release(FIRST.episode, 1)
    assert places.held == 0


@pytest.mark.parametrize("granted", [False, True])
async def test_who_is_cancelled_while_it_waits_has_none(*, granted: bool) -> None:
    places = SessionPlaces(1)
    first, second, third = await asked(places, FIRST, SECOND, THIRD)
    if granted:  # in the moment in which it is cancelled
        first.result().give_back()
        places.release(FIRST.episode, 1)
    second.cancel()
    await asyncio.wait([second])
    assert second.cancelled()
    places.release(SECOND.episode, 1)
    if not granted:
        first.result().give_back()
        places.release(FIRST.episode, 1)
    await asyncio.sleep(0)
    assert third.done()
    assert (places.held, places.waiting) == (1, 0)


async def work_of_a_release(*, waiting: int) -> int:
    """Of a place that goes to the first of so many who wait."""
    places = SessionPlaces(1)
    tenants = [Tenant(episode_path("task", epoch, 0), 1) for epoch in range(1 + waiting)]
    first, *others = await asked(places, *tenants)
    first.result().give_back()
    work = work_of(lambda: places.release(FIRST.episode, 1))
    await asyncio.sleep(0)
    assert [other.done() for other in others] == [True] + [False] * (waiting - 1)
    await end(*others[1:])
    return work


async def test_a_place_is_handed_on_without_a_look_at_those_who_wait_longer() -> None:
    assert await work_of_a_release(waiting=50) == await work_of_a_release(waiting=2)


@given(st.lists(st.tuples(st.sampled_from(["take", "cancel", "give", "release"]), st.integers(0, 4)), max_size=40))
def test_nobody_waits_beside_a_free_place_and_all_come_back(moves: list[tuple[str, int]]) -> None:
    async def scene() -> None:
        places, tasks = SessionPlaces(2), dict[int, list[asyncio.Task[HeldPlace]]]()
        for move, number in moves:
            tenant, own = Tenant(episode_path("task", number, 0), 1), tasks.setdefault(number, [])
            if move == "take":
                own.append(asyncio.create_task(places.take(tenant)))
            elif move == "release":
                await _leave(own)
                places.release(tenant.episode, 1)
            elif own and move == "cancel":
                own[-1].cancel()
            elif own and own[-1].done() and not own[-1].cancelled():
                own.pop().result().give_back()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not places.waiting or places.held >= 2
        for number, own in tasks.items():
            await _leave(own)
            places.release(episode_path("task", number, 0), 1)
        assert (places.held, places.waiting) == (0, 0)

    run(scene())


async def _leave(own: "list[asyncio.Task[HeldPlace]]") -> None:
    for task in own:
        task.cancel()
    if own:
        await asyncio.wait(own)
    for task in own:
        if not task.cancelled():
            task.result().give_back()
    own.clear()
