"""Inspection: asks a cluster for its nodes, and every node for what runs on it. Blocks; for a thread."""

from collections.abc import Callable, Sequence
from typing import Any

from ray import ObjectRef
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster.nodes import Node, Versions, refuse_other_versions
from quintet.cluster.ray_api import ray
from quintet.errors import UsageError

_REPORT_WITHIN = 60.0
"""Seconds in which a node must say what it runs: it may have to start a Python process for that."""

_known: dict[str, Versions] = {}
"""By node: what it runs cannot change while it lives."""


def nodes() -> list[Node]:
    """The nodes that are alive."""
    found: list[dict[str, Any]] = ray.nodes()
    return [Node(node["NodeID"], node["NodeManagerAddress"], node["Resources"]) for node in found if node["Alive"]]


def check_versions(nodes: Sequence[Node]) -> None:
    """Ask every node which Python, Ray and quintet its actors would run on.

    Raises:
        UsageError: naming a node that differs from this process, or does not say.
    """
    asked = [(node, _ask(node)) for node in nodes if node.id not in _known]
    for node, report in asked:
        try:
            _known[node.id] = Versions(*ray.get(report, timeout=_REPORT_WITHIN))
        except RayError as error:
            raise UsageError(f"{node}: cannot say which versions it runs: {' '.join(str(error).split())}") from error
    ours = Versions(*_reporter()())
    refuse_other_versions(((node, _known[node.id]) for node in nodes), ours)


def _ask(node: Node) -> "ObjectRef[tuple[str, str, str]]":
    here = NodeAffinitySchedulingStrategy(node.id, soft=False)
    task = ray.remote(num_cpus=0, max_retries=0)(_reporter())
    report: ObjectRef[tuple[str, str, str]] = task.options(name="versions", scheduling_strategy=here).remote()
    return report


def _reporter() -> Callable[[], tuple[str, str, str]]:
    # A function inside a function travels as code, not by name: it runs where this package is not installed.
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
