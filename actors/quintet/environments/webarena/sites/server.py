"""Serves instances on loopback: the address `http://SITE.sN.localhost:PORT` chooses the site and the instance."""

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.forum import FORUM
from quintet.environments.webarena.sites.shop import SHOP
from quintet.environments.webarena.sites.tracker import TRACKER
from quintet.environments.webarena.sites.visit import OWN_SITES, Instance, SiteRoutes

_LARGEST_FORM: Final = 1024 * 1024
_ROUTES: Final[Mapping[SiteName, SiteRoutes]] = {"shopping": SHOP, "reddit": FORUM, "gitlab": TRACKER}


class SiteServer:
    """A web server in the running event loop, at `port` (0: a free one), which answers one by one and logs nowhere."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._instances: dict[str, Instance] = {}
        self._next = 0
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen, unless it does."""
        if self._runner:
            return
        application = web.Application(client_max_size=_LARGEST_FORM)
        for name, routes in _ROUTES.items():
            application.add_domain(f"{name}.*", routes.application(self._find))
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening and drop all instances."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None
        for label in list(self._instances):
            self.remove(label)

    def add(self, instance: Instance) -> str:
        """Serve an instance. Returns its label, `s1`, which no other instance of this server gets."""
        self._next += 1
        label = f"s{self._next}"
        self._instances[label] = instance
        return label

    def remove(self, label: str) -> None:
        """Serve an instance no longer, and close it. Nothing happens if there is none of that label."""
        if instance := self._instances.pop(label, None):
            instance.close()

    def addresses(self, label: str) -> Mapping[SiteName, str]:
        """Where the sites of an instance are, without a slash at the end."""
        return {name: f"http://{name}.{label}.localhost:{self.port}" for name in OWN_SITES}

    def cookies(self, label: str) -> list[dict[str, Any]]:
        """Those of the users who are logged in when a session opens, in Playwright's form."""
        cookie = {"name": "session", "path": "/", "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
        return [
            {**cookie, "value": str(number), "domain": f"{name}.{label}.localhost"}
            for number, name in enumerate(OWN_SITES, start=1)
        ]

    def _find(self, request: web.Request) -> Instance:
        instance = self._instances.get(request.host.split(".")[1])
        if instance is None:
            raise web.HTTPNotFound(text="There is no such site.")
        return instance
