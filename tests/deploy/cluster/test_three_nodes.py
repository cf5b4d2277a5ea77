"""A cluster of three nodes on this machine: it is joined, loses a node, has one that differs, plays for trainers."""

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ray.autoscaler.v2.sdk import get_cluster_status
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster.cluster import ray_cluster
from quintet.cluster.placement import HostGroup, PlacementConfig, Resources
from quintet.cluster.ray_api import ray
from quintet.cluster.runtime import RayRuntime
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from tests.deploy.cluster.programs import program, until
from tests.deploy.cluster.remote import on_hosts
from tests.deploy.cluster.test_rollouts import PLAYED, play_in_a_task
from tests.simulation.content import content
from tests.simulation.scenes import GOALS, Fetcher, Slow, contest, ends_of, planned

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

factory = partial(contest, 0, Slow(Fetcher(), unit=0.1))


@pytest.mark.slow
def test_hosts_of_a_driver_that_is_killed_end_within_ten_seconds(three_nodes: Any) -> None:
    def hosts() -> list[str]:
        named = ray.util.list_named_actors(all_namespaces=True)
        return sorted(actor["name"] for actor in named if actor["namespace"] == namespace)

    async def scene() -> None:
        async with ray_cluster(three_nodes.address):
            assert hosts() == ["host"]
            driver.process.kill()
            assert await until(lambda: hosts() == []), hosts()

    with program("forever", three_nodes.address) as driver:
        namespace = driver.said("open")
        assert re.fullmatch(r"quintet-test-[0-9a-f]{6}", namespace)
        asyncio.run(scene())
        assert driver.alive() == []


@pytest.mark.slow
def test_a_node_whose_quintet_is_another_is_refused_by_name(one_node: Any, tmp_path: Path) -> None:
    other = tmp_path / "quintet_agents-9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: quintet-agents\nVersion: 9.9\n")
    differing = one_node.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path)})

    async def scene() -> None:
        async with ray_cluster(one_node.address):
            raise AssertionError("it was joined")

    try:
        with pytest.raises(UsageError) as refused:
            asyncio.run(scene())
    finally:
        one_node.remove_node(differing)
    said = str(refused.value)
    assert said.startswith(f"node {differing.node_ip_address} ({differing.node_id[:12]}): expected quintet ")
    assert said.endswith(", got 9.9")
    assert not ray.is_initialized()


@pytest.mark.slow
@pytest.mark.parametrize(("hosts", "excluded"), [(3, False), (2, True)], ids=["all nodes", "without the driver's"])
def test_every_node_gets_one_host_and_the_drivers_the_last_or_none(
    three_nodes: Any, hosts: int, *, excluded: bool
) -> None:
    async def scene() -> None:
        each = PlacementConfig(hosts=hosts, resources=Resources(cpus=0.01), exclude_driver=excluded)
        runtime = RayRuntime(
            factory(),
            factory,
            SqliteJournal(":memory:"),
            concurrency=3,
            placement=each,
            address=three_nodes.address,
            name="test",
        )
        async with runtime:
            places = await on_hosts(runtime, node_id)
            own = ray.get_runtime_context().get_node_id()
            assert len(set(places.values())) == hosts
            assert [name for name, place in places.items() if place == own] == ([] if excluded else [f"host-{hosts}"])
            for name, place in places.items():
                assert re.search(rf"hosts: .*\b{name} on node [\d.]+ \({place[:12]}\b", runtime.whereabouts)

    asyncio.run(scene())


@pytest.mark.slow
def test_a_node_that_joins_gets_a_host_while_episodes_wait_and_an_idle_host_is_given_back(one_node: Any) -> None:
    endless = partial(contest, 0, Slow(Fetcher(), unit=1e6))

    async def ends(runtime: RayRuntime) -> list[EpisodeEnded]:
        return [end async for end in runtime.run(planned(endless()))]

    async def scene() -> None:
        journal = SqliteJournal(":memory:")
        runtime = RayRuntime(endless(), endless, journal, concurrency=4, address=one_node.address, name="test")
        async with runtime:
            before = set(runtime.runner.hosts)
            running = asyncio.create_task(ends(runtime))
            joining = one_node.add_node(num_cpus=1)  # handles signals, so it needs this thread
            try:
                assert await until(lambda: len(runtime.runner.hosts) > len(before), 120)
                [new] = set(runtime.runner.hosts) - before
                assert (await on_hosts(runtime, node_id))[new] == joining.node_id
                runtime.runner.resize(len(before))  # type: ignore[misc]
                assert await until(lambda: set(runtime.runner.hosts) == before, 30)
            finally:
                running.cancel()
                await asyncio.wait([running])
                await asyncio.to_thread(one_node.remove_node, joining)

    asyncio.run(scene())


