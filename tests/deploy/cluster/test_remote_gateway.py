"""Refs in other processes of a Ray cluster: a user's actors and tasks ask, are told of faults, and outlive the run."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.api import Ref, RefAnswer, open_run
from quintet.cluster.placement import PlacementConfig
from quintet.cluster.ray_api import ray
from quintet.cluster.runtime import RayRuntime
from quintet.errors import RunClosed, SessionGone, UsageError
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import ListActions, Session
from quintet.messages.planning import Decompose, Decomposed
from quintet.runtime.gateway import GATEWAY, RunGateway
from tests.simulation.scenes import Fetcher, Slow, adapt

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.ray,
    pytest.mark.slow,
    # Ray looks for a free port with a socket that it leaves to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("ray"),
    pytest.mark.usefixtures("local_cluster"),
]

SETTING = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"


def opened(hosts: int = 1) -> Any:
    settings = {"runtime": {"kind": "ray", "placement": "colocated", "hosts": hosts}}
    return open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=None, settings=settings)


class Caller:
    """A user's actor that keeps refs."""

    def __init__(self, planner: Ref) -> None:
        self.planner = planner

    async def plan(self, *goals: str) -> list[RefAnswer[Any]]:
        return await asyncio.gather(*(self.planner.ask(Decompose(setting=SETTING, goal=goal)) for goal in goals))

    async def said(self) -> str:
        try:
            await self.plan("craft stick")
        except RunClosed as closed:
            return str(closed)
        return "answered"


def plan_in_a_task(planner: Ref) -> RefAnswer[Any]:
    return asyncio.run(planner.ask(Decompose(setting=SETTING, goal="craft stick")))


async def test_actors_and_tasks_of_the_user_ask_concurrently_through_refs_they_were_given() -> None:
    async with opened(hosts=2) as run:
        planner = run.ref("planner")
        here = await planner.ask(Decompose(setting=SETTING, goal="craft stick"))
        caller = ray.remote(Caller).remote(planner)
        there = await caller.plan.remote(*["craft stick"] * 8)
        task = await ray.remote(plan_in_a_task).remote(planner)
    after = await caller.said.remote()
    assert isinstance(here.reply, Decomposed)
    assert {answer.reply for answer in (*there, task)} == {here.reply}
    assert len({answer.path for answer in (here, *there, task)}) == 10
    assert {answer.usage for answer in (*there, task)} == {here.usage}
    assert {answer.calls for answer in there} == {1}
    assert after == "planner: expected an open run, got one whose hosts are all gone"


def refused(environment: Ref) -> None:
    with pytest.raises(SessionGone):
        asyncio.run(environment.ask(ListActions(session=Session(id="~visit/0/9/1", host="host"))))
    with pytest.raises(UsageError, match="expected a request that environment answers"):
        asyncio.run(environment.ask(Decompose(setting="", goal="craft stick")))


async def test_faults_and_refusals_reach_the_process_that_asked() -> None:
    async with opened() as run:
        await ray.remote(refused).remote(run.ref("environment"))


async def test_what_is_in_flight_in_another_process_fails_when_the_run_is_closed(tmp_path: Path) -> None:
    tally = tmp_path / "calls"
    factory = partial(adapt, Slow(Fetcher(), unit=1e6, tally=tally))

    placement = PlacementConfig("colocated", hosts=1)
    journal = SqliteJournal(":memory:", keep_visits=False)
    runtime = RayRuntime(factory(), factory, journal, concurrency=1, placement=placement, name="test")
    async with runtime:
        gateway = RunGateway(factory().roles, runtime.visit, runtime.remote_gateway, {})
        runtime.host.spawn(GATEWAY, gateway)
        said = ray.remote(Caller).remote(gateway.ref("planner")).said.remote()
        async with asyncio.timeout(30):
            while not tally.exists():  # noqa: ASYNC110  another process writes it
                await asyncio.sleep(0.02)
        gateway.close()
    await gateway.drain()
    journal.close()
    assert str(await said).startswith("planner: expected an open run, got one ")
