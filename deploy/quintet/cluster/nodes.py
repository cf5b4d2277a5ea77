"""The nodes of a cluster: their resources and versions, and whether a run fits on them. Asks Ray; blocks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ray import ObjectRef
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster.placement import HostPlan
from quintet.cluster.ray_api import ray
from quintet.errors import UsageError
from quintet.ports.transport import HostName


@dataclass(frozen=True)
class ClusterNode:
    """A machine of the cluster, as Ray knows it."""

    id: str
    address: str
    resources: Mapping[str, float]
    """In total, whether reserved or free."""

    def __str__(self) -> str:
        return f"node {self.address} ({self.id[:12]})"


@dataclass(frozen=True)
class Versions:
    """What is installed on a node; empty if it is not."""

    python: str
    ray: str
    quintet: str


def compare_versions(found: Iterable[tuple[ClusterNode, Versions]], ours: Versions) -> None:
    """Raise a `UsageError` that names the nodes with other versions; only Python's patch version may differ."""
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


def check_capacity(hosts: Sequence[HostPlan], nodes: Sequence[ClusterNode]) -> None:
    """Raise a `UsageError` unless each host fits on some node, and all of them on the cluster."""
    have = "; ".join(f"{node} has {_show(node.resources)}" for node in nodes)
    for host in hosts:
        asked = host.resources.by_name()
        if not any(_fits(asked, node.resources) for node in nodes):
            raise UsageError(f"host {host.name} asks for {_show(asked)}, which no node has: {have}")
    in_all = _sum(host.resources.by_name() for host in hosts)
    if not _fits(in_all, _sum(node.resources for node in nodes)):
        raise UsageError(f"{len(hosts)} hosts ask for {_show(in_all)} in all, which the nodes do not have: {have}")


def spread_hosts(
    hosts: Iterable[HostPlan], nodes: Sequence[ClusterNode], taken: Iterable[str] = ()
) -> dict[HostName, ClusterNode]:
    """Choose a node for each host that reserves nothing, in proportion to the nodes' cores.

    Ray would put them all on one node. Hosts that reserve something are left to Ray.

    Args:
        nodes: of the cluster, at least one.
        taken: ids of the nodes of hosts that live already, one for each.
    """
    with_cores = [node for node in nodes if node.resources.get("CPU")] or nodes
    hosts_on = Counter(taken)
    places: dict[HostName, ClusterNode] = {}
    for host in hosts:
        if not host.resources.by_name():
            node = min(with_cores, key=lambda node: (hosts_on[node.id] + 1) / (node.resources.get("CPU") or 1))
            hosts_on[node.id] += 1
            places[host.name] = node
    return places


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


_REPORT_WITHIN = 60.0
"""Seconds in which a node must report its versions: it may have to start a Python process for that."""

_known: dict[str, Versions] = {}
"""By node; they cannot change while it lives."""


def alive_nodes() -> list[ClusterNode]:
    """The nodes that are alive."""
    found: list[dict[str, Any]] = ray.nodes()
    return [
        ClusterNode(node["NodeID"], node["NodeManagerAddress"], node["Resources"]) for node in found if node["Alive"]
    ]


def check_versions(nodes: Sequence[ClusterNode]) -> None:
    """Raise a `UsageError` if a node has another Python, Ray or quintet than here, or does not answer."""
    asked = [(node, _ask(node)) for node in nodes if node.id not in _known]
    for node, report in asked:
        try:
            _known[node.id] = Versions(*ray.get(report, timeout=_REPORT_WITHIN))
        except RayError as error:
            raise UsageError(f"{node}: expected its versions, got: {' '.join(str(error).split())}") from error
    ours = Versions(*_reporter()())
    compare_versions(((node, _known[node.id]) for node in nodes), ours)


def _ask(node: ClusterNode) -> "ObjectRef[tuple[str, str, str]]":
    here = NodeAffinitySchedulingStrategy(node.id, soft=False)
    task = ray.remote(num_cpus=0, max_retries=0)(_reporter())
    report: ObjectRef[tuple[str, str, str]] = task.options(name="versions", scheduling_strategy=here).remote()
    return report


def _reporter() -> Callable[[], tuple[str, str, str]]:
    # Pickled as code, not by name, because it is a nested function. So it runs on nodes without this package.
    def report() -> tuple[str, str, str]:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        import ray

        try:
            quintet = version("quintet-agents")
        except PackageNotFoundError:
            quintet = ""
        return platform.python_version(), ray.__version__, quintet

    return report
