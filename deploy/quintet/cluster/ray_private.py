"""What we use of Ray that Ray calls private: each name is here, and `test_ray_private.py` tries it.

Ray may move any of them in a minor version. `make test-ray` tries the oldest and the newest that we allow.
"""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from ray import _raylet  # pyright: ignore[reportPrivateUsage]
from ray._common.usage.usage_constants import CLUSTER_METADATA_KEY
from ray._private import ray_constants, services
from ray._private.authentication import authentication_token_setup
from ray.exceptions import RayError

from quintet.cluster.ray_api import ray

_TOKENS: Any = _raylet
_CONSTANTS: Any = ray_constants
_ANSWER_WITHIN = 2
"""Seconds."""


def read_authentication() -> None:
    """Let Ray's client read `RAY_AUTH_MODE` and the token's variables again. It reads them once, at its import."""
    _TOKENS.Config.initialize("")
    _TOKENS.AuthenticationTokenLoader.instance().reset_cache()


def has_token() -> bool:
    """Whether this user has a token, in a variable or in `~/.ray/auth_token`."""
    return bool(_TOKENS.AuthenticationTokenLoader.instance().has_token(ignore_auth_mode=True))


def make_token_if_missing() -> None:
    """Write a token to `~/.ray/auth_token` if `RAY_AUTH_MODE` is `token` and there is none."""
    authentication_token_setup.ensure_token_if_auth_enabled()


def find_address(address: str) -> str:
    """A head's address as its cluster knows it; empty: none. A `ConnectionError` if `auto` finds several."""
    return services.canonicalize_bootstrap_address(address) or ""


@contextmanager
def loopback_stays() -> Generator[None, None, None]:
    """Inside, Ray does not replace the loopback address of a head by this machine's public one."""
    before = _CONSTANTS.ENABLE_RAY_CLUSTER
    _CONSTANTS.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        _CONSTANTS.ENABLE_RAY_CLUSTER = before


def install_nothing() -> None:
    """Under `uv run`, Ray would install this project again for its workers. Ray reads this when it connects."""
    _CONSTANTS.RAY_ENABLE_UV_RUN_RUNTIME_ENV = False


def dashboard_url() -> str:
    """Host and port of the dashboard of the cluster that this process is connected to; empty if it has none."""
    return ray._private.worker.get_dashboard_url() or ""


def ask_head() -> bool:
    """Whether the head of this process's cluster answers, asked once. Blocks for two seconds at most."""
    try:
        ray._private.worker.global_worker.gcs_client.internal_kv_exists(b"head", b"quintet", timeout=_ANSWER_WITHIN)
    except RayError:
        return False
    return True


def cluster_versions(head: str) -> tuple[str, str]:
    """The versions of Ray and Python of a cluster, which need not be joined; a `RayError` if its head does not say."""
    client = _TOKENS.GcsClient(address=head)
    place = {"namespace": _CONSTANTS.KV_NAMESPACE_CLUSTER, "timeout": _ANSWER_WITHIN}
    found: dict[str, str] = json.loads(client.internal_kv_get(CLUSTER_METADATA_KEY, **place) or b"{}")
    return found.get("ray_version", ""), found.get("python_version", "")


def free_resources() -> Mapping[str, Mapping[str, float]]:
    """What nobody has reserved, by node; some tenths of a second old."""
    found: Mapping[str, Mapping[str, float]] = ray._private.state.available_resources_per_node()
    return found
