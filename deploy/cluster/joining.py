"""Joining: this process becomes a driver of a Ray cluster, once it is sure of every node. Blocks; for a thread."""

import logging
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager

import ray
from ray._private import ray_constants
from ray._private.authentication.authentication_token_setup import enable_token_auth_by_default
from ray._private.worker import get_dashboard_url

from protocols.errors import UsageError

_REACHABLE_WITHIN = 3
"""Seconds in which a cluster must answer."""

AUTO = "auto"
"""The address of the cluster that Ray itself would find: `RAY_ADDRESS`, or one that runs on this machine."""


def join(address: str) -> None:
    """Connect to the cluster at `host:port`, or to the one that `auto` finds.

    Raises:
        UsageError: there is none, or it does not let us in.
    """
    if address != AUTO:
        _probe(address)
    _connect(address)


def join_own(address: str) -> None:
    """Connect to a Ray that was started for us: on the loopback address, expecting Ray's token of this user."""
    with _quiet():
        enable_token_auth_by_default()
    before = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False  # or Ray takes the loopback address for this machine's outer one
    try:
        _connect(address)
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before


def leave() -> None:
    """Undo a join, also one that was never completed."""
    ray.shutdown()


def dashboard() -> str:
    """Where the cluster's dashboard is; empty where it has none."""
    url = get_dashboard_url()
    return f"http://{url}" if url else ""


def _probe(address: str) -> None:
    # Ray itself tries for a long time, and for some addresses ends the process.
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdecimal():
        hint = "; Ray Client is not supported: start on a node of the cluster, or submit a Ray job" * ("://" in address)
        raise UsageError(f"ray address: expected host:port or {AUTO}, got {address!r}{hint}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACHABLE_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise UsageError(f"ray address: expected a Ray head at {address}, got: {error}") from error


def _connect(address: str) -> None:
    # Under `uv run`, Ray would install this project again for its workers. Read here, whenever Ray was imported.
    ray_constants.RAY_ENABLE_UV_RUN_RUNTIME_ENV = False
    try:
        with _patience(), _quiet():
            ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        leave()
        raise UsageError(f"ray address {address}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if "AuthenticationError" in str(error.__cause__):
        return "the cluster asks for a token: set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or ~/.ray/auth_token"
    return " ".join(str(error).split())


@contextmanager
def _patience() -> Generator[None, None, None]:
    """Without which Ray tries for 20 seconds. It reads the variable each time it connects."""
    name = "RAY_gcs_server_port_wait_time_s"
    before = os.environ.get(name)
    os.environ[name] = before or str(_REACHABLE_WITHIN)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]


@contextmanager
def _quiet() -> Generator[None, None, None]:
    """Without what Ray remarks on the way: that it was not called on the main thread, that it found a token."""
    logger = logging.getLogger("ray")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
