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


def test_the_variables_are_those_of_the_clusters_own_node(tmp_path: Path) -> None:
    found = processes(tmp_path, other=f"{MODE}=token {TOKEN}=others", ray=f"PATH=/bin {MODE}=token {TOKEN}=ours")
    with authenticated(ADDRESS, found):
        assert variables() == {MODE: "token", TOKEN: "ours"}
    assert variables() == {}


def test_a_cluster_that_asks_for_no_token_gets_none(tmp_path: Path) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("a" * 64)
    folder = tmp_path / "proc"
    folder.mkdir()
    with authenticated(ADDRESS, processes(folder, ray="PATH=/bin")):
        assert variables() == {}


def test_without_a_node_to_look_at_the_users_own_token_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with authenticated(ADDRESS, processes(tmp_path, other=f"{MODE}=token")):
        assert variables() == {}
        monkeypatch.setenv(TOKEN, "b" * 64)
        with authenticated(ADDRESS, tmp_path):
            assert variables() == {MODE: "token", TOKEN: "b" * 64}


def test_a_mode_that_is_set_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODE, "disabled")
    with authenticated(ADDRESS, processes(tmp_path, ray=f"{MODE}=token {TOKEN}=ours")):
        assert variables() == {MODE: "disabled"}


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
