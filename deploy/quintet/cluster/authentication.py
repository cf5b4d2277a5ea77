"""Ray's token: taken from where the cluster's own node on this machine has it, or from this user."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from quintet.cluster import ray_private

MODE = "RAY_AUTH_MODE"
_VARIABLES = (MODE, "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")


@contextmanager
def authenticated(address: str, processes: Path = Path("/proc")) -> Generator[None, None, None]:
    """Inside, Ray's client authenticates as the cluster at `address` asks; the variables are as before afterwards.

    If `RAY_AUTH_MODE` is set, it decides. Else the raylet of that cluster on this machine does, if we may read its
    environment: a machine with a driver has one. Else this user's own token is used, if there is one.

    Args:
        address: of the head, as the cluster knows it.
        processes: of this machine, where Linux lists them.
    """
    before = {name: os.environ.get(name) for name in _VARIABLES}
    try:
        if MODE not in os.environ:
            os.environ.update(_as_its_node(address, processes))
            ray_private.read_authentication()
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        ray_private.read_authentication()


def _as_its_node(address: str, processes: Path) -> Mapping[str, str]:
    node = f"--gcs-address={address}"
    for process in processes.glob("[0-9]*"):
        try:
            program, *flags = (process / "cmdline").read_text().split("\0")
            if program.endswith("/raylet") and node in flags:
                return _authentication((process / "environ").read_bytes())
        except OSError:
            continue  # it ended, or is another user's
    return {MODE: "token"} if ray_private.has_token() else {}


def _authentication(environment: bytes) -> Mapping[str, str]:
    variables = (entry.partition("=") for entry in environment.decode(errors="surrogateescape").split("\0"))
    return {name: value for name, _, value in variables if name in _VARIABLES}
