"""The pool of hosts: replacements that do not start (`tests/simulation/test_faults.py` has those that do), resizing."""

import asyncio
import itertools
from collections.abc import Mapping
from random import Random

import pytest

from quintet.errors import RoleLost, UsageError
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import HostName
from quintet.runtime.host_pool import HostPool
from quintet.runtime.roles import Placement
from tests.simulation.cluster import PER_ROLE, Cluster, Faults, colocated
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.scenes import GOALS, Fetcher, Slow, contest, planned
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

    async def retire(self, name: HostName) -> None:
        await self._cluster.retire(name)

    async def is_free(self, name: HostName) -> bool:
        return await self._cluster.is_free(name)

    async def give_back(self, name: HostName) -> None:
        await self._cluster.give_back(name)


async def ended(failing: int, starter: list[Starter], summaries: list[str] | None = None) -> int:
    """How many episodes end if both executors die and so many replacements fail; and what is said of the hosts then."""
    cluster = Cluster(contest(), SqliteJournal(":memory:"), Network(Random(0)), PER_ROLE, slots=2)
    cluster.inject(Faults(kills=[(1.0, name) for name in PER_ROLE.hosts["executor"]]))
    starter.append(Starter(cluster, failing))
    groups = [list(hosts) for hosts in PER_ROLE.hosts.values()]
    async with cluster:
        pool = HostPool(cluster.host, cluster.runner, groups, starter[0], most=9)
        try:
            return len([end async for end in cluster.run(planned(contest()))])
        finally:
            if summaries is not None:
                summaries.append(cluster.runner.hosts_text)
            await pool.close()


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


def test_how_many_hosts_live_is_said_with_why_others_did_not_start_until_one_does() -> None:
    summaries: list[str] = []
    with pytest.raises(RoleLost):
        run(ended(6, [], summaries))
    assert run(ended(2, [], summaries)) == len(GOALS)
    failed, mended = summaries
    assert failed == "10 of 12 hosts live; host executor-8 did not start: no room"
    assert mended.endswith(" of 12 hosts live")


def test_once_stopped_it_waits_for_no_host_that_is_on_its_way() -> None:
    async def scene() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        cluster = Cluster(contest(), SqliteJournal(":memory:"), Network(Random(0)), PER_ROLE, slots=2)
        cluster.inject(Faults(kills=[(1.0, name) for name in PER_ROLE.hosts["executor"]]))
        pool = HostPool(
            cluster.host, cluster.runner, [[*hosts] for hosts in PER_ROLE.hosts.values()], Starter(cluster, 9), most=9
        )
        loop.call_later(5, pool.stop)
        with pytest.raises(RoleLost, match="every host of role executor died"):
            async with cluster:
                _ = [end async for end in cluster.run(planned(contest()))]
        await pool.close()
        return loop.time() - began

    assert run(scene()) < 10


