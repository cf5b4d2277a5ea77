"""A local Ray for the tests of a module; every runtime in it is already connected."""

import asyncio
from collections.abc import Iterator

import pytest

from quintet.cluster.cluster import Cluster, ray_cluster


@pytest.fixture(scope="module")
def local_cluster() -> Iterator[Cluster]:
    with asyncio.Runner() as runner:
        connection = ray_cluster(None, dashboard=False)
        yield runner.run(connection.__aenter__())
        runner.run(connection.__aexit__(None, None, None))
