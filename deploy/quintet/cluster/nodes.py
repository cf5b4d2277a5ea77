"""The nodes of a cluster: what each has and runs, and why a run may not be had on them. No Ray."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quintet.cluster.placement import HostPlan
from quintet.errors import UsageError
from quintet.ports.transport import HostName


@dataclass(frozen=True)
class Node:
    """A machine of the cluster, as Ray knows it."""

    id: str
    address: str
    resources: Mapping[str, float]
    """In all, whether taken or free."""

    def __str__(self) -> str:
        return f"node {self.address} ({self.id[:12]})"


@dataclass(frozen=True)
class Versions:
    """What runs on a node; an empty text where something is not installed."""

    python: str
    ray: str
    quintet: str


def refuse_other_versions(found: Iterable[tuple[Node, Versions]], ours: Versions) -> None:
    """Compare every node with this process. Of Python the first two numbers count.

    Raises:
        UsageError: naming every node that differs, with what was expected and what it has.
    """
    wrong = [f"{node}: {difference}" for node, theirs in found for difference in _differences(theirs, ours)]
    if wrong:
        raise UsageError("; ".join(wrong))


def _differences(theirs: Versions, ours: Versions) -> Iterable[str]:
    if _minor(theirs.python) != _minor(ours.python):
        yield f"expected Python {_minor(ours.python)} as here ({ours.python}), got {theirs.python}"
    if theirs.ray != ours.ray:
        yield f"expected Ray {ours.ray}, got {theirs.ray}"
    if theirs.quintet != ours.quintet:
        got = theirs.quintet or "none: it is not installed for the Python that Ray runs there"
        yield f"expected quintet {ours.quintet}, got {got}"


def _minor(python: str) -> str:
    return ".".join(python.split(".")[:2])


def refuse_impossible(hosts: Sequence[HostPlan], nodes: Sequence[Node]) -> None:
    """Make sure that every host fits on some node, and that the cluster has enough of everything for all of them.

    Raises:
        UsageError: what was asked for, and what the nodes have.
    """
    have = "; ".join(f"{node} has {_said(node.resources)}" for node in nodes)
    for host in hosts:
        asked = host.resources.by_name()
        if not any(_fits(asked, node.resources) for node in nodes):
            raise UsageError(f"host {host.name} asks for {_said(asked)}, which no node has: {have}")
    in_all = _sum(host.resources.by_name() for host in hosts)
    if not _fits(in_all, _sum(node.resources for node in nodes)):
        raise UsageError(f"{len(hosts)} hosts ask for {_said(in_all)} in all, which the nodes do not have: {have}")


def spread(hosts: Iterable[HostPlan], nodes: Sequence[Node]) -> dict[HostName, Node]:
    """Where hosts that reserve nothing are to live: on each node as many as its share of the cores.

    For Ray, which places what is reserved, they all fit on any one node.
    """
    with_cores = [node for node in nodes if node.resources.get("CPU")] or nodes
    crowd = Counter[str]()
    places: dict[HostName, Node] = {}
    for host in hosts:
        if not host.resources.by_name():
            node = min(with_cores, key=lambda node: (crowd[node.id] + 1) / (node.resources.get("CPU") or 1))
            crowd[node.id] += 1
            places[host.name] = node
    return places


def cores(nodes: Iterable[Node]) -> int:
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


def _said(resources: Mapping[str, float]) -> str:
    # Ray lists each node's own address among its resources.
    named = {name: amount for name, amount in resources.items() if ":" not in name}
    return ", ".join(f"{amount:g} {name}" for name, amount in sorted(named.items())) or "nothing"