class Resized:
    """A run of four slots whose groups of hosts change their size at some times.

    Args:
        first: how many hosts each group has at first.
        sizes: how many it is to have, by time.
        delays: of the network, by name; the others are 0.
        kills: times and names of hosts that die then, and are replaced.
        spread: whether branches go to other hosts.
    """

    def __init__(
        self,
        first: int,
        sizes: Mapping[float, int],
        placement: Placement | None = None,
        *,
        delays: Mapping[str, float] | None = None,
        kills: Mapping[float, HostName] | None = None,
        spread: bool = False,
    ) -> None:
        self.journal = SqliteJournal(":memory:")
        names = ["host", *(f"host-{number}" for number in range(2, first + 1))]
        network = Network(Random(0), script=delays or {})
        spec = contest(spread=spread)
        self._cluster = Cluster(spec, self.journal, network, placement or colocated(*names), slots=4 // first)
        self.happened = network.happened
        self._sizes = sizes
        self._kills = kills or {}
        self.busy: dict[float, set[str]] = {}
        """The hosts with episodes, by time."""
        self.there: dict[float, set[str]] = {}
        """The hosts that were not given back, by time."""
        self.most = 0
        """Episodes at once."""
        run(self._play())

    async def _play(self) -> None:
        cluster, loop = self._cluster, asyncio.get_running_loop()
        groups = [list(hosts) for hosts in {tuple(hosts) for hosts in cluster.placement.hosts.values()}]
        async with cluster:
            pool = HostPool(cluster.host, cluster.runner, groups, cluster, most=len(self._kills))
            for when, name in self._kills.items():
                loop.call_later(when, cluster.network.kill, name)
            for when, size in self._sizes.items():
                loop.call_later(when, pool.resize, {group[0]: size for group in groups})
            watching = asyncio.create_task(self._watch())
            assert len(await cluster.finish(planned(contest()))) == len(GOALS)
            self.hosts = dict(cluster.runner.hosts)
            """Whether each lives, without those that were given back."""
            self.left = set(self.hosts)
            watching.cancel()
            await pool.close()

    @property
    def began_again(self) -> int:
        """How many episodes had more than one incarnation."""
        return sum(row.incarnation > 1 for row in self.journal.reader.episodes())

    async def _watch(self) -> None:
        for second in itertools.count(1):
            await asyncio.sleep(1)
            self.busy[second] = {begun.on for begun in self._cluster.runner.under_way}
            self.there[second] = set(self._cluster.runner.hosts)
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
    assert shrunk.began_again == 0
    assert content(shrunk.journal) == content(steady.journal)


def test_per_role_no_host_is_given_back_with_calls_or_sessions_and_nothing_else_changes() -> None:
    steady, shrunk = Resized(2, {}, PER_ROLE), Resized(2, {2.0: 1}, PER_ROLE)
    assert shrunk.left == {hosts[0] for hosts in PER_ROLE.hosts.values()}
    left = next(there for there in shrunk.there.values() if "executor-2" not in there)  # it is asked no more
    assert {"subtask-2", "environment-2"} <= left, "episodes and sessions go on there"
    assert shrunk.began_again == 0
    assert content(shrunk.journal) == content(steady.journal)


def test_no_host_is_given_back_with_the_spread_branches_of_another() -> None:
    steady, shrunk = Resized(4, {}, spread=True), Resized(4, {2.0: 2}, spread=True)
    assert shrunk.left == {"host", "host-2"}
    assert shrunk.began_again == 0
    assert content(shrunk.journal) == content(steady.journal)


def test_hosts_that_are_not_wanted_any_more_do_not_start_and_one_that_was_starting_is_given_back() -> None:
    shrunk = Resized(1, {1.0: 3, 1.2: 1}, delays={"host-2 starts": 0.5, "host-3 starts": 0.5})
    assert "host-2 starts" in shrunk.happened
    assert "host-3 starts" not in shrunk.happened
    assert shrunk.left == {"host"}
    assert {name for names in shrunk.busy.values() for name in names} == {"host"}


def test_groups_grow_again_after_their_first_host_was_replaced_and_others_were_given_back() -> None:
    regrown = Resized(2, {4.0: 1, 30.0: 3}, kills={2.0: HostName("host")})
    assert {name for name, lives in regrown.hosts.items() if lives} == {"host-3", "host-4", "host-5"}


def test_per_role_every_group_grows() -> None:
    steady, grown = Resized(2, {}, PER_ROLE), Resized(2, {2.0: 3}, PER_ROLE)
    assert {"executor-3", "environment-3", "subtask-3"} <= grown.left
    assert content(grown.journal) == content(steady.journal)


class Ending:
    """One long episode on four hosts, which give back what it does not need."""

    def __init__(self, *, last: bool, placement: Placement, most: int = 1) -> None:
        self._last = last
        self._placement = placement
        self._most = most
        self.left: set[str] = set()
        """The hosts that are there when it ends."""
        self.journal = SqliteJournal(":memory:")
        run(self._play())

    async def _play(self) -> None:
        spec = contest(model=Slow(Fetcher(), least=60.0))
        cluster = Cluster(spec, self.journal, Network(Random(0)), self._placement, slots=1)
        groups = [list(hosts) for hosts in {tuple(hosts) for hosts in cluster.placement.hosts.values()}]
        async with cluster:
            pool = HostPool(cluster.host, cluster.runner, groups, cluster, most=self._most)
            idle = asyncio.create_task(pool.give_back_idle())
            assert len([end async for end in cluster.run(planned(spec, GOALS[:1]), last=self._last)]) == 1
            self.left = set(cluster.runner.hosts)
            idle.cancel()
            await pool.close()


FOUR = colocated("host", "host-2", "host-3", "host-4")


def test_near_the_end_of_a_run_hosts_that_do_nothing_are_given_back_and_nothing_else_changes() -> None:
    ending, open_run = Ending(last=True, placement=FOUR), Ending(last=False, placement=FOUR)
    assert ending.left == {"host"}
    assert open_run.left == {"host", "host-2", "host-3", "host-4"}, "more may be asked of them"
    assert content(ending.journal) == content(open_run.journal)


def test_where_no_host_may_be_replaced_none_is_given_back() -> None:
    assert Ending(last=True, placement=FOUR, most=0).left == {"host", "host-2", "host-3", "host-4"}


def test_hosts_that_were_given_back_come_again_if_more_is_to_run_after_all() -> None:
    ends, hosts = run(_two_runs())
    assert ends == 2
    assert len(hosts) == 4


async def _two_runs() -> tuple[int, list[HostName]]:
    spec = contest(model=Slow(Fetcher(), least=60.0))
    cluster = Cluster(spec, SqliteJournal(":memory:"), Network(Random(0)), FOUR, slots=1)
    async with cluster:
        pool = HostPool(cluster.host, cluster.runner, [list(FOUR.hosts["subtask"])], cluster, most=1)
        idle = asyncio.create_task(pool.give_back_idle())
        ends = [end async for end in cluster.run(planned(spec, GOALS[:1]), last=True)]
        assert list(cluster.runner.hosts) == ["host"]
        ends += [end async for end in cluster.run(planned(spec, GOALS[1:2]), last=False)]
        idle.cancel()
        hosts = list(cluster.runner.hosts)
        await pool.close()
    return len(ends), hosts


def test_per_role_one_host_of_each_stays_near_the_end_with_the_calls_and_sessions_on_it() -> None:
    ending = Ending(last=True, placement=PER_ROLE)
    assert {hosts[0] for hosts in PER_ROLE.hosts.values()} <= ending.left
    assert {"planner-2", "memory-2", "reflector-2"}.isdisjoint(ending.left)
    assert all(row.incarnation == 1 for row in ending.journal.reader.episodes())
