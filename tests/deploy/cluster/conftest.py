"""One Ray for all tests that need no Ray of their own; it starts once for the whole suite."""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest
from ray.cluster_utils import Cluster as NodesOnThisMachine

from quintet.cluster.cluster import Cluster, ray_cluster


@pytest.fixture(scope="session")
def one_node() -> Iterator[Any]:
    """A cluster of one node with one core; tests may join it, and take and add nodes."""
    started = cast("Any", NodesOnThisMachine)(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    yield started
    started.shutdown()


@pytest.fixture(scope="session")
def three_nodes(one_node: Any) -> Any:
    """The same with two more."""
    for _ in range(2):
        one_node.add_node(num_cpus=1)
    return one_node


@pytest.fixture(scope="module")
def local_cluster(one_node: Any) -> Iterator[Cluster]:
    """This process is connected to the cluster, so every runtime in it is, too."""
    with asyncio.Runner() as runner:
        connection = ray_cluster(one_node.address)
        yield runner.run(connection.__aenter__())
        runner.run(connection.__aexit__(None, None, None))
