"""A browser that does not start, dies or has served its time leaves no process and no file, however it ends."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Error

from quintet.environments.webarena.actions import Click, GoTo
from quintet.environments.webarena.browser import launch
from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.browser.launch import find_chromium, start_browser
from quintet.errors import ProcessLost, UsageError, WorldFault
from tests.actors.environments.webarena.browser.playground import Playground, playground
from tests.actors.environments.webarena.browser.processes import below, left_of

pytestmark = pytest.mark.web


@pytest.fixture
def play() -> Iterator[Playground]:
    with playground() as made:
        made.page("/one", "<title>One</title><h1>One</h1>")
        yield made


def _fake(folder: Path, script: str, name: str = "chromium") -> Path:
    made = folder / name
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return made


def test_a_chromium_that_is_not_there_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"expected an executable, got '/nowhere', .*apt-get install chromium"):
        find_chromium("/nowhere")
    (tmp_path / "text").write_text("no program")
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "text"))
    with pytest.raises(UsageError, match="expected an executable"):
        asyncio.run(Browser().window(hosts=()))
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(launch, "_EXECUTABLES", (str(tmp_path / "shell"), "chromium"))
    with pytest.raises(UsageError, match="got none"):
        find_chromium()
    for name in ("chromium", "shell"):  # the shell, where there are both
        _fake(tmp_path, "", name)
        assert find_chromium() == tmp_path / name


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'profile: No space left on device' >&2; exit 21", "profile: No space left on device"),
        ("exit 3", "ended with exit code 3 and said nothing"),
    ],
)
async def test_a_chromium_that_does_not_start_is_quoted(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(WorldFault, match=f"Chromium did not start: .*{words}.*apt-get install chromium"):
        await start_browser(_fake(tmp_path, script))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as disk:
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk]
        if subprocess.run(mount, check=False).returncode:
            pytest.skip("no disk can be mounted here")
        monkeypatch.setattr(tempfile, "tempdir", disk)
        monkeypatch.setenv("TMPDIR", disk)
        try:
            with pytest.raises(OSError, match="No space left"):
                (Path(disk) / "filler").write_bytes(b"x" * 100_000)
            with pytest.raises(WorldFault, match=r"Chromium did not start: .*No space left on device"):
                asyncio.run(start_browser(find_chromium()))
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.parametrize("victim", ["chromium", "driver", "guard"])
async def test_a_browser_that_dies_in_a_step_ends_all_its_windows_and_is_replaced(
    play: Playground, victim: str
) -> None:
    async def never(_: object) -> None:
        await asyncio.Event().wait()

    play.page("/never", never)  # type: ignore[arg-type]
    one, other = await play.window(play.url("/one")), await play.window(play.url("/one"))
    family = below(os.getpid())
    acting = asyncio.create_task(one.act(GoTo(play.url("/never"))))
    await asyncio.sleep(0)
    os.kill(next(each.number for each in family if each.is_a(victim)), signal.SIGKILL)
    with pytest.raises(ProcessLost, match=r"webarena: the browser ended \(process \d+; 2 sessions are gone"):
        await acting
    with pytest.raises(ProcessLost):
        await other.window.capture()
    fresh = await play.window(play.url("/one"))
    assert "heading 'One'" in fresh.text


@pytest.mark.parametrize("ask", ["capture", "click"])
async def test_a_browser_that_died_is_told_from_a_page_that_does_nothing(play: Playground, ask: str) -> None:
    """Its driver answers no more, and its guard is not yet known to have ended: what is asked then fails at once."""
    session = await play.window(play.url("/one"))
    click = Click(session.number("heading", "One"))
    driver = next(each for each in below(os.getpid()) if each.is_a("driver"))
    os.kill(driver.number, signal.SIGKILL)
    with pytest.raises(Error):
        await session.window.context.cookies()
    with pytest.raises(ProcessLost, match="webarena: the browser ended"):
        await (session.window.capture() if ask == "capture" else session.window.carry_out(click, session.tree.elements))


async def test_a_browser_is_replaced_after_so_many_windows_once_they_are_closed(play: Playground) -> None:
    browser = Browser(windows_each=2)
    windows = [await browser.window(hosts=()) for _ in range(3)]
    drivers = [each for each in below(os.getpid()) if each.is_a("driver")]
    assert len(drivers) == 2
    for window in windows[:2]:
        await window.close()
    assert len([each for each in below(os.getpid()) if each.is_a("driver")]) == 1
    await windows[2].open(["about:blank"])
    await browser.close()
    assert below(os.getpid()) == []
    with pytest.raises(RuntimeError, match="closed"):
        await browser.window(hosts=())


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


async def test_the_browser_has_no_key_in_its_environment(play: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    await play.window(play.url("/one"))
    browsers = [Path(f"/proc/{each.number}/environ") for each in below(os.getpid()) if each.is_a("chromium")]
    assert browsers
    assert not [file for file in browsers if b"a-key" in file.read_bytes()]
