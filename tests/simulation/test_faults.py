"""The whole system under seeds of delay, reordering, loss and host deaths: the same results as without faults."""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from quintet.errors import HostLost, RoleLost, Suspension
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_of
from quintet.plugins.catalogue import model
from quintet.ports.transport import DRIVER, HostName
from quintet.runtime.roles import Placement
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content, before, first_difference_in_decisions
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Faults
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.replays import replayed
from tests.simulation.scenes import GOALS, Explorer, Slow, adapt, alternatives, contest, planned, search
from tests.simulation.virtual import run


def by_hundreds(fast: int, further: int) -> list[Any]:
    """The first seeds one by one, which are fast; the others in hundreds, since a suite collects every case."""
    hundreds = (range(first, min(first + 100, further)) for first in range(fast, further, 100))
    slow = [pytest.param(seeds, id=f"{seeds[0]}-{seeds[-1]}", marks=pytest.mark.slow) for seeds in hundreds]
    return [*(pytest.param([seed], id=str(seed)) for seed in range(fast)), *slow]


LATS = {"iterations": 4, "rollout_depth": 2, "candidates": 3, "depth": 3}


@cache
def spec(scene: str) -> RunSpec:
    match scene:
        case "lats":
            return search("lats", Slow(Explorer()), **LATS, workers=3, order="rounds", spread=True)
        case "lats by ends":
            return search("lats", Slow(Explorer()), **LATS, workers=3, spread=True)
        case "adapt":
            return adapt(Slow(model("sim-weak")), max_depth=2, max_steps=6)
        case "alternatives":
            return alternatives()
        case _:
            return contest(spread=scene == "spread contest")


async def outcome(
    scene: str, placement: Placement, random: Random, faults: Faults, journal: SqliteJournal
) -> list[EpisodeEnded]:
    network = Network(random, delay=faults.delay, loss=faults.loss)
    cluster = Cluster(spec(scene), journal, network, placement, slots=2)
    cluster.inject(faults)
    return await cluster.finish(planned(spec(scene)))


@cache
def without_faults(scene: str) -> Content:
    journal = SqliteJournal(":memory:")
    run(outcome(scene, COLOCATED, Random(0), Faults(), journal))
    return content(journal)


def by_episode(events: Content) -> list[Content]:
    """The content of each episode, by path."""
    return [
        {at: event for at, event in events.items() if episode_of(event.path) == path}
        for path in sorted({episode_of(event.path) for event in events.values()})
    ]


def faults(random: Random, placement: Placement) -> Faults:
    """Some delay, some loss, and the death of any hosts; of the last of a role only if dead hosts are replaced."""
    replaced = random.random() < 0.5
    groups = sorted({tuple(hosts) for hosts in placement.hosts.values()})
    mortal = [name for hosts in groups for name in hosts[0 if replaced else 1 :]]
    if replaced:
        mortal += [HostName(f"{hosts[0]}-{len(hosts) + 1}") for hosts in groups]
    victims: Sequence[HostName] = random.sample(mortal, random.randint(0, len(mortal)))
    return Faults(
        delay=random.uniform(0, 3),
        loss=random.choice([0.0, 0.0, 0.003, 0.02]),
        kills=[(random.uniform(0, 60), name) for name in victims],
        replacements=len(victims) if replaced else 0,
    )


@pytest.mark.parametrize("seeds", by_hundreds(6, 2200))
def test_every_episode_ends_once_and_as_without_faults(seeds: Sequence[int]) -> None:
    for seed in seeds:
        print(f"seed {seed}")
        check(seed)


def check(seed: int) -> None:
    random = Random(seed)
    scene = random.choice(["contest", "adapt", "spread contest", "alternatives", "lats", "lats by ends"])
    placement = random.choice([COLOCATED, PER_ROLE])
    journal = SqliteJournal(":memory:")
    ended = run(outcome(scene, placement, random, faults(random, placement), journal))
    assert sorted(end.path.split("/")[0] for end in ended) == sorted(GOALS)
    assert replayed(spec(scene), journal) == sorted(ended, key=lambda end: end.path)
    # Faults may decide which branch ends first, and nothing else.
    for expected, got in zip(by_episode(without_faults(scene)), by_episode(content(journal)), strict=True):
        differing = first_difference_in_decisions(expected, got)
        assert got == expected if differing is None else before(got, differing) == before(expected, differing)


def contested(placement: Placement, kills: Iterable[str] = (), slots: int = 2) -> Cluster:
    """A cluster of which some hosts die after a second."""
    cluster = Cluster(spec("contest"), SqliteJournal(":memory:"), Network(Random(0)), placement, slots=slots)
    cluster.inject(Faults(kills=[(1.0, HostName(name)) for name in kills]))
    return cluster


async def ends_of(cluster: Cluster, goals: tuple[str, ...] = GOALS) -> list[EpisodeEnded]:
    return [end async for end in cluster.run(planned(spec("contest"), goals))]


async def test_an_episode_that_is_lost_again_and_again_suspends_the_run() -> None:
    cluster = contested(COLOCATED)
    cluster.network.loss = 0.9999
    with pytest.raises(HostLost, match="no acknowledgement"):
        await ends_of(cluster, GOALS[:1])


async def test_when_every_host_of_a_role_died_the_run_stops_and_says_which() -> None:
    with pytest.raises(RoleLost, match="every host of role executor died"):
        await ends_of(contested(PER_ROLE, PER_ROLE.hosts["executor"]))


async def test_an_episode_that_is_taken_up_again_comes_before_those_that_wait() -> None:
    ends = await ends_of(contested(COLOCATED, COLOCATED.hosts["subtask"][1:], slots=1))
    assert {end.path.split("/")[0] for end in ends[:3]} == set(GOALS[:3])


async def test_the_driver_alone_survives_no_workers() -> None:
    cluster = contested(COLOCATED, COLOCATED.hosts["subtask"])
    with pytest.raises(HostLost, match="every host with slots died; episodes left for a resume: 6"):
        await ends_of(cluster)
    assert DRIVER not in cluster.network.dead


def killed_in_turn(placement: Placement, *, replacements: int) -> tuple[list[EpisodeEnded], Cluster]:
    """Every host of two roles dies, one after another, while few are replaced."""

    async def scene() -> tuple[list[EpisodeEnded], Cluster]:
        network, journal = Network(Random(0), delay=0.5), SqliteJournal(":memory:")
        cluster = Cluster(spec("contest"), journal, network, placement, slots=2)
        victims = sorted({name for role in ("executor", "subtask") for name in placement.hosts[role]})
        kills = [(1.0 + number, HostName(name)) for number, name in enumerate(victims)]
        cluster.inject(Faults(kills=kills, replacements=replacements))
        return await ends_of(cluster), cluster

    return run(scene())


@pytest.mark.parametrize(("placement", "news"), [(COLOCATED, 1), (PER_ROLE, 4)], ids=["colocated", "per-role"])
def test_when_every_host_died_the_run_goes_on_on_those_that_replaced_them(placement: Placement, news: int) -> None:
    ended, cluster = killed_in_turn(placement, replacements=news)
    assert len(ended) == len(GOALS)
    assert content(cluster.journal) == without_faults("contest")
    lives = {name for name, alive in cluster.runner.hosts.items() if alive}
    assert len(lives & cluster.network.dead) == 0
    assert len([name for name in lives if name not in set().union(*placement.hosts.values())]) == news


def test_a_host_beyond_the_number_is_not_replaced() -> None:
    with pytest.raises(Suspension, match=r"every host (with slots|of role executor) died"):
        killed_in_turn(PER_ROLE, replacements=1)
