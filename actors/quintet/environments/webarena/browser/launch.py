"""Starts Chromium, and ends all of it: one process with Playwright's driver, below a guard."""

import asyncio
import os
import re
import shlex
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error, Playwright, async_playwright

from quintet.environments import guard
from quintet.environments.webarena.browser.tab import is_gone
from quintet.errors import ProcessLost, UsageError, WorldFault

HOW_TO_INSTALL: Final = (
    "`apt-get install chromium-headless-shell` installs one on Debian, and so does its package chromium; "
    "chromium = PATH, or the variable CHROMIUM, names another"
)
_EXECUTABLES: Final = ("/usr/lib/chromium/chromium-headless-shell", "chromium")
"""Debian's. The first is the same engine without a window to draw: it takes half the time and the memory.

It is named by its folder: the script of that name on the `PATH` stays above it, and would hide its end from the guard.
"""
_LONGEST_PATH: Final = 35
"""Of the folder for temporary files. A socket's path has at most 107 bytes, of which Chromium and we take 72."""
_START_SECONDS: Final = 60.0
_END_SECONDS: Final = 5.0
_KEPT_VARIABLES: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE")
"""What Chromium is told of our environment, which may hold keys."""
_ARGUMENTS: Final = (
    "--disable-gpu",  # a machine without one would draw by imitating one
    "--site-per-process",  # a page that hangs stops no page of another site
    "--disable-smooth-scrolling",  # a key that scrolls has scrolled when the page is captured
    "--font-render-hinting=none",  # boxes do not depend on the machine's settings
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",  # no way around the hosts that are allowed
    "--dns-prefetch-disable",
)
_EXIT_CODE: Final = re.compile(r"exitCode=(\d+)")
_WORDS: Final = re.compile(r"\[(?:pid=\d+\]\[)?(?:err|out)\] (.*)")


def find_chromium(path: Path | str | None = None) -> Path:
    """Where Chromium is: at `path`, else `$CHROMIUM`, else Debian's; a `UsageError` with its package if nowhere."""
    named = str(path or os.environ.get("CHROMIUM") or "")
    found = next(filter(None, map(shutil.which, [named] if named else _EXECUTABLES)), None)
    if found is None:
        got = f"{named!r}, which is none" if named else "none"
        raise UsageError(f"chromium: expected an executable, got {got} ({HOW_TO_INSTALL})")
    return Path(found).absolute()


class BrowserProcess:
    """A running Chromium and the driver that speaks to it. Made by `start_browser`."""

    def __init__(self, playwright: Playwright, browser: PlaywrightBrowser, folder: Path, refusing: socket.socket):
        self.browser = browser
        self.refusing = f"http://127.0.0.1:{refusing.getsockname()[1]}"
        """A proxy that is not there: what is sent through it is refused."""
        self.windows = 0
        """Open now."""
        self.opened = 0
        """Ever."""
        self._playwright = playwright
        self._folder = folder
        self._refusing = refusing
        self._closing = False
        numbers, *self._profile = (folder / guard.NUMBER_FILE).read_text().splitlines()
        guard_number, self._number = map(int, numbers.split())
        self._guard = os.pidfd_open(guard_number)
        self._ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._guard, self._guard_ended)

    @property
    def ended(self) -> bool:
        """Whether none of its processes is left."""
        return self._ended.is_set()

    def fault(self) -> ProcessLost:
        """What a call is answered whose browser has ended."""
        gone = f"{self.windows} session{'s are' if self.windows != 1 else ' is'} gone with it"
        return ProcessLost(f"webarena: the browser ended (process {self._number}; {gone})")

    async def has_ended(self, error: Error) -> bool:
        """Whether a call failed because the browser ended, which may be known a moment later than the failure."""
        if not self._ended.is_set() and is_gone(error):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _END_SECONDS)
        return self._ended.is_set() or not self.browser.is_connected()

    async def close(self) -> None:
        """End it; returns when no process of it is left."""
        if self._closing:
            await self._ended.wait()
            return
        self._closing = True
        with suppress(Error, TimeoutError):
            await asyncio.wait_for(self.browser.close(), _END_SECONDS)
        await self._playwright.stop()  # the guard ends whatever is left when the driver has ended
        await self._ended.wait()
        for profile in self._profile:  # it may have been written to after its guard and the driver removed it
            shutil.rmtree(profile, ignore_errors=True)

    def _guard_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._guard)
        os.close(self._guard)
        self._refusing.close()
        shutil.rmtree(self._folder, ignore_errors=True)  # the guard does it too, unless it was killed
        self._ended.set()


