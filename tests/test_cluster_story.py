"""The story of a run on a cluster, as its page tells it: watched in the browser, a host killed, stopped and resumed."""

import os
import re
import secrets
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import open_any
from tests.deploy.cluster.heads import RayHead, ray_head

pytestmark = [pytest.mark.slow, pytest.mark.ray, pytest.mark.xdist_group("ray")]

PAGE = (Path(__file__).parents[1] / "docs" / "stories" / "cluster.md").read_text()
RUN = Path("runs/cluster")


def command(beginning: str) -> list[str]:
    """The one command line of the page that begins so."""
    [line] = {line.strip() for line in PAGE.splitlines() if line.startswith(f"    {beginning}")}
    words = shlex.split(line)
    fewer = ["--tasks", "40"] if "eval" in words else []
    return [str(Path(sys.executable).with_name(words[0])), *words[1:], *fewer]


@contextmanager
def started(
    beginning: str, *, stdout: int | None = None, stderr: int | None = None
) -> Generator[subprocess.Popen[str], None, None]:
    """The process of a command of the page, killed if it does not end inside."""
    with subprocess.Popen(command(beginning), text=True, stdout=stdout, stderr=stderr) as process:
        try:
            yield process
        finally:
            if sys.exc_info()[0] is not None:
                process.kill()


def browser() -> urllib.request.OpenerDirector:
    """It keeps the cookie that the viewer gives it for its token."""
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def until(condition: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def executor(head: RayHead) -> int:
    """The process of the executor on this head, whose title Ray sets to the actor's class or name."""
    raylets = {process for process, words in head.processes() if "/raylet\0" in words}
    [found] = [
        int(stat.parent.name)
        for stat in Path("/proc").glob("[0-9]*/stat")
        if re.search(r"\(ray::.*xecutor", text := read(stat)) and int(text.rpartition(")")[2].split()[1]) in raylets
    ]
    return found


def ended() -> int:
    """How many episodes have ended so far."""
    try:
        with closing(sqlite3.connect(f"file:{RUN}/journal.sqlite?mode=ro", uri=True)) as journal:
            return int(journal.execute("SELECT count(*) FROM episodes WHERE state IS NOT NULL").fetchone()[0])
    except sqlite3.OperationalError:  # it is not made yet
        return 0


def read(file: Path) -> str:
    """The text of a process that may have ended."""
    try:
        return file.read_text()
    except OSError:
        return ""


def test_a_run_on_a_cluster_is_watched_loses_a_host_and_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)

    def said() -> str:
        log = RUN / "logs" / "driver.log"
        return log.read_text() if log.exists() else ""

    with ray_head({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}) as head:
        monkeypatch.setenv("RAY_ADDRESS", head.address)
        with started("quintet eval", stderr=subprocess.PIPE) as first:
            until(ended)
            with started("quintet view", stdout=subprocess.PIPE) as viewer:
                assert viewer.stdout is not None
                address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", viewer.stdout.readline())
                assert address is not None
                with browser().open(address[0], timeout=20) as page:
                    assert b"<html" in page.read().lower()
                viewer.send_signal(signal.SIGINT)
            os.kill(executor(head), signal.SIGKILL)
            until(lambda: "host executor-2 takes the place of executor" in said())
            before = ended()
            until(lambda: ended() > before)
            first.send_signal(signal.SIGINT)
            assert "interrupted; to go on: quintet resume runs/cluster" in first.communicate(timeout=60)[1]
        assert first.returncode == 130
        resumed = subprocess.run(command("quintet resume"), capture_output=True, text=True, timeout=400, check=False)
    assert resumed.returncode == 0, resumed.stderr
    folder = open_any(RUN)
    assert isinstance(folder, RunFolder)
    assert results(folder).finished
