"""Which node each host starts on, and whether a run fits on its cluster. No Ray."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from quintet.cluster.placement import HostPlan
from quintet.errors import UsageError
from quintet.ports.transport import HostName


@dataclass(frozen=True)
class ClusterNode:
    """A machine of the cluster, as Ray knows it."""

    id: str
    address: str
    resources: Mapping[str, float]
    """In total, whether reserved or free."""
    free: Mapping[str, float] = field(default_factory=dict[str, float])
    """What nobody has reserved."""
    drives: bool = False
    """Whether the driver's process is there."""

    def __str__(self) -> str:
        whose = ", the driver's" if self.drives else ""
        return f"node {self.address} ({self.id[:12]}{whose})"


def usable_nodes(nodes: Sequence[ClusterNode], *, exclude_driver: bool) -> Sequence[ClusterNode]:
    """The nodes that hosts may start on; may be empty only if the driver's is excluded.

    Nodes without a core, such as the head of many clusters, are left out while there are others.
    """
    allowed = [node for node in nodes if not (exclude_driver and node.drives)]
    return [node for node in allowed if node.resources.get("CPU")] or allowed


def spread_hosts(
    hosts: Iterable[HostPlan],
    nodes: Sequence[ClusterNode],
    taken: Iterable[str] = (),
    failed: Collection[str] = (),
) -> dict[HostName, ClusterNode]:
    """Choose a node for each host: one a node first, the driver's node last, then in proportion to the nodes' cores.

    The driver's process counts as a host of its node.

    Args:
        nodes: those that are usable.
        taken: ids of the nodes of hosts that live already, one for each.
        failed: ids of nodes on which a host did not start. They are chosen last.

    Returns:
        By host; without those that fit on no node as it is now, which Ray starts where room comes first.
    """
    hosts_on = Counter(taken)
    free = {node.id: dict(node.free) for node in nodes}
    places: dict[HostName, ClusterNode] = {}

    def rank(node: ClusterNode) -> tuple[bool, bool, bool, float]:
        processes = hosts_on[node.id] + node.drives
        per_core = (processes + 1) / (node.resources.get("CPU") or 1)
        return node.id in failed, hosts_on[node.id] > 0, processes > 0, per_core

    for host in hosts:
        asked = host.resources.by_name()
        fitting = [node for node in nodes if _fits(asked, free[node.id])]
        if fitting:
            places[host.name] = node = min(fitting, key=rank)
            hosts_on[node.id] += 1
            for name, amount in asked.items():
                free[node.id][name] -= amount
    return places


def describe_places(places: Mapping[HostName, ClusterNode]) -> str:
    """Which hosts are where, for a person."""
    names: defaultdict[str, list[HostName]] = defaultdict(list)
    for name, node in places.items():
        names[str(node)].append(name)
    return "; ".join(f"{', '.join(on)} on {node}" for node, on in names.items())


def describe_wait(host: HostPlan, nodes: Sequence[ClusterNode]) -> str:
    """What a host waits for that fits on no usable node as it is now, for a person; empty: it fits on one."""
    asked = host.resources.by_name()
    if not asked or any(_fits(asked, node.free) for node in nodes):
        return ""
    free = "; ".join(
        ", ".join(f"{node.free.get(name, 0):g} of {node.resources.get(name, 0):g} {name}" for name in asked)
        + f" free on {node}"
        for node in nodes
    )
    waits = f"host {host.name} reserves {_show(asked)} and waits until other work on the cluster gives so much back"
    remedy = "; with runtime.cpus=0 hosts reserve no core, and start at once" if [*asked] == ["CPU"] else ""
    return f"{waits}: {free}{remedy}"


def check_capacity(hosts: Sequence[HostPlan], nodes: Sequence[ClusterNode]) -> None:
    """Raise a `UsageError` unless each host fits on some usable node, and all of them on the cluster."""
    if not nodes:
        raise UsageError("runtime.exclude_driver: expected a node beside the driver's, got a cluster of that one alone")
    have = "; ".join(f"{node} has {_show(node.resources)}" for node in nodes)
    for host in hosts:
        asked = host.resources.by_name()
        if not any(_fits(asked, node.resources) for node in nodes):
            raise UsageError(f"host {host.name} asks for {_show(asked)}, which no node has: {have}")
    in_all = _sum(host.resources.by_name() for host in hosts)
    if not _fits(in_all, _sum(node.resources for node in nodes)):
        raise UsageError(f"{len(hosts)} hosts ask for {_show(in_all)} in all, which the nodes do not have: {have}")


def cores(nodes: Iterable[ClusterNode]) -> int:
    """CPU cores of all nodes, at least 1."""
    return max(1, int(sum(node.resources.get("CPU", 0) for node in nodes)))


def _sum(amounts: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for some in amounts:
        for name, amount in some.items():
            total[name] += amount
    return total


def _fits(asked: Mapping[str, float], present: Mapping[str, float]) -> bool:
    return all(present.get(name, 0) >= amount for name, amount in asked.items())


def _show(resources: Mapping[str, float]) -> str:
    # Ray lists each node's own address among its resources.
    named = {name: amount for name, amount in resources.items() if ":" not in name}
    return ", ".join(f"{amount:g} {name}" for name, amount in sorted(named.items())) or "nothing"
