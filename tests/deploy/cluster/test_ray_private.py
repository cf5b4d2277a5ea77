"""Every private name of Ray that we use exists in the installed Ray, and does what we rely on."""

import os
import platform
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray._private import ray_constants

from quintet.cluster import ray_private
from quintet.cluster.cluster import MODE, Cluster
from quintet.cluster.ray_api import ray
from quintet.cluster.reaper import make_token

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]


@pytest.fixture
def environment() -> Iterator[pytest.MonkeyPatch]:
    """Ray's client reads it again when a test's changes are undone: a client that wants a token ends its process."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch
    ray_private.read_authentication()


@pytest.fixture
def home(tmp_path: Path, environment: pytest.MonkeyPatch) -> Path:
    """A user who has no token; Ray's client has read that."""
    environment.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("RAY_AUTH")]:
        environment.delenv(name)
    ray_private.read_authentication()
    return tmp_path


def test_a_token_is_found_whether_or_not_it_is_asked_for(home: Path, environment: pytest.MonkeyPatch) -> None:
    assert not ray_private.has_token()
    environment.setenv("RAY_AUTH_TOKEN", "a" * 64)
    ray_private.read_authentication()
    assert ray_private.has_token()


def test_a_token_is_made_only_if_it_is_asked_for(home: Path) -> None:
    ray_private.make_token_if_missing()
    assert not ray_private.has_token()


def test_the_reaper_makes_a_token_that_its_user_alone_can_read(home: Path, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(MODE, "token")
    before = os.umask(0o022)
    try:
        make_token()
        assert os.umask(0) == 0o022, "files of others are made as before"
    finally:
        os.umask(before)
    assert ray_private.has_token()
    token = home / ".ray" / "auth_token"
    assert len(token.read_text()) >= 32
    assert token.stat().st_mode & 0o777 == 0o600


def test_a_loopback_address_becomes_the_machines_own_unless_it_stays() -> None:
    assert not ray_private.find_address("127.0.0.1:6379").startswith("127.")
    with ray_private.loopback_stays():
        assert ray_private.find_address("127.0.0.1:6379") == "127.0.0.1:6379"
    assert not ray_private.find_address("127.0.0.1:6379").startswith("127.")


def test_nothing_is_installed_under_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_constants, "RAY_ENABLE_UV_RUN_RUNTIME_ENV", True)  # fails if Ray has no such name
    ray_private.install_nothing()
    assert vars(ray_constants)["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] is False


def test_free_resources_are_those_of_every_node(local_cluster: Cluster) -> None:
    free = ray_private.free_resources()
    assert {node.id for node in local_cluster.nodes} <= free.keys()
    assert all(free[node.id]["CPU"] == node.resources["CPU"] for node in local_cluster.nodes)


def test_a_head_answers_and_has_no_dashboard(local_cluster: Cluster) -> None:
    assert local_cluster.nodes
    assert ray_private.ask_head()
    assert ray_private.dashboard_url() == ""


def test_a_cluster_says_its_versions_to_whoever_has_its_address(local_cluster: Cluster) -> None:
    assert local_cluster.nodes
    head = ray.get_runtime_context().gcs_address
    assert ray_private.cluster_versions(head) == (ray.__version__, platform.python_version())
