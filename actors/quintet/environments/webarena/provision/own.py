"""Sites of our own: an instance for each session, served by one server a host."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from msgspec.structs import replace

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import WebCookie
from quintet.environments.webarena.evaluators.functions import SiteFacts
from quintet.environments.webarena.provision.port import SessionSites, SiteProvider
from quintet.environments.webarena.sites.server import SiteServer
from quintet.environments.webarena.sites.visit import OWN_SITES, SEED_DIGEST, Instance
from quintet.errors import WorldFault


class OwnSites(SiteProvider):
    """Makes and serves instances. The server starts with the first one."""

    version = f"own={SEED_DIGEST}"
    names = OWN_SITES
    copies = True

    def __init__(self) -> None:
        self._server = SiteServer()
        self._starting = asyncio.Lock()

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        async with self._starting:
            await self._server.start()
        try:  # no await from the instance to the session that closes it
            instance = Instance(changes or b"")
        except ValueError as error:
            raise WorldFault(f"snapshot: expected changes of these sites, got {error} (webarena)") from error
        return OwnSessionSites(self._server, instance)

    async def close(self) -> None:
        await self._server.stop()


class OwnSessionSites(SessionSites):
    """An instance, and its label at the server."""

    def __init__(self, server: SiteServer, instance: Instance) -> None:
        self._server = server
        self._instance = instance
        self._label = server.add(instance)
        sites = server.addresses(self._label)
        logged_in = {"cookies": server.cookies(self._label), "origins": []}
        super().__init__(SiteAddresses(sites), _OwnFacts(instance, sites["shopping"]), logged_in)
        self._hosts: Mapping[str, str] = {urlsplit(sites[name]).hostname or "": name for name in sites}

    def changes(self) -> bytes:
        return self._instance.changes()

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        """Cookies with the sites' names in place of their hosts, which are the session's own."""
        named = [replace(cookie, domain=self._hosts.get(cookie.domain, cookie.domain)) for cookie in cookies]
        return tuple(sorted(named, key=lambda cookie: (cookie.domain, cookie.path, cookie.name)))

    def real_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        hosts = {name: host for host, name in self._hosts.items()}
        return tuple(replace(cookie, domain=hosts.get(cookie.domain, cookie.domain)) for cookie in cookies)

    def close(self) -> None:
        self._server.remove(self._label)


class _OwnFacts(SiteFacts):
    """What evaluators ask the shop beside its pages, from an instance's database."""

    def __init__(self, instance: Instance, address: str) -> None:
        self._db = instance.db
        self._address = address

    async def latest_order_url(self) -> str:
        number = self._last("SELECT max(number) FROM orders")
        return f"{self._address}/sales/order/view/order_id/{number}/"

    async def latest_review_author(self, sku: str) -> str:
        return self._last("SELECT nickname FROM reviews WHERE sku = ? ORDER BY rowid DESC", sku)

    async def latest_review_rating(self, sku: str) -> str:
        return self._last("SELECT rating * 20 FROM reviews WHERE sku = ? ORDER BY rowid DESC", sku)

    def _last(self, sql: str, *values: str) -> str:
        found = self._db.execute(sql, values).fetchone()
        return str(found[0]) if found else ""
