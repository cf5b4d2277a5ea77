"""Ray on this machine for many scenarios: one head, a second node where a scenario kills one, and the hosts on them."""

import atexit
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

from quintet.roles.registry import ROLES
from tests.deploy.cluster.heads import RayHead, ray_head
from tests.deploy.cluster.programs import soon

_HOST = re.compile(rf"ray::({'|'.join(['RayHost', *(role.name.title() for role in ROLES)])})\b")
"""Ray names an actor's process by its class: a host's is that of its role."""


class RayNodes:
    """A head, started once."""

    def __init__(self, head: RayHead) -> None:
        self._head = head
        self.address = head.address
        self._beside: dict[int, set[int]] = {}
        """By the raylet of a further node, the processes that Ray started beside it, which would outlive it."""

    def raylets(self) -> set[int]:
        """The process of each node."""
        return {
            number
            for number, words in _processes()
            if words[0].endswith("/raylet") and f"--gcs-address={self.address}" in words
        }

    def _parts(self) -> set[int]:
        """All processes of the cluster that name its address."""
        return {number for number, words in _processes() if f"--gcs-address={self.address}" in words}

    def hosts(self, of: set[int] | None = None) -> list[int]:
        """Processes of runs' hosts, on all nodes or on those of some raylets, in order."""
        raylets = self.raylets() if of is None else of
        named = {number for number, words in _processes() if _HOST.match(words[0])}
        return sorted(named & {child for raylet in raylets for child in _children(raylet)})

    def add_node(self) -> int:
        """Start a further node; returns its raylet's process."""
        before, all_before = self.raylets(), self._parts()
        words = [str(Path(sys.executable).with_name("ray")), "start", f"--address={self.address}", "--num-cpus=1"]
        environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
        subprocess.run(words, env=environment, capture_output=True, check=True)
        (raylet,) = self.raylets() - before
        self._beside[raylet] = self._parts() - all_before - {raylet}
        return raylet

    def kill(self, process: int) -> None:
        """End a process at once, unless it has ended; with a further node's raylet, what Ray started beside it."""
        for each in (process, *self._beside.pop(process, ())):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def without_hosts(self) -> bool:
        """Whether all hosts of runs end within the time that they are given when their driver is gone."""
        return soon(lambda: not self.hosts(), seconds=30)


@cache
def ray_nodes() -> RayNodes:
    """The nodes of this process, which end with it."""
    stack = ExitStack()
    atexit.register(stack.close)
    return RayNodes(stack.enter_context(ray_head()))


def _processes() -> Iterator[tuple[int, list[str]]]:
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (entry / "cmdline").read_text(errors="replace").split("\0")
            if words[0]:
                yield int(entry.name), words


def _children(process: int) -> set[int]:
    with suppress(OSError):
        return {int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()}
    return set()
