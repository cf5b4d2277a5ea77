"""One Ray for all tests that need no Ray of their own; it starts once for the whole suite."""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest
from ray.cluster_utils import Cluster as NodesOnThisMachine

from quintet.cluster.cluster import Cluster, ray_cluster


@pytest.fixture(scope="session")
def three_nodes() -> Iterator[Any]:
    """A cluster of three nodes with one core each; tests may join it, and take and add nodes."""
    started = cast("Any", NodesOnThisMachine)(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    for _ in range(2):
        started.add_node(num_cpus=1)
    yield started
    started.shutdown()


@pytest.fixture(scope="module")
def local_cluster(three_nodes: Any) -> Iterator[Cluster]:
    """This process is connected to the cluster, so every runtime in it is, too."""
    with asyncio.Runner() as runner:
        connection = ray_cluster(three_nodes.address)
        yield runner.run(connection.__aenter__())
        runner.run(connection.__aexit__(None, None, None))
