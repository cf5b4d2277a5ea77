"""Ray's token: `ray start` with a token, and a driver whose shell has none."""

import asyncio
import os
import secrets
from pathlib import Path

import pytest

from quintet.cluster.cluster import MODE, authenticated, ray_cluster
from quintet.errors import UsageError
from tests.deploy.cluster.heads import ray_head

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

TOKEN = "RAY_AUTH_TOKEN"
ADDRESS = "10.0.0.5:6379"


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("RAY_AUTH")]:
        monkeypatch.delenv(name)


def processes(folder: Path, **environments: str) -> Path:
    """A folder like /proc, with a raylet for each environment, and others."""
    programs = {"ray": f"/ray/raylet\0--gcs-address={ADDRESS}\0", "other": "/ray/raylet\0--gcs-address=10.0.0.9:6379\0"}
    for number, (name, environment) in enumerate(environments.items()):
        process = folder / str(number + 2)
        process.mkdir()
        (process / "cmdline").write_text(programs[name])
        (process / "environ").write_text(environment.replace(" ", "\0"))
    (folder / "1").mkdir()  # its files cannot be read
    return folder


def variables() -> dict[str, str]:
    return {name: os.environ[name] for name in (MODE, TOKEN) if name in os.environ}


@pytest.mark.parametrize(
    ("nodes", "set_here", "found"),
    [
        pytest.param(
            {"other": f"{MODE}=token {TOKEN}=others", "ray": f"PATH=/bin {MODE}=token {TOKEN}=ours"},
            {},
            {MODE: "token", TOKEN: "ours"},
            id="those-of-the-cluster-s-own-node",
        ),
        pytest.param({"ray": "PATH=/bin"}, {TOKEN: "b" * 64}, {TOKEN: "b" * 64}, id="the-cluster-asks-for-none"),
        pytest.param({"other": f"{MODE}=token"}, {}, {}, id="no-node-to-look-at-and-no-token"),
        pytest.param({}, {TOKEN: "b" * 64}, {MODE: "token", TOKEN: "b" * 64}, id="no-node-but-the-user-s-own-token"),
        pytest.param({"ray": f"{MODE}=token"}, {MODE: "disabled"}, {MODE: "disabled"}, id="a-mode-that-is-set-stays"),
    ],
)
def test_the_variables_with_which_a_cluster_is_joined(
    nodes: dict[str, str],
    set_here: dict[str, str],
    found: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in set_here.items():
        monkeypatch.setenv(name, value)
    with authenticated(ADDRESS, processes(tmp_path, **nodes)):
        assert variables() == found
    assert variables() == set_here


@pytest.mark.slow
@pytest.mark.parametrize("address", ["explicit", "auto"])
def test_a_driver_joins_a_cluster_whose_token_its_shell_does_not_have(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(address: str) -> int:
        async with ray_cluster(address) as cluster:
            return len(cluster.nodes)

    with ray_head({MODE: "token", TOKEN: secrets.token_hex(32)}) as head:
        monkeypatch.setenv("RAY_ADDRESS", head.address)
        given = head.address if address == "explicit" else "auto"
        assert asyncio.run(scene(given)) == 1
        assert variables() == {}
        monkeypatch.setenv(MODE, "disabled")
        with pytest.raises(UsageError, match="the cluster asks for a token"):
            asyncio.run(scene(given))
