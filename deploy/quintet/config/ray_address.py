"""Addresses of Ray clusters: read the same way in settings, in a run's record and in Ray's own variable."""

from typing import Final

AUTO: Final = "auto"
"""The address of the cluster that Ray itself would find: `RAY_ADDRESS`, or one that runs on this machine."""


def host_and_port(address: str) -> tuple[str, str]:
    """The parts of `HOST:PORT`.

    Raises:
        ValueError: it is something else.
    """
    if "://" in address:
        hint = "Ray Client is not supported: start on a node of the cluster, or submit a Ray job"
        raise ValueError(f"expected HOST:PORT or {AUTO} ({hint})")
    host, _, port = address.rpartition(":")
    if not host or not host.isprintable() or not port.isdecimal():
        raise ValueError(f"expected HOST:PORT or {AUTO}")
    return host.strip("[]"), port
