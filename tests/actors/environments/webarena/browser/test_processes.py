"""No process of a browser, and no file of it, is left, however it ends: its host is killed for real."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.actors.environments.webarena.browser.processes import below, left_of

pytestmark = pytest.mark.web

_HOST = """
import asyncio, sys
from quintet.environments.webarena.browser.browser import Browser

async def main():
    browser = Browser()
    window = await browser.window(hosts=())
    await window.open(["about:blank"])
    page = window.context.pages[0]
    hanging = asyncio.ensure_future(page.evaluate("while (true) {}")) if "hang" in sys.argv else None
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await browser.close()

asyncio.run(main())
"""


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for temporary files whose path is not too long for Chromium's socket."""
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class Host:
    """A host of its own that has a browser open."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", _HOST, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(folder)},
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        self.family = below(self.process.pid)

    def let_end(self) -> None:
        """Close what it reads."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None


@contextmanager
def _host(folder: Path, *arguments: str) -> Generator[Host]:
    host = Host(folder, *arguments)
    assert len(host.family) > 5
    try:
        yield host
    finally:
        host.process.kill()
        host.process.communicate()
    assert left_of(host.family) == []


def test_after_an_orderly_end_nothing_is_left(short: Path) -> None:
    with _host(short) as host:
        host.process.communicate(timeout=60)
        assert (left_of(host.family, 0), list(short.iterdir()), host.process.returncode) == ([], [], 0)


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("reached", ["idle", "in a script loop", "with all of its group"])
def test_when_its_host_is_ended_by_a_signal_nothing_is_left(short: Path, signum: signal.Signals, reached: str) -> None:
    with _host(short, *(["hang"] if reached == "in a script loop" else [])) as host:
        (os.killpg if reached == "with all of its group" else os.kill)(host.process.pid, signum)
        if signum == signal.SIGINT:
            host.let_end()  # a thread of it reads
        host.process.wait(60)
        assert left_of(host.family) == []
        if (reached, signum) != ("with all of its group", signal.SIGKILL):  # then the guard is killed too
            assert list(short.iterdir()) == []


@pytest.mark.parametrize("part", ["driver", "chromium", "guard"])
def test_when_a_part_is_killed_all_of_the_browser_ends_and_its_host_closes_it_in_order(short: Path, part: str) -> None:
    with _host(short, "hang") as host:
        os.kill(next(each.number for each in host.family if each.is_a(part)), signal.SIGKILL)
        assert left_of([each for each in host.family if not each.is_a("driver")]) == []
        host.process.communicate(timeout=60)
        assert (list(short.iterdir()), host.process.returncode) == ([], 0)
