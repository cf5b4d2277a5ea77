"""Tree searches: over several hosts that die, and killed at every position, with the content of an undisturbed one."""

import asyncio
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quintet.events import CallMade, CutShort, EpisodeEnded, NodeGrown, SessionForked, SessionOpened
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import HostName
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.roles.environment import Environment
from quintet.runtime.driver import Driver
from quintet.runtime.incarnation import Planned
from quintet.runtime.roles import Placement
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Faults
from tests.simulation.content import content, expect_agreement
from tests.simulation.network import Network
from tests.simulation.scenes import Explorer, Fetcher, Joint, Noting, Slow, contest, planned, played, search, tree
from tests.simulation.test_crashes import POSITIONS, killed
from tests.simulation.virtual import run

WIDTH = 4
PLACEMENTS = pytest.mark.parametrize("placement", [COLOCATED, PER_ROLE], ids=["colocated", "per-role"])


@cache
def on_one_host() -> Content:
    """The tree of `tree_spec`."""
    return run(local(tree(width=WIDTH)))


async def local(spec: RunSpec) -> Content:
    journal = SqliteJournal(":memory:")
    assert [end.state for end in await played(spec, journal, one(spec), concurrency=1)] == ["solved"]
    return content(journal)


def one(spec: RunSpec) -> list[Planned]:
    return planned(spec, ("beehive",))


def held(cluster: Cluster) -> dict[HostName, int]:
    """The sessions that each host holds."""
    return {
        name: sum(actor.sessions for actor in host.actors.values() if isinstance(actor, Environment))
        for name, host in cluster.hosts.items()
        if name not in cluster.network.dead
    }


@PLACEMENTS
def test_a_tree_is_on_every_host_that_has_environments_with_the_content_of_one_host(placement: Placement) -> None:
    journal, spec = SqliteJournal(":memory:"), tree(width=WIDTH)
    most = dict.fromkeys(placement.hosts["environment"], 0)

    async def scene() -> None:
        cluster = Cluster(spec, journal, Network(Random(0)), placement, slots=1)

        async def watch() -> None:
            while True:
                await asyncio.sleep(0.1)
                for name in most:
                    most[name] = max(most[name], held(cluster)[name])

        watching = asyncio.create_task(watch())
        assert [end.state for end in await cluster.finish(one(spec))] == ["solved"]
        watching.cancel()

    run(scene())
    assert all(most.values()), most
    events = [record.event for record in journal.reader.records()]
    moved = {event.session: event.origin for event in events if isinstance(event, SessionForked)}
    (root,) = (event.session for event in events if isinstance(event, SessionOpened))
    assert list(moved.values()).count(root) == WIDTH
    assert set(moved.values()) <= {root, *moved}
    assert content(journal) == on_one_host()


async def test_without_spread_the_whole_tree_is_on_the_episodes_host() -> None:
    journal, spec = SqliteJournal(":memory:"), tree(width=WIDTH, spread=False)

    cluster = Cluster(spec, journal, Network(Random(0)), COLOCATED, slots=1)
    assert [end.state for end in await cluster.finish(one(spec))] == ["solved"]
    assert len({record.host for record in journal.reader.records() if isinstance(record.event, CallMade)}) == 1


KILLS = [
    pytest.param(when, rank, id=f"{when}-{rank}", marks=[pytest.mark.slow] if number % 5 else [])
    for number in range(20)
    for when, rank in [(1 + 0.4 * number, number % 2)]
]
"""From when on, in virtual seconds, and which of the hosts that hold sessions then, in order of how many."""


@PLACEMENTS
@pytest.mark.parametrize(("when", "rank"), KILLS)
@pytest.mark.parametrize("faults", [Faults(), Faults(delay=1.0, loss=0.003)], ids=["calm", "delay-and-loss"])
def test_a_host_that_dies_with_branches_costs_no_committed_call_and_changes_no_content(
    placement: Placement, when: float, rank: int, faults: Faults
) -> None:
    journal, slow = SqliteJournal(":memory:"), Slow(Fetcher())
    spec = tree(slow, width=WIDTH)

    async def scene() -> None:
        network = Network(Random(when), delay=faults.delay, loss=faults.loss)
        cluster = Cluster(spec, journal, network, placement, slots=1)
        running = asyncio.create_task(cluster.finish(one(spec)))
        await asyncio.sleep(when)
        while not (sessions := held(cluster))[victim := sorted(sessions, key=lambda name: -sessions[name])[rank]]:
            await asyncio.sleep(0.1)
            assert not running.done(), "nothing was killed"
        network.kill(victim)
        assert [end.state for end in await running] == ["solved"]

    run(scene())
    assert content(journal) == on_one_host()
    (row,) = journal.reader.episodes()
    assert row.incarnation > 1
    calls = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
    assert slow.calls - calls <= WIDTH * (row.incarnation - 1), "a committed call was made again"


@PLACEMENTS
async def test_a_race_between_hosts_goes_on_with_the_winners_session(placement: Placement) -> None:
    spec, journal = contest(spread=True), SqliteJournal(":memory:")
    cluster = Cluster(spec, journal, Network(Random(0)), placement, slots=1)
    assert [end.state for end in await cluster.finish(one(spec))] == ["solved"]
    assert content(journal) == await local(spec)


