"""A browser, and a server with pages of a test's own, on an event loop that tests take turns on."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from aiohttp import web

from quintet.environments.webarena.actions import BrowserAction, Click
from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.browser.tab import Patience
from quintet.environments.webarena.browser.window import Window
from quintet.environments.webarena.observation.tree import PageTree, read_tree

ValueT = TypeVar("ValueT")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
HOST = "site.s1.localhost"


class Playground:
    """Pages by path, and windows that show them."""

    def __init__(self, runner: asyncio.Runner, patience: Patience | None = None) -> None:
        self.browser = Browser(patience=patience)
        self.asked: list[str] = []
        self._runner = runner
        self._pages: dict[str, str | Handler] = {}
        self._port = 0
        self._windows: list[Window] = []

    def run(self, work: Coroutine[Any, Any, ValueT]) -> ValueT:
        return self._runner.run(work)

    async def play(self, test: Coroutine[Any, Any, None]) -> None:
        """Run a test, and close its windows."""
        try:
            await test
        finally:
            while self._windows:
                await self._windows.pop().close()

    def page(self, path: str, answer: str | Handler, host: str = HOST) -> str:
        """Put a page there, or a handler, and say its address."""
        self._pages[path] = answer
        return self.url(path, host)

    def url(self, path: str, host: str = HOST) -> str:
        return f"http://{host}:{self._port}{path}"

    async def serve(self) -> web.AppRunner:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.asked.append(f"{request.method} {request.path_qs}")
            found = self._pages.get(request.path, "")
            if callable(found):
                return await found(request)
            return web.Response(text=found, content_type="text/html", status=200 if found else 404)

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        server = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await server.setup()
        site = web.TCPSite(server, "127.0.0.1", 0)
        await site.start()
        self._port = int(str(server.addresses[0][1]))
        return server

    async def window(self, *urls: str, host: str = HOST) -> "View":
        window = await self.browser.window(hosts=[f"{host}:{self._port}"])
        self._windows.append(window)
        view = View(window)
        await window.open(urls)
        await view.look()
        return view


class View:
    """A window as a model sees it: acts, looks, and finds elements by role and name."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.tree = PageTree("", {})

    async def look(self) -> str:
        self.tree = read_tree(await self.window.capture())
        return self.tree.text

    async def act(self, action: BrowserAction) -> str:
        """Carry an action out, and look; returns why it was rejected."""
        why = await self.window.carry_out(action, self.tree.elements)
        await self.look()
        return why

    async def click(self, role: str, name: str) -> str:
        return await self.act(Click(self.number(role, name)))

    def number(self, role: str, name: str) -> int:
        return next(n for n, each in self.tree.elements.items() if each.role == role and each.name.strip() == name)

    @property
    def text(self) -> str:
        """The tree without its numbers."""
        return re.sub(r"\[\d+\] ", "", self.tree.text)

    @property
    def url(self) -> str:
        return self.window.last_url


@contextmanager
def playground(patience: Patience | None = None) -> Generator[Playground]:
    with asyncio.Runner() as runner:
        made = Playground(runner, patience)
        server = runner.run(made.serve())
        yield made
        runner.run(made.browser.close())
        runner.run(server.cleanup())
