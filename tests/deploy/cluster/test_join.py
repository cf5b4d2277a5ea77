"""Joining: a wrong address is refused, before a run starts."""

import asyncio
import socket

import pytest

from quintet.cluster.cluster import ray_cluster
from quintet.errors import UsageError

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]


def refusal(address: str) -> str:
    async def scene() -> None:
        async with ray_cluster(address):
            pass

    with pytest.raises(UsageError) as refused:
        asyncio.run(scene())
    return str(refused.value)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


HEAD = "expected a Ray head at"


def test_an_address_where_no_process_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"127.0.0.1:{free_port()}"
    assert f"{HEAD} {address}, got: [Errno 111] Connection refused" in refusal(address)
    monkeypatch.setenv("RAY_ADDRESS", address)
    assert f":{address.split(':')[1]}, got: [Errno 111]" in refusal("auto"), "Ray's own variable says where it is"


def test_another_server_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "timed out" in refusal(f"127.0.0.1:{other.getsockname()[1]}")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("no-such-host.invalid:6379", f"{HEAD} no-such-host.invalid:6379, got: "),
        ("ray://head:10001", "Ray Client is not supported: start on a node of the cluster, or submit"),
        *((wrong, f"expected HOST:PORT or auto, got '{wrong}'") for wrong in ("head", "head:", ":6379", "head:port")),
    ],
)
def test_an_address_of_no_head(address: str, said: str) -> None:
    assert said in refusal(address)
