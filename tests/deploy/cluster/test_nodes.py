"""Nodes: other versions and impossible placements are refused by name."""

import pytest

from quintet.cluster.nodes import ClusterNode, Versions, check_capacity, compare_versions, cores, spread_hosts
from quintet.cluster.placement import HostGroup, PlacementConfig, Resources, lay_out
from quintet.errors import UsageError

SMALL = ClusterNode("a" * 56, "10.0.0.1", {"CPU": 2.0, "memory": 1e9, "node:10.0.0.1": 1.0})
LARGE = ClusterNode("b" * 56, "10.0.0.2", {"CPU": 8.0, "GPU": 1.0, "memory": 64e9})
OURS = Versions("3.11.7", "2.60.0", "0.1.0")


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (Versions("3.12.1", "2.60.0", "0.1.0"), "expected Python 3.11 as here (3.11.7), got 3.12.1"),
        (Versions("3.11.7", "2.59.0", "0.1.0"), "expected Ray 2.60.0, got 2.59.0"),
        (Versions("3.11.7", "2.60.0", "0.2.0"), "expected quintet 0.1.0, got 0.2.0"),
        (Versions("3.11.7", "2.60.0", ""), "expected quintet 0.1.0, got none: it is not installed"),
    ],
)
def test_a_node_that_differs_is_named_with_what_was_expected(theirs: Versions, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        compare_versions([(SMALL, OURS), (LARGE, theirs)], OURS)
    assert str(refused.value).startswith(f"node 10.0.0.2 (bbbbbbbbbbbb): {said}")


def test_another_patch_of_python_is_no_difference() -> None:
    compare_versions([(SMALL, Versions("3.11.2", "2.60.0", "0.1.0"))], OURS)


def refuse(resources: Resources, hosts: int = 1) -> str:
    placement = PlacementConfig(groups={"executor": HostGroup(hosts, resources)})
    layout = lay_out(placement, ("executor", "environment", "subtask"), cores=2, concurrency=1)
    with pytest.raises(UsageError) as refused:
        check_capacity(layout.hosts, [SMALL, LARGE])
    return str(refused.value)


def test_a_host_that_fits_on_no_node_is_refused_with_what_the_nodes_have() -> None:
    assert refuse(Resources(cpus=9, gpus=1)) == (
        "host executor asks for 9 CPU, 1 GPU, which no node has: node 10.0.0.1 (aaaaaaaaaaaa) has 2 CPU, 1e+09 memory; "
        "node 10.0.0.2 (bbbbbbbbbbbb) has 8 CPU, 1 GPU, 6.4e+10 memory"
    )
    assert "asks for 1 tpu, which no node has" in refuse(Resources(custom={"tpu": 1}))


def test_hosts_that_fit_one_by_one_but_not_together_are_refused() -> None:
    assert refuse(Resources(gpus=1), hosts=2).startswith("3 hosts ask for 2 GPU in all, which the nodes do not have")


def test_hosts_that_fit_are_accepted() -> None:
    layout = lay_out(PlacementConfig(), ("executor", "environment", "subtask"), cores=2, concurrency=1)
    check_capacity(layout.hosts, [SMALL])


def test_cores_are_those_of_all_nodes_and_at_least_one() -> None:
    assert cores([SMALL, LARGE]) == 10
    assert cores([ClusterNode("c", "10.0.0.3", {})]) == 1


def test_hosts_that_reserve_nothing_are_spread_by_cores() -> None:
    headless = ClusterNode("c" * 56, "10.0.0.3", {"CPU": 0.0})
    hosts = lay_out(PlacementConfig(hosts=10), ("executor", "environment", "subtask"), cores=10, concurrency=10).hosts
    places = [node.address for node in spread_hosts(hosts, [headless, SMALL, LARGE]).values()]
    assert (places.count("10.0.0.1"), places.count("10.0.0.2")) == (2, 8)
    assert len(spread_hosts(hosts, [headless])) == 10


def test_ray_places_hosts_that_reserve_resources() -> None:
    placement = PlacementConfig(groups={"executor": HostGroup(2, Resources(gpus=1))})
    hosts = lay_out(placement, ("executor", "environment", "subtask"), cores=1, concurrency=1).hosts
    assert set(spread_hosts(hosts, [SMALL, LARGE])) == {"host"}
