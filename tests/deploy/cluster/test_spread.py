"""One tree over the hosts of a Ray cluster: all of them step sessions of it; one that dies costs no committed call."""

import asyncio
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.cluster.placement import HostGroup, PlacementConfig
from quintet.cluster.runtime import RayRuntime
from quintet.events import CallMade, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.deploy.cluster.remote import on_hosts, process, sessions
from tests.simulation.content import content
from tests.simulation.scenes import Fetcher, Slow, planned, tree

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),
    pytest.mark.usefixtures("local_cluster"),
]

WIDTH = 4
UNIT = 0.05
COLOCATED = PlacementConfig("colocated", hosts=4)
PER_ROLE = PlacementConfig("per-role", hosts=1, groups={"environment": HostGroup(3), "executor": HostGroup(2)})


def spec(tally: Path) -> RunSpec:
    return tree(Slow(Fetcher(), unit=UNIT, tally=tally), width=WIDTH)


def on_ray(journal: SqliteJournal, placement: PlacementConfig, tally: Path) -> RayRuntime:
    return RayRuntime(spec(tally), partial(spec, tally), journal, concurrency=1, placement=placement, name="test")


async def ends(runtime: Runtime) -> list[str]:
    """How its one episode ends."""
    return [end.state async for end in runtime.run(planned(runtime.spec, ("beehive",)))]


async def on_one_host(tally: Path) -> Content:
    async with LocalRuntime(spec(tally), SqliteJournal(":memory:"), concurrency=1) as runtime:
        assert await ends(runtime) == ["solved"]
    return content(runtime.journal)


@pytest.mark.slow
async def test_one_tree_is_stepped_on_four_hosts_with_the_content_of_one_process(tmp_path: Path) -> None:
    journal = SqliteJournal(":memory:")
    async with on_ray(journal, COLOCATED, tmp_path / "calls") as runtime:
        assert await ends(runtime) == ["solved"]
        assert set((await on_hosts(runtime, sessions)).values()) == {0}
    for kind in (StepTaken, CallMade):
        hosts = {record.host for record in journal.reader.records() if isinstance(record.event, kind)}
        assert hosts == {"host", "host-2", "host-3", "host-4"}
    assert content(journal) == await on_one_host(tmp_path / "here")


def kills() -> list[Any]:
    """Twenty in the slow suite, one in the fast one."""
    return [
        pytest.param(placement, number, id=f"{placement.preset}-{number}", marks=[pytest.mark.slow] if slow else [])
        for placement in (COLOCATED, PER_ROLE)
        for number in range(10)
        for slow in [placement is PER_ROLE or number != 1]
    ]


@pytest.mark.parametrize(("placement", "number"), kills())
async def test_a_host_that_is_killed_with_branches_costs_no_committed_call_and_changes_no_content(
    placement: PlacementConfig, number: int, tmp_path: Path
) -> None:
    journal, tally = SqliteJournal(":memory:"), tmp_path / "calls"
    async with on_ray(journal, placement, tally) as runtime:
        running = asyncio.create_task(ends(runtime))
        await asyncio.sleep(number * UNIT)
        while len(holders := [name for name, held in (await on_hosts(runtime, sessions)).items() if held]) < 2:
            assert not running.done(), "nothing was killed"
        victim = holders[number % 2 - 1]  # the one that holds the root, or the last
        os.kill((await on_hosts(runtime, process))[victim], signal.SIGKILL)
        assert await running == ["solved"]
        assert runtime.host.lost == {victim}
        assert set((await on_hosts(runtime, sessions)).values()) == {0}
    assert content(journal) == await on_one_host(tmp_path / "here")
    (row,) = journal.reader.episodes()
    assert row.incarnation > 1
    committed = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
    assert tally.stat().st_size - committed <= WIDTH * (row.incarnation - 1), "a committed call was made again"
