"""Joining and leaving a Ray cluster as a driver. Blocks; call it in a thread."""

import atexit
import logging
import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Thread

from ray.exceptions import RayError

from quintet.cluster import ray_private
from quintet.cluster.ray_api import ray, variables_kept
from quintet.config.values import AUTO, host_and_port
from quintet.errors import UsageError

_REACHABLE_WITHIN = 3
"""Seconds in which a cluster must answer."""

_LEFT_WITHIN, _LEFT_LOST_WITHIN = 15.0, 7.0
"""Seconds. Leaving takes one if the head answers, five if its machine refuses connections, and else never ends."""

_WAIT = "RAY_gcs_server_port_wait_time_s"
"""Seconds after which Ray gives up to connect, instead of 20. It reads this each time it connects, as the next."""

_PATIENCE = "RAY_gcs_rpc_server_reconnect_timeout_s"
"""Seconds after which its client ends this process if the head goes away."""

_INTERRUPTED = 130

_NO_SETTINGS = b"\0\0\0\4\0\0\0\0\0"


def find(address: str) -> str:
    """The address of the head at `host:port` or found by `auto`, as its cluster knows it; a `UsageError` if none is."""
    try:
        found = ray_private.find_address(AUTO) if address == AUTO else address
    except ConnectionError as error:
        raise UsageError(f"ray address {AUTO}: {' '.join(str(error).split())}") from error
    _probe(found)
    return ray_private.find_address(found)


def join(address: str) -> None:
    """Connect to the cluster whose head is at `address`; a `UsageError` if it refuses us."""
    # Under `uv run`, Ray would install this project again for its workers.
    ray_private.install_nothing()
    try:
        with variables_kept(_WAIT, _PATIENCE), _quiet():
            os.environ.setdefault(_WAIT, str(_REACHABLE_WITHIN))
            os.environ[_PATIENCE] = str(10**6)
            ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        leave()
        raise UsageError(f"ray address {address}: {_reason(error)}") from error


def join_own(address: str) -> None:
    """Connect to a Ray that the reaper started, on the loopback address."""
    with ray_private.loopback_stays():
        join(address)


def refuse_other(address: str | None) -> None:
    """Raise a `UsageError` unless the cluster this process already uses is the one at `address`."""
    here = ray.get_runtime_context().gcs_address
    if address not in (None, AUTO, here):
        raise UsageError(f"--ray-address: expected {here}, the cluster that this process is in, got {address}")


def leave() -> None:
    """Undo a join, even an incomplete one. Ray alone would wait for a silent head without limit."""
    there = not ray.is_initialized() or ray_private.ask_head()
    leaving = Thread(target=ray.shutdown, name="leaving Ray", daemon=True)
    leaving.start()
    leaving.join(_LEFT_WITHIN if there else _LEFT_LOST_WITHIN)
    if leaving.is_alive():
        atexit.register(_end_without_ray)


def _end_without_ray() -> None:
    # Ray's own exit handlers would wait too, and crash if their work was skipped.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(_INTERRUPTED)


def dashboard() -> str:
    """URL of the cluster's dashboard; empty if it has none."""
    url = ray_private.dashboard_url()
    return f"http://{url}" if url else ""


def _probe(address: str) -> None:
    """Check that something like a Ray head answers: Ray itself tries for minutes, and then ends the process."""
    try:
        host, port = host_and_port(address)
    except ValueError as error:
        raise UsageError(f"ray address: {error}, got {address!r}") from error
    try:
        with socket.create_connection((host, int(port)), _REACHABLE_WITHIN) as connection:
            # A head speaks gRPC over HTTP/2: both ends begin with a settings frame, of type 4.
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _NO_SETTINGS)
            reply = connection.recv(len(_NO_SETTINGS))
    except (OSError, OverflowError) as error:
        raise UsageError(f"ray address: expected a Ray head at {address}, got: {error}") from error
    if reply[3:4] != _NO_SETTINGS[3:4] and os.environ.get("RAY_USE_TLS", "0") == "0":
        raise UsageError(f"ray address: expected a Ray head at {address}, got another kind of server")


def _reason(error: Exception) -> str:
    if "AuthenticationError" in str(error.__cause__):
        return "the cluster asks for a token: set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or ~/.ray/auth_token"
    return " ".join(str(error).split())


@contextmanager
def _quiet() -> Generator[None, None, None]:
    """Hide Ray's warnings about threads and tokens."""
    logger = logging.getLogger("ray")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
