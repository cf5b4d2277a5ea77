"""Replacement: what happens if a new host does not start; `tests/simulation/test_faults.py` has those that do."""

import asyncio
from random import Random

import pytest

from quintet.errors import RoleLost, UsageError
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import HostName
from quintet.runtime.replacement import Replacer
from tests.simulation.cluster import PER_ROLE, Cluster, Faults
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

    async def start(self, name: HostName, in_place_of: HostName) -> None:
        self.names.append(name)
        await asyncio.sleep(10)
        if len(self.names) <= self._failing:
            raise UsageError(f"host {name} did not start: no room")
        await self._cluster.start(name, in_place_of)

    async def announce(self, name: HostName, in_place_of: HostName) -> None:
        await self._cluster.announce(name, in_place_of)


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
    assert starter[0].names == ["executor-3", "executor-4"], "a name is never used again"


def test_when_no_replacement_starts_the_run_stops_and_says_which_role_has_no_host(
    caplog: pytest.LogCaptureFixture,
) -> None:
    starter: list[Starter] = []
    with pytest.raises(RoleLost, match="every host of role executor died"):
        run(ended(2, starter))
    assert "host executor is not replaced: host executor-3 did not start: no room" in caplog.messages
