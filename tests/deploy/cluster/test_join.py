"""Joining: a wrong address is refused within seconds, before a run starts."""

import asyncio
import socket
import time

import pytest

from quintet.cluster.cluster import ray_cluster
from quintet.errors import UsageError

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]


def refusal(address: str) -> str:
    async def scene() -> None:
        async with ray_cluster(address):
            pass

    began = time.monotonic()
    with pytest.raises(UsageError) as refused:
        asyncio.run(scene())
    assert time.monotonic() - began < 6
    return str(refused.value)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_an_address_where_no_process_listens() -> None:
    address = f"127.0.0.1:{free_port()}"
    assert f"expected a Ray head at {address}, got: [Errno 111] Connection refused" in refusal(address)


def test_an_unknown_host_name() -> None:
    assert "expected a Ray head at no-such-host.invalid:6379, got: " in refusal("no-such-host.invalid:6379")


def test_another_server_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "timed out" in refusal(f"127.0.0.1:{other.getsockname()[1]}")


@pytest.mark.parametrize("address", ["head", "head:", ":6379", "head:port"])
def test_a_malformed_address(address: str) -> None:
    assert f"expected HOST:PORT or auto, got '{address}'" in refusal(address)


def test_ray_client_is_refused_with_a_hint() -> None:
    assert "Ray Client is not supported: start on a node of the cluster, or submit" in refusal("ray://head:10001")


def test_auto_follows_rays_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("RAY_ADDRESS", address)
    assert f":{address.split(':')[1]}, got: [Errno 111]" in refusal("auto")
