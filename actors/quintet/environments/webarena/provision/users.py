"""A user's own sites: at addresses, logged in to once a host, reset by a command."""

import asyncio
import os
import shlex
import signal
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final

import msgspec

from quintet.environments.guard import guarded
from quintet.environments.webarena.accounts.log_in import LoggedIn, SiteLogins, log_in, reach_site, shows_form
from quintet.environments.webarena.accounts.sites_file import SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState
from quintet.environments.webarena.evaluators.shop_rest import ShopRest
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.provision.port import SessionSites, SiteProvider
from quintet.errors import UsageError, WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class UserSites(SiteProvider):
    """Sites that others serve.

    Args:
        reset: the words of a command that brings the sites to their beginning; none: there is no such command.

    Raises:
        UsageError: two sites have the same address.
    """

    keeps_changes = True

    def __init__(self, sites: SitesFile, browser: HostBrowser, reset: tuple[str, ...] = ()) -> None:
        self._sites = sites
        self._addresses = SiteAddresses(sites.addresses)
        self._browser = browser
        self._reset = reset
        self._logins = SiteLogins(sites, self._log_in)
        told = msgspec.json.encode(sorted(sites.addresses.items()))
        self.version = f"sites={blake2b(told, digest_size=6).hexdigest()}"
        self.names = tuple(sites.addresses)

    async def reach(self, sites: Collection[SiteName]) -> None:
        """Log in to those that have an account, and load the others' first pages."""
        await self._logins.state(sites)
        for name in sorted(set(sites).difference(self._sites.accounts)):
            address = self._sites.addresses[name]
            async with self._window(name, address) as context:
                await reach_site(context, name, address)

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        facts = ShopRest(self._sites)
        return UserSessionSites(self._addresses, facts, await self._logins.state(sites), self._logins, sites)

    async def reset(self) -> None:
        """Run the command. Each session asks whether its logins still hold, so they are made anew after it."""
        if not self._reset:
            expected = "expected a command that resets the sites (`true` if nothing has to be done)"
            raise WorldFault(f"webarena: environment.reset: {expected}, got none")
        await run_reset(self._reset)

    async def _log_in(self, name: SiteName, address: str, account: SiteAccount) -> LoggedIn:
        async with self._window(name, address) as context:
            return await log_in(context, name, address, account)

    @asynccontextmanager
    async def _window(self, name: SiteName, address: str) -> AsyncGenerator["BrowserContext"]:
        window = await self._browser.browser.window(hosts=SiteAddresses({name: address}).hosts)
        try:
            async with window.calls():
                yield window.context
        finally:
            await window.close()


class UserSessionSites(SessionSites):
    """The same sites for every session, as the same users."""

    def __init__(
        self,
        addresses: SiteAddresses,
        facts: ShopRest,
        state: StorageState,
        logins: SiteLogins,
        names: Collection[SiteName],
    ) -> None:
        super().__init__(addresses, facts, state)
        self._logins = logins
        self._names = names

    async def furnish(self, context: "BrowserContext") -> None:
        """Log in anew to sites that show their form again, as after a reset."""
        telling = self._logins.telling(self._names)
        stale: list[SiteName] = [name for name, address in telling.items() if await shows_form(context, name, address)]
        if stale:
            self._logins.forget(stale)
            state = await self._logins.state(self._names)
            await context.clear_cookies()
            await context.add_cookies(state["cookies"])


RESET_SECONDS: Final = 1800.0
"""How long a command may take: the official sites are containers that start anew."""
_LONGEST = 300
_TAIL = 4096
"""Bytes of the output in which its last line is looked for."""


def read_reset(command: str | bool | None) -> tuple[str, ...]:
    """The words of a command, which no shell reads; a `UsageError` if it is empty, or a quote is not closed.

    Args:
        command: True, as settings read the bare word: that of this name, which does nothing. None, False: none.
    """
    if command is None or isinstance(command, bool):
        return ("true",) if command else ()
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"reset: expected a command, got {error}: {command!r} (webarena)") from error
    if not words:
        raise UsageError("reset: expected a command, got an empty text (webarena)")
    return words


async def run_reset(words: tuple[str, ...], *, seconds: float = RESET_SECONDS) -> None:
    """Run a command to its end; what it started is ended with it if it takes too long, or if this process ends.

    Raises:
        WorldFault: it cannot be started, failed, or took too long; with its last line.
    """
    label = f"webarena: environment.reset: {words[0]}"
    # A file, not a pipe: a server that the command leaves running keeps a pipe open, whose end would never come.
    with TemporaryFile() as output:
        code = await _run(words, output, label, seconds)
        if code:
            raise WorldFault(f"{label}: expected exit code 0, got {code}: {_last_line(output)}")


async def _run(words: tuple[str, ...], output: IO[bytes], label: str, seconds: float) -> int:
    try:
        process = await asyncio.create_subprocess_exec(
            *guarded(*words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise WorldFault(f"{label}: expected a command that can be started, got {error.strerror}") from error
    try:
        return await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        raise WorldFault(f"{label}: expected its end within {seconds:g} s, got none") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def _last_line(output: IO[bytes]) -> str:
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL))
    lines = [line.strip() for line in output.read().decode(errors="replace").splitlines() if line.strip()]
    last = lines[-1] if lines else "no output"
    return "".join(sign if sign.isprintable() else "?" for sign in last[:_LONGEST])
