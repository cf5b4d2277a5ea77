"""Joining: this process becomes a driver of a Ray cluster, once it is sure of every node. Blocks; for a thread."""

import atexit
import logging
import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Thread

from ray._private.authentication.authentication_token_setup import enable_token_auth_by_default
from ray._private.services import canonicalize_bootstrap_address
from ray.exceptions import RayError

from quintet.cluster.head import left_to_us
from quintet.cluster.ray_api import ray
from quintet.config.sections import AUTO, host_and_port
from quintet.errors import UsageError

_REACHABLE_WITHIN = 3
"""Seconds in which a cluster must answer."""

_LEFT_WITHIN = 15.0
"""Seconds; a head that is there lets go within one, and one whose machine refuses connections within five."""

_INTERRUPTED = 130

_NO_SETTINGS = b"\0\0\0\4\0\0\0\0\0"


def join(address: str) -> None:
    """Connect to the cluster at `host:port`, or to the one that `auto` finds.

    Raises:
        UsageError: there is none, or it does not let us in.
    """
    _probe(_found() if address == AUTO else address)
    _connect(address)


def join_own(address: str) -> None:
    """Connect to a Ray that was started for us: on the loopback address, expecting Ray's token of this user."""
    with _quiet():
        enable_token_auth_by_default()
    constants = ray._private.ray_constants
    before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False  # or Ray takes the loopback address for this machine's outer one
    try:
        _connect(address)
    finally:
        constants.ENABLE_RAY_CLUSTER = before


def refuse_other(address: str | None) -> None:
    """Make sure that the cluster this process is in already is the one that is wanted.

    Raises:
        UsageError: it is another.
    """
    here = ray.get_runtime_context().gcs_address
    if address not in (None, AUTO, here):
        raise UsageError(f"--ray-address: expected {here}, the cluster that this process is in, got {address}")


def leave() -> None:
    """Undo a join, also one that was never completed. Ray would wait for a head that is silent for as long as it is."""
    leaving = Thread(target=ray.shutdown, name="leaving Ray", daemon=True)
    leaving.start()
    leaving.join(_LEFT_WITHIN)
    if leaving.is_alive():
        atexit.register(_end_without_ray)


def _end_without_ray() -> None:
    # Ray's own work at exit would wait too, and ends in a crash where it is left out.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(_INTERRUPTED)


def dashboard() -> str:
    """Where the cluster's dashboard is; empty where it has none."""
    url: str | None = ray._private.worker.get_dashboard_url()
    return f"http://{url}" if url else ""


def _found() -> str:
    try:
        return canonicalize_bootstrap_address(AUTO) or ""
    except ConnectionError as error:
        raise UsageError(f"ray address {AUTO}: {' '.join(str(error).split())}") from error


def _probe(address: str) -> None:
    """Make sure that something like a Ray head is there: Ray itself tries for minutes, and then ends the process."""
    try:
        host, port = host_and_port(address)
    except ValueError as error:
        raise UsageError(f"ray address: {error}, got {address!r}") from error
    try:
        with socket.create_connection((host, int(port)), _REACHABLE_WITHIN) as connection:
            # A head speaks gRPC, which is HTTP/2: both ends begin with their settings, frames of type 4.
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _NO_SETTINGS)
            reply = connection.recv(len(_NO_SETTINGS))
    except (OSError, OverflowError) as error:
        raise UsageError(f"ray address: expected a Ray head at {address}, got: {error}") from error
    if reply[3:4] != _NO_SETTINGS[3:4] and os.environ.get("RAY_USE_TLS", "0") == "0":
        raise UsageError(f"ray address: expected a Ray head at {address}, got something else that listens there")


def _connect(address: str) -> None:
    # Under `uv run`, Ray would install this project again for its workers. Read here, whenever Ray was imported.
    ray._private.ray_constants.RAY_ENABLE_UV_RUN_RUNTIME_ENV = False
    try:
        with _patience(), left_to_us(), _quiet():
            ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
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
