"""Serves instances on loopback: the address `http://SITE.sN.localhost:PORT` chooses the site and the instance."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import web

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.all_sites import SITES
from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.seed import the_seed
from quintet.environments.webarena.sites.visitor_input import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_FORM = 1024 * 1024


def _label(name: SiteName) -> str:
    return name.replace("_", "-")


_NAMES: Mapping[str, SiteName] = {_label(name): name for name in SITES}


class SiteServer:
    """A web server in the running event loop. Requests are answered one by one, and logged nowhere."""

    def __init__(self, port: int = 0) -> None:
        """Prepare a server.

        Args:
            port: of 127.0.0.1; 0 takes a free one.
        """
        self.port = port
        self._instances: dict[int, Instance] = {}
        self._next = 0
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the port is taken.
        """
        application = web.Application(client_max_size=_LARGEST_FORM)
        application.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening and drop all instances."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None
        for number in list(self._instances):
            self.remove(number)

    def add(self, instance: Instance) -> int:
        """Serve an instance. Returns its number, which no other instance of this server gets."""
        self._next += 1
        self._instances[self._next] = instance
        return self._next

    def instance(self, number: int) -> Instance:
        return self._instances[number]

    def remove(self, number: int) -> None:
        """Serve an instance no longer, and close it. Nothing happens if there is none of that number."""
        if instance := self._instances.pop(number, None):
            instance.close()

    def addresses(self, number: int) -> Mapping[SiteName, str]:
        """Where the sites of an instance are, without a slash at the end; the back office's ends with `/admin`."""
        return {name: self._origin(name, number) + ("/admin" if name == "shopping_admin" else "") for name in SITES}

    def storage_state(self, number: int) -> "dict[str, Sequence[Any]]":
        """The cookies of the users who are signed in when a session opens, in Playwright's form."""
        cookies = [
            {
                "name": "session",
                "value": token,
                "domain": f"{_label(name)}.s{number}.localhost",
                "path": "/",
                "expires": -1,
                "httpOnly": True,
                "secure": False,
                "sameSite": "Lax",
            }
            for name, token in the_seed().tokens.items()
        ]
        return {"cookies": cookies, "origins": []}

    def _origin(self, name: SiteName, number: int) -> str:
        return f"http://{_label(name)}.s{number}.localhost:{self.port}"

    def _chosen(self, host: str) -> tuple[SiteName, int] | None:
        """The site and the number of an instance that a host's name stands for."""
        label, _, rest = host.partition(":")[0].partition(".")
        number = whole_number(rest.removeprefix("s").removesuffix(".localhost"))
        return (_NAMES[label], number) if label in _NAMES and number in self._instances else None

    async def _answer(self, request: web.Request) -> web.Response:
        chosen = self._chosen(request.host)
        if chosen is None:
            return _nothing_here()
        name, number = chosen
        form = [(key, value) for key, value in (await request.post()).items() if isinstance(value, str)]
        instance = self._instances.get(number)
        if instance is None:  # it was closed while its form came
            return _nothing_here()
        answer = instance.respond(
            name,
            request.method,
            request.raw_path,
            form=form,
            cookies=request.cookies,
            addresses={site: self._origin(site, number) for site in SITES},
        )
        return _as_http(answer)


def _nothing_here() -> web.Response:
    return web.Response(status=404, text="There is no such site.")


def _as_http(answer: SiteResponse) -> web.Response:
    fresh = answer.content_type not in ("text/css", "text/javascript")
    headers = {"Cache-Control": "no-store" if fresh else "max-age=3600", "X-Content-Type-Options": "nosniff"}
    if answer.location is not None:
        headers["Location"] = answer.location
    response = web.Response(
        status=answer.status, body=answer.body, content_type=answer.content_type, charset="utf-8", headers=headers
    )
    for key, value in answer.cookies.items():
        if value:
            response.set_cookie(key, value, httponly=True, samesite="Lax")
        else:
            response.del_cookie(key)
    return response
