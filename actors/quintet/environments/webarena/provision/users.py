"""A user's own sites: at addresses, logged in to once a host, reset by a command."""

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import msgspec

from quintet.environments.webarena.accounts.log_in import LoggedIn, log_in, shows_form
from quintet.environments.webarena.accounts.logins import SiteLogins
from quintet.environments.webarena.accounts.reach import reach_site
from quintet.environments.webarena.accounts.sites_file import SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState, WebCookie
from quintet.environments.webarena.evaluators.judged import SiteFacts
from quintet.environments.webarena.evaluators.shop_rest import ShopRest
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.provision.port import SessionSites
from quintet.environments.webarena.provision.reset import run_reset
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_EXPECTED: Final = "expected a command that resets the sites (`true` if nothing has to be done)"


class UserSites:
    """Sites that others serve.

    Args:
        sites: addresses and accounts.
        browser: of the host, in whose windows logins are made.
        reset: the words of a command that brings the sites to their beginning; none: there is no such command.

    Raises:
        UsageError: two sites have the same address.
    """

    copies = False
    keeps_changes = True

    def __init__(self, sites: SitesFile, browser: HostBrowser, reset: tuple[str, ...] = ()) -> None:
        self._sites = sites
        self._addresses = SiteAddresses(sites.addresses)
        self._browser = browser
        self._reset = reset
        self._logins = SiteLogins(sites, self._log_in)

    @property
    def version(self) -> str:
        told = msgspec.json.encode(sorted(self._sites.addresses.items()))
        return f"sites={blake2b(told, digest_size=6).hexdigest()}"

    @property
    def names(self) -> Collection[SiteName]:
        return tuple(self._sites.addresses)

    def refusal(self, task: str) -> str:
        return ""

    async def reach(self, sites: Collection[SiteName]) -> None:
        """Log in to those that have an account, and load the others' first pages."""
        await self._logins.state(sites)
        for name in sorted(set(sites).difference(self._sites.accounts)):
            address = self._sites.addresses[name]
            async with self._window(name, address) as context:
                await reach_site(context, name, address)

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        return UserSessionSites(self._sites, self._addresses, self._logins, sites, await self._logins.state(sites))

    async def reset(self) -> None:
        """Run the command. Each session asks whether its logins still hold, so they are made anew after it."""
        if not self._reset:
            raise WorldFault(f"webarena: environment.reset: {_EXPECTED}, got none")
        await run_reset(self._reset)

    async def close(self) -> None:
        """Nothing: the browser is the host's."""

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


class UserSessionSites:
    """The same sites for every session, as the same users."""

    note = ""

    def __init__(
        self,
        sites: SitesFile,
        addresses: SiteAddresses,
        logins: SiteLogins,
        names: Collection[SiteName],
        storage_state: StorageState,
    ) -> None:
        self.addresses = addresses
        self.storage_state: StorageState | None = storage_state
        self.facts: SiteFacts = _ShopFacts(sites)
        self._logins = logins
        self._names = names

    async def furnish(self, context: "BrowserContext") -> None:
        """Log in anew to sites that show their form again, as after a reset."""
        telling = self._logins.telling(self._names)
        stale: list[SiteName] = []
        for name, address in telling.items():
            if await shows_form(context, name, address):
                stale.append(name)
        if stale:
            self._logins.forget(stale)
            state = await self._logins.state(self._names)
            await context.clear_cookies()
            await context.add_cookies(state["cookies"])

    def changes(self) -> bytes:
        return b""

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return tuple(sorted(cookies, key=lambda cookie: (cookie.domain, cookie.path, cookie.name)))

    def real_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return tuple(cookies)

    def close(self) -> None:
        """Nothing: the sites are not the session's."""


class _ShopFacts:
    """What the shop's interface answers to the account of its back office, whose password is read for each question."""

    def __init__(self, sites: SitesFile) -> None:
        self._sites = sites

    async def latest_order_url(self) -> str:
        return await self._shop().latest_order_url()

    async def latest_review_author(self, sku: str) -> str:
        return await self._shop().latest_review_author(sku)

    async def latest_review_rating(self, sku: str) -> str:
        return await self._shop().latest_review_rating(sku)

    def _shop(self) -> ShopRest:
        account = self._sites.accounts.get("shopping_admin")
        address = self._sites.addresses.get("shopping")
        if account is None or address is None:
            expected = "expected [shopping] and an account in [shopping_admin], which the shop is asked with"
            raise WorldFault(f"webarena: evaluation: {expected}, got none ({self._sites.path})")
        return ShopRest(address, username=account.username, password=account.password.reveal())