def demanded(address: str) -> list[dict[str, float]]:
    """What an autoscaler is told that actors wait for."""
    demands = get_cluster_status(address).resource_demands.ray_task_actor_demand
    return [dict(each.bundle) for demand in demands for each in demand.bundles_by_count]


@pytest.mark.slow
def test_hosts_for_which_there_is_no_room_are_demands_to_an_autoscaler_and_start_when_a_node_joins(
    one_node: Any,
) -> None:
    async def scene() -> None:
        one_more = len(one_node.list_all_nodes())  # every node has one core, and the driver's is left out
        each = PlacementConfig(hosts=one_more, resources=Resources(cpus=1), exclude_driver=True, autoscaling=True)
        runtime = RayRuntime(
            factory(),
            factory,
            SqliteJournal(":memory:"),
            concurrency=1,
            placement=each,
            address=one_node.address,
            name="test",
        )
        opening = asyncio.create_task(runtime.__aenter__())
        assert await until(lambda: demanded(one_node.address) == [{"CPU": 1.0}], 60)
        joining = one_node.add_node(num_cpus=1)
        try:
            await opening
            assert joining.node_id in (await on_hosts(runtime, node_id)).values()
            await runtime.__aexit__(None, None, None)
        finally:
            one_node.remove_node(joining)

    asyncio.run(scene())


def node_id(_actor: object) -> str:
    """Of the node that an actor lives on."""
    found: str = ray.get_runtime_context().get_node_id()
    return found


@pytest.mark.slow
def test_a_run_completes_when_a_node_is_lost_with_every_episode_recorded_once(three_nodes: Any) -> None:
    journal, local = SqliteJournal(":memory:"), SqliteJournal(":memory:")

    async def ends(runtime: RayRuntime) -> list[EpisodeEnded]:
        return [end async for end in runtime.run(planned(factory()))]

    async def scene() -> list[EpisodeEnded]:
        each = PlacementConfig(groups={"host": HostGroup(3, Resources(cpus=1))})  # every node has one core
        runtime = RayRuntime(
            factory(), factory, journal, concurrency=3, placement=each, address=three_nodes.address, name="test"
        )
        async with runtime:
            places = await on_hosts(runtime, node_id)
            lost = next(node for node in three_nodes.list_all_nodes()[1:] if node.node_id in places.values())
            running = asyncio.create_task(ends(runtime))
            assert await until(lambda: len(journal.reader.records()) > 10)
            await asyncio.to_thread(three_nodes.remove_node, lost, allow_graceful=False)
            ended = await running
            assert runtime.host.lost == {name for name, place in places.items() if place == lost.node_id}
        return ended

    ended = asyncio.run(scene())
    assert len(asyncio.run(ends_of(factory(), local, planned(factory()), concurrency=3))) == len(GOALS)
    assert sorted(end.path for end in ended) == sorted(f"{goal}/0/0" for goal in GOALS)
    assert sum(row.state is not None for row in journal.reader.episodes()) == len(GOALS)
    assert 1 < max(row.incarnation for row in journal.reader.episodes()) < 10, (
        "a host that is gone was given work again and again"
    )
    assert content(journal) == content(local)


def play_here() -> tuple[str, list[tuple[str, int, set[int | None]]]]:
    return ray.get_runtime_context().get_node_id(), play_in_a_task()


@pytest.mark.slow
def test_each_node_plays_groups_of_its_own_for_trainers_that_have_a_policy_on_each(three_nodes: Any) -> None:
    async def scene() -> None:
        async with ray_cluster(three_nodes.address):
            nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
            assert len(nodes) >= 3
            places = [NodeAffinitySchedulingStrategy(node, soft=False) for node in nodes]
            playing = (ray.remote(play_here).options(scheduling_strategy=place).remote() for place in places)
            assert await asyncio.gather(*playing) == [(node, PLAYED) for node in nodes]

    asyncio.run(scene())
