"""A Ray head for one test, which can be stopped and killed."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType


class RayHead:
    """A head with one node, on this machine."""

    def __init__(self, address: str, folder: str) -> None:
        self.address = address
        self._folder = folder

    def signal_control(self, number: signal.Signals) -> None:
        """Send a signal to Ray's control process only."""
        (control,) = (pid for pid, words in self.processes() if "gcs_server" in words.split("\0")[0])
        os.kill(control, number)

    def processes(self) -> Generator[tuple[int, str], None, None]:
        """Every process of the head that names its folder, with its command line."""
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                words = (entry / "cmdline").read_text()
                if self._folder in words:
                    yield int(entry.name), words


@contextmanager
def ray_head(
    authentication: Mapping[str, str] = MappingProxyType({"RAY_AUTH_MODE": "disabled"}),
) -> Generator[RayHead, None, None]:
    named = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_memory_monitor_refresh_ms": "0"}
    environment = os.environ | named | dict(authentication)
    ray = Path(sys.executable).with_name("ray")
    with tempfile.TemporaryDirectory(prefix="head-", ignore_cleanup_errors=True) as folder:
        flags = ["--head", "--port=0", "--num-cpus=1", "--include-dashboard=false", f"--temp-dir={folder}"]
        said = subprocess.run(
            [ray, "start", *flags], env=environment, capture_output=True, text=True, check=True
        ).stdout
        found = re.search(r"--address='([^']+)'", said)
        assert found is not None, said
        head = RayHead(found[1], folder)
        try:
            yield head
        finally:
            for pid, _ in list(head.processes()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
