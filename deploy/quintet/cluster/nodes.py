"""The nodes of a cluster: their resources and versions. Asks Ray; blocks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ray import ObjectRef
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster import ray_private
from quintet.cluster.ray_api import ray
from quintet.cluster.spread import ClusterNode
from quintet.errors import UsageError


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


def check_cluster(head: str) -> str:
    """The versions of Ray and Python of the cluster at `head`, in words, without joining it.

    Raises:
        UsageError: they are others than here, or the head does not say.
    """
    ours = Versions(*_reporter()())
    try:
        its_ray, its_python = ray_private.cluster_versions(head)
    except (RayError, RuntimeError) as error:
        raise UsageError(f"Ray at {head}: expected its versions, got: {' '.join(str(error).split())}") from error
    theirs = replace(ours, ray=its_ray, python=its_python)
    if wrong := "; ".join(_differences(theirs, ours)):
        raise UsageError(f"Ray at {head}: {wrong}")
    return f"Ray {its_ray}, Python {its_python}"


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


_REPORT_WITHIN = 60.0
"""Seconds in which a node must report its versions: it may have to start a Python process for that."""

_known: dict[str, Versions] = {}
"""By node; they cannot change while it lives."""


def alive_nodes() -> list[ClusterNode]:
    """The nodes that are alive."""
    found: list[dict[str, Any]] = ray.nodes()
    free, own = ray_private.free_resources(), ray.get_runtime_context().get_node_id()
    return [
        ClusterNode(
            node["NodeID"],
            node["NodeManagerAddress"],
            node["Resources"],
            free.get(node["NodeID"], {}),
            drives=node["NodeID"] == own,
        )
        for node in found
        if node["Alive"]
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