async def start_browser(chromium: Path) -> BrowserProcess:
    """Start Chromium with a temporary profile of its own; a `WorldFault`, in its words, if it does not start."""
    refusing = socket.socket()
    folder: Path | None = None
    playwright: Playwright | None = None
    try:
        refusing.bind(("127.0.0.1", 0))  # it never listens
        folder = _make_folder()
        driver = asyncio.ensure_future(_start_driver())
        try:
            playwright = started = await asyncio.shield(driver)
        except asyncio.CancelledError:
            await asyncio.wait([driver])  # half started it could not be stopped
            if not driver.cancelled() and driver.exception() is None:
                playwright = driver.result()
            raise
        browser = await _launch(started, folder, chromium)
        return BrowserProcess(started, browser, folder, refusing)
    except BaseException as error:
        if playwright is not None:
            await playwright.stop()
        refusing.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        if not isinstance(error, Error | OSError):
            raise
        words = _own_words(error.message) if isinstance(error, Error) else str(error)
        raise WorldFault(f"webarena: Chromium did not start: {words} ({chromium}; {HOW_TO_INSTALL})") from error


async def _start_driver() -> Playwright:
    starting = async_playwright()
    playwright = await starting.start()
    # Nobody waits for the driver's error when it is killed: the guard tells of it, and asyncio need not log it.
    ended: asyncio.Future[None] = cast(Any, starting)._client._transport.on_error_future
    ended.add_done_callback(lambda error: error.cancelled() or error.exception())
    return playwright


async def _launch(playwright: Playwright, folder: Path, chromium: Path) -> PlaywrightBrowser:
    return await playwright.chromium.launch(
        executable_path=_write_start(folder, chromium),
        args=_ARGUMENTS,
        # Else a page may open windows without end; a click may open one all the same.
        ignore_default_args=["--disable-popup-blocking"],
        chromium_sandbox=os.geteuid() != 0,  # as root Chromium's sandbox does not run
        artifacts_dir=folder / "artifacts",
        env=_environment(folder),
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=1000 * _START_SECONDS,
    )


def _make_folder() -> Path:
    """A folder of our own, in `/tmp` where the usual one has so long a path that Chromium makes no socket in it."""
    usual = tempfile.gettempdir()
    return Path(tempfile.mkdtemp(prefix="quintet-", dir=usual if len(usual) <= _LONGEST_PATH else "/tmp"))


def _write_start(folder: Path, chromium: Path) -> Path:
    """The executable that Playwright starts: the guard, with Chromium behind it."""
    here = (str(os.getpid()), guard.started_at(os.getpid()), str(folder))
    command = shlex.join([sys.executable, "-I", "-S", guard.__file__, *here, str(chromium)])
    start = folder / "start"
    start.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    start.chmod(0o700)
    return start


def _environment(folder: Path) -> dict[str, str | float | bool]:
    kept: Mapping[str, str] = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    temporary = folder / "tmp"
    temporary.mkdir()
    # Crash reports, caches and settings of the whole account would outlive it.
    return {**kept, "HOME": str(folder), "TMPDIR": str(temporary), "XDG_CONFIG_HOME": str(folder / "config")}


def _own_words(message: str) -> str:
    """What Chromium wrote last before it ended; else what Playwright says."""
    said = [words.strip() for words in _WORDS.findall(message)]
    told = [words for words in said if words and not words.startswith("#")]  # not the addresses of a stack
    code = _EXIT_CODE.search(message)
    nothing = f"it ended with exit code {code[1]} and said nothing" if code else message.partition("\n")[0]
    return " / ".join(dict.fromkeys(told[-3:])) or nothing
