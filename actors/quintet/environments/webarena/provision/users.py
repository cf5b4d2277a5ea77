"""A user's own sites: at addresses, logged in to once a host, reset by a command."""

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import msgspec

from quintet.environments.webarena.accounts.log_in import LoggedIn, SiteLogins, log_in, reach_site, shows_form
from quintet.environments.webarena.accounts.sites_file import SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState
from quintet.environments.webarena.evaluators.shop_rest import ShopRest
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.provision.port import SessionSites, SiteProvider
from quintet.environments.webarena.provision.reset import run_reset
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_EXPECTED: Final = "expected a command that resets the sites (`true` if nothing has to be done)"


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
            raise WorldFault(f"webarena: environment.reset: {_EXPECTED}, got none")
        await run_reset(self._reset)

    async def _log_in(self, name: SiteName, address: str, account: SiteAccount) -> LoggedIn:
        async with self._window(name, address) as context:
            return await log_in(context, name, address, account)

    @asynccontextmanager
    async def _window(self, name: SiteName, address: str) -> AsyncGenerator["BrowserContext"]:
        """A window that sends requests to one site."""
        window = await self._browser.window(hosts=SiteAddresses({name: address}).hosts)
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
