"""Replacement by hosts that do not start (`tests/simulation/test_faults.py` has those that do), growing, shrinking."""

import asyncio
import itertools
from collections.abc import Mapping
from random import Random

import pytest

from quintet.errors import RoleLost, UsageError
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import HostName
from quintet.runtime.replacement import Replacer
from quintet.runtime.roles import Placement
from tests.simulation.cluster import PER_ROLE, Cluster, Faults, colocated
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.scenes import GOALS, contest, planned
from tests.simulation.virtual import run


class Starter:
    """Starts hosts of a simulated cluster after ten seconds, the first few of them never."""

    def __init__(self, cluster: Cluster, failing: int) -> None:
        self._cluster = cluster
        self._failing = failing
        self.names: list[HostName] = []
        """Of all that were to start."""

    async def start(self, name: HostName, like: HostName, *, instead: bool) -> None:
        self.names.append(name)
        await asyncio.sleep(10)
        if len(self.names) <= self._failing:
            raise UsageError(f"host {name} did not start: no room")
        await self._cluster.start(name, like, instead=instead)

    async def announce(self, name: HostName, like: HostName, *, instead: bool) -> None:
        await self._cluster.announce(name, like, instead=instead)

    async def give_back(self, name: HostName) -> None:
        await self._cluster.give_back(name)


async def ended(failing: int, starter: list[Starter]) -> int:
    """How many episodes end if both executors die and so many replacements fail."""
    cluster = Cluster(contest(), SqliteJournal(":memory:"), Network(Random(0)), PER_ROLE, slots=2)
    cluster.inject(Faults(kills=[(1.0, name) for name in PER_ROLE.hosts["executor"]]))
    starter.append(Starter(cluster, failing))
    groups = [list(hosts) for hosts in PER_ROLE.hosts.values()]
    async with cluster:
        replacer = Replacer(cluster.host, cluster.runner, groups, starter[0], most=9)
        try:
            return len([end async for end in cluster.run(planned(contest()))])
        finally:
            await replacer.close()


def test_a_role_without_a_host_waits_for_every_one_that_is_on_its_way() -> None:
    starter: list[Starter] = []
    assert run(ended(1, starter)) == len(GOALS)
    assert starter[0].names[:2] == ["executor-3", "executor-4"]


def test_a_host_that_does_not_start_is_tried_again_under_a_new_name() -> None:
    starter: list[Starter] = []
    assert run(ended(2, starter)) == len(GOALS)
    assert len(starter[0].names) > 2
    assert len(set(starter[0].names)) == len(starter[0].names), "a name is never used again"


def test_when_no_replacement_starts_the_run_stops_and_says_which_role_has_no_host(
    caplog: pytest.LogCaptureFixture,
) -> None:
    starter: list[Starter] = []
    with pytest.raises(RoleLost, match="every host of role executor died"):
        run(ended(6, starter))
    assert len(starter[0].names) == 6, "three attempts for each"
    assert "host executor-3 did not start: no room" in caplog.messages
    assert "host executor is not replaced; 10 of 12 hosts live" in caplog.messages


def test_once_stopped_it_waits_for_no_host_that_is_on_its_way() -> None:
    async def scene() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        cluster = Cluster(contest(), SqliteJournal(":memory:"), Network(Random(0)), PER_ROLE, slots=2)
        cluster.inject(Faults(kills=[(1.0, name) for name in PER_ROLE.hosts["executor"]]))
        replacer = Replacer(
            cluster.host, cluster.runner, [[*hosts] for hosts in PER_ROLE.hosts.values()], Starter(cluster, 9), most=9
        )
        loop.call_later(5, replacer.stop)
        with pytest.raises(RoleLost, match="every host of role executor died"):
            async with cluster:
                _ = [end async for end in cluster.run(planned(contest()))]
        await replacer.close()
        return loop.time() - began

    assert run(scene()) < 10


class Resized:
    """A run of four slots whose shared hosts change their number at some times."""

    def __init__(self, first: int, sizes: Mapping[float, int], placement: Placement | None = None) -> None:
        self.journal = SqliteJournal(":memory:")
        names = ["host", *(f"host-{number}" for number in range(2, first + 1))]
        network = Network(Random(0))
        self._cluster = Cluster(contest(), self.journal, network, placement or colocated(*names), slots=4 // first)
        self._first = first
        self._sizes = sizes
        self.busy: dict[float, set[str]] = {}
        """The hosts with episodes, by time."""
        self.most = 0
        """Episodes at once."""
        run(self._play())

    async def _play(self) -> None:
        cluster, loop = self._cluster, asyncio.get_running_loop()
        groups = [list(hosts) for hosts in {tuple(hosts) for hosts in cluster.placement.hosts.values()}]
        async with cluster:
            replacer = Replacer(cluster.host, cluster.runner, groups, cluster, most=0)
            for when, size in self._sizes.items():
                loop.call_later(when, replacer.resize, {group[0]: size for group in groups})
            watching = asyncio.create_task(self._watch())
            assert len(await cluster.finish(planned(contest()))) == len(GOALS)
            self.left = set(cluster.runner.hosts)
            watching.cancel()
            await replacer.close()

    async def _watch(self) -> None:
        for second in itertools.count(1):
            await asyncio.sleep(1)
            self.busy[second] = {begun.on for begun in self._cluster.runner.under_way}
            self.most = max(self.most, len(self._cluster.runner.under_way))


def test_hosts_that_join_get_episodes_without_more_of_them_at_once_and_nothing_else_changes() -> None:
    steady, grown = Resized(1, {}), Resized(1, {2.0: 3})
    assert grown.left == {"host", "host-2", "host-3"}
    assert {name for names in grown.busy.values() for name in names} == grown.left
    assert grown.most == steady.most == 4
    assert content(grown.journal) == content(steady.journal)


def test_hosts_that_are_not_wanted_any_more_are_given_back_when_they_are_idle_and_nothing_else_changes() -> None:
    steady, shrunk = Resized(2, {}), Resized(2, {2.0: 1})
    assert "host-2" in shrunk.busy[3], "its episodes go on"
    assert shrunk.left == {"host"}
    assert max(row.incarnation for row in shrunk.journal.reader.episodes()) == 1, "no episode began again"
    assert content(shrunk.journal) == content(steady.journal)


def test_per_role_every_group_grows() -> None:
    steady, grown = Resized(2, {}, PER_ROLE), Resized(2, {2.0: 3}, PER_ROLE)
    assert {"executor-3", "environment-3", "subtask-3"} <= grown.left
    assert content(grown.journal) == content(steady.journal)
