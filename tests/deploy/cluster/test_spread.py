"""Where hosts start: one a node first, the driver's node last; what does not fit is refused by name."""

from collections.abc import Mapping

import pytest

from quintet.cluster.placement import HostGroup, HostPlan, PlacementConfig, Resources, lay_out
from quintet.cluster.spread import (
    ClusterNode,
    check_capacity,
    cores,
    describe_places,
    describe_wait,
    spread_hosts,
    usable_nodes,
)
from quintet.errors import UsageError
from quintet.ports.transport import HostName

SMALL = ClusterNode("a" * 56, "10.0.0.1", {"CPU": 2.0, "memory": 1e9, "node:10.0.0.1": 1.0})
LARGE = ClusterNode("b" * 56, "10.0.0.2", {"CPU": 8.0, "GPU": 1.0, "memory": 64e9})
A_LITTLE = Resources(cpus=0.01)


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


def node(name: str, cpus: float = 2.0, *, free: Mapping[str, float] | None = None, drives: bool = False) -> ClusterNode:
    return ClusterNode(name * 56, name, {"CPU": cpus}, {"CPU": cpus} if free is None else free, drives=drives)


DRIVER = node("d", drives=True)


def spread(count: int, *nodes: ClusterNode, resources: Resources = A_LITTLE, taken: str = "", failed: str = "") -> str:
    """The nodes of so many hosts, in order; `-` for a host that is left to Ray."""
    hosts = [HostPlan(HostName(f"host-{number}"), ("subtask",), resources) for number in range(count)]
    places = spread_hosts(hosts, nodes, [name * 56 for name in taken], {name * 56 for name in failed})
    return "".join(places[host.name].address if host.name in places else "-" for host in hosts)


def test_every_node_has_one_host_before_any_has_two_and_the_drivers_is_the_last() -> None:
    assert spread(4, DRIVER, node("x"), node("y"), node("z")) == "xyzd"
    assert spread(3, node("d", 64, drives=True), node("x"), node("y"), node("z")) == "xyz"


def test_further_hosts_follow_the_cores_and_the_driver_counts_as_one() -> None:
    assert sorted(spread(9, node("x", 2), node("y", 4))) == sorted("xxxyyyyyy")
    assert sorted(spread(5, DRIVER, node("x"))) == sorted("ddxxx")


def test_hosts_that_live_already_count() -> None:
    assert spread(2, node("x"), node("y"), node("z"), taken="x") == "yz"
    assert spread(1, node("x"), node("y"), taken="xxy") == "y"


def test_a_host_starts_where_there_is_room_and_is_left_to_ray_if_there_is_none() -> None:
    full, one_core = node("x", free={"CPU": 0.0}), Resources(cpus=1)
    assert spread(1, full, DRIVER) == "d"
    assert spread(3, full, node("y"), resources=one_core) == "yy-"
    assert spread(2, full, node("y", free={}), resources=Resources()) == "xy"


def test_a_node_on_which_a_host_did_not_start_is_the_last_that_is_tried_again() -> None:
    assert spread(2, node("x"), node("y"), DRIVER, failed="x") == "yd"
    assert spread(1, node("x"), failed="x") == "x"


def test_one_node_has_all_hosts() -> None:
    assert spread(3, DRIVER) == "ddd"


def test_the_drivers_node_may_be_excluded_and_a_node_without_cores_is_used_if_there_is_no_other() -> None:
    headless = node("h", 0)
    assert usable_nodes([headless, DRIVER, SMALL], exclude_driver=True) == [SMALL]
    assert usable_nodes([headless, DRIVER, SMALL], exclude_driver=False) == [DRIVER, SMALL]
    assert usable_nodes([headless], exclude_driver=False) == [headless]
    with pytest.raises(UsageError, match=r"exclude_driver: expected a node beside the driver's"):
        check_capacity([], usable_nodes([DRIVER], exclude_driver=True))


def test_places_are_described_by_node() -> None:
    places = {HostName("host"): SMALL, HostName("host-2"): DRIVER, HostName("host-3"): SMALL}
    assert describe_places(places) == (
        "host, host-3 on node 10.0.0.1 (aaaaaaaaaaaa); host-2 on node d (dddddddddddd, the driver's)"
    )


def test_a_host_that_waits_says_for_what_and_how_it_need_not() -> None:
    full, other = node("a", free={"CPU": 0.0}), node("b", free={})
    host = HostPlan(HostName("host"), ("subtask",), A_LITTLE)
    assert describe_wait(host, [full, other]) == (
        "host host reserves 0.01 CPU and waits until other work on the cluster gives so much back: "
        "0 of 2 CPU free on node a (aaaaaaaaaaaa); 0 of 2 CPU free on node b (bbbbbbbbbbbb); "
        "with runtime.cpus=0 hosts reserve no core, and start at once"
    )
    assert describe_wait(host, [full, node("c")]) == ""
    assert describe_wait(HostPlan(HostName("host"), ("subtask",), Resources()), [full]) == ""
    with_gpu = HostPlan(HostName("host"), ("subtask",), Resources(cpus=1, gpus=1))
    assert describe_wait(with_gpu, [full]).endswith("0 of 2 CPU, 0 of 0 GPU free on node a (aaaaaaaaaaaa)")