def test_when_the_only_host_with_a_slot_dies_another_one_runs_the_tree() -> None:
    spec, journal = tree(width=WIDTH), SqliteJournal(":memory:")

    async def scene() -> list[EpisodeEnded]:
        cluster = Cluster(spec, journal, Network(Random(0)), COLOCATED, slots=1)
        first, *others = cluster.hosts
        names, slots = [*cluster.hosts], {first: 1, **dict.fromkeys(others, 0)}
        cluster.runner = Driver(cluster.host, journal, slots=slots, hosts=names, world=spec.world, homes=names)
        cluster.inject(Faults(kills=[(3.0, first)]))
        return await cluster.finish(one(spec))

    assert [end.state for end in run(scene())] == ["solved"]
    assert content(journal) == on_one_host()


GOALS = ("honeycomb block",)
LATS: dict[str, Any] = {"iterations": 4, "rollout_depth": 2}
SEARCHES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "lats": ("lats", 1, LATS),
    "lats, 3 workers": ("lats", 3, {**LATS, "workers": 3}),
    "lats, 3 workers in rounds": ("lats", 0, {**LATS, "workers": 3, "order": "rounds"}),
    "lats, several by one request": ("lats", 0, LATS),
    "best first": ("search", 1, {"nodes": 12}),
    "best first, 3 workers": ("search", 3, {"nodes": 12, "workers": 3}),
    "breadth, 3 workers": ("search", 0, {"order": "breadth", "scores": "votes", "workers": 3, "width": 2}),
    "beam with siblings": ("search", 1, {"order": "beam", "siblings": True, "width": 2}),
    "mcts, 3 workers": ("search", 3, {"order": "mcts", "nodes": 12, "workers": 3}),
}
"""Methods, seeds of their runs, and options."""
FAST = ("lats", "lats, 3 workers", "lats, several by one request")


def calls(journal: SqliteJournal) -> set[tuple[str, int | None]]:
    """The recorded calls."""
    events = [record.event for record in journal.reader.records()]
    return {(event.prompt, event.sampling.seed) for event in events if isinstance(event, CallMade)}


@POSITIONS
@pytest.mark.parametrize(
    "name",
    [name if name in FAST else pytest.param(name, marks=pytest.mark.slow, id=name) for name in SEARCHES],
)
def test_a_crash_at_a_position_repeats_no_recorded_call(name: str, apart: int, tmp_path: Path) -> None:
    method, seed, config = SEARCHES[name]
    model = (Joint if "several" in name else Noting)(Slow(Explorer()))
    spec = search(method, model, seed, **config)
    whole = SqliteJournal(":memory:")
    run(played(spec, whole, planned(spec, GOALS)))
    expected, positions, agreed = content(whole), len(whole.reader.records()), 0
    assert sum(isinstance(event, NodeGrown) for event in expected.values()) > 8
    work = partial(played, spec, episodes=planned(spec, GOALS))
    for where, resumed in killed(tmp_path, range(1, positions, apart), work):
        left, recorded = content(resumed), calls(resumed)
        model.asked.clear()
        run(played(spec, resumed, planned(spec, GOALS)))
        got = content(resumed)
        assert recorded.isdisjoint(model.asked), where
        assert len(model.asked) == len(set(model.asked)), where
        assert [event.fault for event in got.values() if isinstance(event, EpisodeEnded)] == [None], where
        if config.get("workers", 1) == 1 or config.get("order") in ("rounds", "breadth"):
            assert set(model.asked) == calls(resumed) - recorded, where
        agreed += not expect_agreement(expected, left, got)
    whole.close()
    assert agreed > positions / apart / 10


ROOM = 6_000
"""Tokens, or nanodollars at one a token: little more than what one call may take."""


@pytest.mark.parametrize("limit", [Allowance(tokens=ROOM), Allowance(nanodollars=ROOM)], ids=["tokens", "usd"])
@pytest.mark.parametrize("name", ["lats", "lats, 3 workers", "lats, 3 workers in rounds"])
def test_a_budget_that_ends_inside_an_expansion_ends_the_search_as_it_offered(name: str, limit: Allowance) -> None:
    method, seed, config = SEARCHES[name]
    spec = search(method, Slow(Explorer()), seed, **config)

    async def limited(journal: SqliteJournal) -> int:
        budget = Budget(
            Allowance(), limit, lambda _, used: used.prompt_tokens + used.completion_tokens, journal.charges
        )
        quota = Quota(LocalLimiters(RateLimits()).limiter, budget)
        await played(spec, journal, planned(spec, GOALS), concurrency=1, quota=quota)
        return max(budget.spent.tokens, budget.spent.nanodollars or 0)

    journal = SqliteJournal(":memory:")
    assert run(limited(journal)) <= ROOM
    events = [record.event for record in journal.reader.records()]
    (cut,) = (event for event in events if isinstance(event, CutShort))
    (end,) = (event for event in events if isinstance(event, EpisodeEnded))
    assert cut.offer is not None
    assert (end.reason, end.reward, end.fault) == ("episode budget", cut.offer.reward, None)
    assert any(isinstance(event, NodeGrown) and event.node > 0 for event in events)
    journal.close()
