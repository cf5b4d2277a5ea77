"""Episodes in a world with places, which does not repeat, while hosts die, messages are lost and processes end."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from quintet.errors import HostLost, Suspension
from quintet.events import EpisodeEnded, SessionOpened, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, attempt_of, episode_of
from quintet.ports.transport import HostName
from quintet.roles.environment import Environment
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import Placement
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Faults
from tests.simulation.network import Network
from tests.simulation.pages import CLICKS, TASKS, Site, site_spec, visits_of
from tests.simulation.scenes import played
from tests.simulation.test_faults import by_hundreds, faults
from tests.simulation.virtual import run


def environments(cluster: Cluster) -> dict[HostName, Environment]:
    """Those that live."""
    return {
        host.name: actor
        for host in cluster.survivors()
        for actor in host.actors.values()
        if isinstance(actor, Environment)
    }


def check_attempts(journal: SqliteJournal, site: Site, ended: Sequence[EpisodeEnded]) -> None:
    """No attempt is played twice, each interrupted one is followed after a reset, and the last ones have a result."""
    records = journal.reader.records()
    by_attempt: dict[Path, set[int]] = {}
    for record in records:
        if isinstance(record.event, SessionOpened | StepTaken):
            by_attempt.setdefault(episode_of(record.event.path), set()).add(record.incarnation)
    assert all(len(incarnations) == 1 for incarnations in by_attempt.values()), by_attempt
    assert Counter(end.path for end in ended) == Counter({end.path: 1 for end in ended})
    interrupted = {end.path for end in ended if end.state == "interrupted"}
    newest: dict[str, EpisodeEnded] = {}
    for end in sorted(ended, key=lambda end: attempt_of(end.path).number):
        task, _, number = attempt_of(end.path)
        assert number == 0 or Path(f"{task}/0/{number - 1}") in interrupted
        newest[task] = end
    assert {task: end.state for task, end in newest.items()} == dict.fromkeys(newest, "solved")
    happened = site.log
    for task in newest:
        own = [place for place, (_, path) in enumerate(happened) if path.startswith(f"{task}/")]
        opened = [place for place in own if happened[place][0] == "open"]
        for before, after in pairwise(opened):
            if happened[before][1] != happened[after][1]:
                between = happened[before + 1 : after]
                assert any(what == "reset" for what, _ in between), f"{task} began again without a reset"


async def play(site: Site, journal: SqliteJournal, network: Network, placement: Placement, injected: Faults) -> Cluster:
    spec = site_spec(site)
    cluster = Cluster(spec, journal, network, placement, slots=2)
    cluster.inject(injected)

    async def check_closed() -> None:
        """Asked at every reset."""
        for name, environment in environments(cluster).items():
            assert environment.sessions == 0, f"{name} holds a session as the site is reset"

    site.on_reset = check_closed
    ended = await cluster.finish(visits_of(spec))
    assert {attempt_of(end.path).task for end in ended} == set(TASKS)
    check_attempts(journal, site, ended)
    return cluster


@pytest.mark.parametrize("seeds", by_hundreds(4, 600))
def test_what_was_interrupted_is_never_replayed_and_begins_again_after_a_reset(seeds: Sequence[int]) -> None:
    for seed in seeds:
        print(f"seed {seed}")
        random = Random(seed)
        placement = random.choice([COLOCATED, PER_ROLE])
        journal, site = SqliteJournal(":memory:"), Site(places=random.choice([1, 2]))
        injected = faults(random, placement)
        network = Network(random, delay=injected.delay, loss=injected.loss)
        run(play(site, journal, network, placement, injected))


def test_without_faults_there_is_no_reset_and_one_attempt() -> None:
    site = Site()
    run(play(site, SqliteJournal(":memory:"), Network(Random(0)), PER_ROLE, Faults()))
    assert Counter(what for what, _ in site.log) == {"open": len(TASKS), "click": CLICKS * len(TASKS)}
    assert site.clicks == CLICKS * len(TASKS)


def test_a_host_that_dies_interrupts_its_episodes_and_the_others_end_before_the_reset() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")
    kills = Faults(kills=[(2.0, HostName("environment"))], replacements=1)
    run(play(site, journal, Network(Random(0)), PER_ROLE, kills))
    rows = list(journal.reader.episodes())
    again = {row.task for row in rows if row.attempt}
    assert 0 < len(again) < len(TASKS)
    assert [what for what, _ in site.log].count("reset") == 1
    for row in rows:
        end = journal.reader.end(row.path)
        assert end is not None
        if row.task in again and not row.attempt:
            assert (end.state, end.reward) == ("interrupted", 0)
            assert "host environment died" in end.reason


async def test_a_world_that_repeats_is_replayed_and_never_reset() -> None:
    site, journal = Site(repeats=True, places=4), SqliteJournal(":memory:")
    kills = Faults(kills=[(2.0, HostName("environment"))], replacements=1)

    cluster = Cluster(site_spec(site), journal, Network(Random(0)), PER_ROLE, slots=2)
    cluster.inject(kills)
    assert [end.state for end in [end async for end in cluster.run(visits_of(cluster.spec))]] == ["solved"] * len(TASKS)
    assert "reset" not in {what for what, _ in site.log}
    assert max(row.incarnation for row in journal.reader.episodes()) > 1


async def stopped(site: Site, journal: SqliteJournal, seconds: float) -> None:
    """A start of a run that is left after some seconds."""
    spec = site_spec(site)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(seconds):
            await played(spec, journal, visits_of(spec), concurrency=4)


async def resumed(
    site: Site, journal: SqliteJournal, planned: Sequence[Planned] = (), concurrency: int = 4
) -> list[EpisodeEnded]:
    spec = site_spec(site)
    return await played(spec, journal, [*planned, *visits_of(spec)], concurrency=concurrency)


async def test_a_resume_ends_all_that_was_interrupted_resets_once_and_goes_on() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")
    await stopped(site, journal, 2.2)
    ended = await resumed(site, journal)
    assert [end.state for end in ended] == ["interrupted"] * 4 + ["solved"] * len(TASKS)
    assert {end.reason for end in ended[:4]} == {"its run stopped"}
    what = [what for what, _ in site.log]
    assert what.count("reset") == 1
    assert [path for what, path in site.log[what.index("reset") :] if what == "open"] == [
        *(Path(f"{task}/0/1") for task in TASKS[:4]),
        *(Path(f"{task}/0/0") for task in TASKS[4:]),
    ]
    check_attempts(journal, site, ended)


async def test_what_had_not_opened_its_world_is_just_taken_up() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")
    await stopped(site, journal, 0.2)
    assert [end.state for end in (await resumed(site, journal))] == ["solved"] * len(TASKS)
    assert "reset" not in {what for what, _ in site.log}


async def test_a_reset_that_fails_stops_the_run_with_its_words_and_a_resume_resets_again() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")
    spec = site_spec(site)

    async def fail() -> None:
        raise OSError("no route to the shop")

    await stopped(site, journal, 2.2)
    site.on_reset = fail
    with pytest.raises(Suspension, match="environment site: reset: OSError: no route to the shop"):
        await resumed(site, journal)
    site.on_reset, site.resetting = None, False
    left = [
        Planned(Path(f"{row.task}/0/1"), request.request, after_reset=True)
        for row in journal.reader.episodes()
        for request in visits_of(spec, (row.task,))
        if row.state is not None
    ]
    ended = await resumed(site, journal, left)
    assert [end.state for end in ended] == ["solved"] * len(TASKS)
    assert [what for what, _ in site.log].count("reset") == 1


async def test_a_process_that_ends_interrupts_the_episodes_of_its_sessions() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")
    asyncio.get_running_loop().call_later(2.2, site.end_process)
    ended = await resumed(site, journal)
    check_attempts(journal, site, ended)
    lost = [end for end in ended if end.state == "interrupted"]
    assert len(lost) == 4
    assert all("site: the process of" in end.reason for end in lost)


async def test_where_the_world_repeats_they_are_taken_up_again() -> None:
    site, journal = Site(repeats=True, places=4), SqliteJournal(":memory:")
    asyncio.get_running_loop().call_later(2.2, site.end_process)
    assert [end.state for end in await resumed(site, journal)] == ["solved"] * len(TASKS)
    assert sorted(row.incarnation for row in journal.reader.episodes()) == [1, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("repeats", [True, False])
async def test_an_episode_that_ends_its_process_each_time_faults_and_the_others_go_on(*, repeats: bool) -> None:
    site = Site(repeats=repeats, places=4)

    def end_the_forums_process() -> None:
        if site.log[-1][1].startswith("forum"):
            asyncio.get_running_loop().call_later(1.6, site.end_process)

    site.on_open = end_the_forums_process
    ended = await resumed(site, SqliteJournal(":memory:"), concurrency=1)
    newest = {attempt_of(end.path).task: end for end in ended}
    assert {task for task, end in newest.items() if end.state == "solved"} == {*TASKS} - {"forum"}
    fault = newest["forum"].fault
    assert fault is not None
    assert fault.kind == "ProcessLost"


async def test_an_episode_that_is_interrupted_again_and_again_stops_the_run() -> None:
    site, journal = Site(places=4), SqliteJournal(":memory:")

    spec = site_spec(site)
    async with LocalRuntime(spec, journal, concurrency=1) as runtime:

        def lose() -> None:
            path, number = site.log[-1][1], 1
            asyncio.get_running_loop().call_later(1.2, runtime.host.take_up_again, path, number)

        site.on_open = lose
        with pytest.raises(HostLost, match=r"10 attempts at its .* were interrupted, .* was lost"):
            [end async for end in runtime.run(visits_of(spec))]


async def test_each_episode_opens_on_the_host_with_the_most_free_places() -> None:
    site, journal = Site(places=2), SqliteJournal(":memory:")
    most = Counter[HostName]()

    cluster = Cluster(site_spec(site), journal, Network(Random(0)), PER_ROLE, slots=2)

    def look() -> None:
        for name, environment in environments(cluster).items():
            most[name] = max(most[name], environment.places_held)
            assert environment.places_awaited == 0

    site.on_open = look
    assert len([end async for end in cluster.run(visits_of(cluster.spec))]) == len(TASKS)
    assert most == {"environment": 2, "environment-2": 2}


def test_a_dead_environment_hosts_successor_gets_episodes_too() -> None:
    site, journal = Site(places=2), SqliteJournal(":memory:")
    kills = Faults(kills=[(2.0, HostName("environment"))], replacements=1)
    cluster = run(play(site, journal, Network(Random(0)), PER_ROLE, kills))
    opened_on = {record.host for record in journal.reader.records() if isinstance(record.event, StepTaken)}
    assert "environment-3" in opened_on
    assert set(environments(cluster)) == {"environment-2", "environment-3"}
