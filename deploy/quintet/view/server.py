"""The viewer's server. It only reads, listens on this machine only, and answers nobody without its token."""

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from hashlib import blake2b
from hmac import compare_digest
from typing import Final, TypeAlias
from urllib.parse import quote

import msgspec
from aiohttp import web

from quintet.errors import Fault, UsageError
from quintet.serving.server_log import SERVER_LOG
from quintet.view.folder import OutsideViewedFolder, ViewedFolder, ViewedRunGone
from quintet.view.page import ENTRY, TYPES, hash_source, html, import_map, read_static, scripts
from quintet.view.resources import answer, picture

_HOST: Final = "127.0.0.1"
_NAMES: Final = (_HOST, "localhost")
"""Under which a browser may call it; another name could belong to somebody else's page."""
_GRACE_SECONDS: Final = 0.05

_Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ViewServer:
    """Answers the page's requests."""

    def __init__(self, viewed: ViewedFolder) -> None:
        self._viewed = viewed
        self._token = secrets.token_urlsafe(24)
        """What a browser must bring, first in the address, then in a cookie."""
        self.port = 0
        """On which it listens, known once it does."""
        # One at a time: two requests for the same run read it once.
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="view")
        imports = import_map({name: f"/static/{file}" for name, file in scripts().items()})
        self._page = html(
            policy="",
            head=f'<link rel="stylesheet" href="/static/view.css">\n<link rel="icon" href="/static/icon.svg">\n'
            f'<script type="importmap">{imports}</script>\n'
            f'<script type="module" src="/static/{scripts()[f"view/{ENTRY}"]}"></script>\n',
        )
        self._headers = {
            "Content-Security-Policy": "default-src 'none'; connect-src 'self'; style-src 'self'; img-src 'self'; "
            f"script-src 'self' {hash_source(imports)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-cache",
            "Server": "quintet view",
        }

    @property
    def url(self) -> str:
        """Where a browser begins."""
        return f"http://{_HOST}:{self.port}/?token={quote(self._token)}"

    def application(self) -> web.Application:
        """All routes; anything else than reading is refused."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes(
            [
                web.get("/", self._open),
                web.get("/static/{name:.+}", self._static),
                web.get("/api/{name}", self._answer),
                web.get("/picture", self._picture),
            ]
        )
        return application

    async def stop(self) -> None:
        """Read nothing more."""
        self._reader.shutdown(cancel_futures=True)

    @property
    def _cookie(self) -> str:
        return f"quintet_view_{self.port}"  # cookies know no ports, and there may be two viewers

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        try:
            if request.host.partition(":")[0] not in _NAMES:
                raise web.HTTPForbidden(text=f"expected a request to {_HOST}, got one to {request.host!r}")
            if not self._knows(request.cookies.get(self._cookie, "")) and not self._brings_token(request):
                raise web.HTTPForbidden(text="open the address that `quintet view` printed: it has the token\n")
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(self._headers)
            raise
        response.headers.update(self._headers)
        return response

    def _brings_token(self, request: web.Request) -> bool:
        return request.path == "/" and self._knows(request.query.get("token", ""))

    def _knows(self, token: str) -> bool:
        return compare_digest(token.encode(errors="replace"), self._token.encode())

    async def _open(self, request: web.Request) -> web.Response:
        if not self._brings_token(request):
            return web.Response(text=self._page, content_type="text/html")
        there = web.Response(status=303, headers={"Location": "/"})  # so that the token is in no history
        there.set_cookie(self._cookie, self._token, httponly=True, samesite="Lax", path="/")
        return there

    async def _static(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in {"view.css", "icon.svg", *scripts().values()}:
            raise web.HTTPNotFound(text=f"expected a file of the page, got {name!r}")
        kind = next(kind for ending, kind in TYPES.items() if name.endswith(ending))
        return web.Response(text=read_static(name), content_type=kind)

    async def _answer(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        return await self._read(request, "application/json", lambda viewed, query: answer(viewed, name, query))

    async def _picture(self, request: web.Request) -> web.Response:
        # Whatever the bytes are, a browser takes them for a picture and for nothing else.
        return await self._read(request, "image/jpeg", picture)

    async def _read(
        self, request: web.Request, content_type: str, read: Callable[[ViewedFolder, Mapping[str, str]], bytes]
    ) -> web.Response:
        status = 200
        try:
            body = await asyncio.get_running_loop().run_in_executor(
                self._reader, read, self._viewed, dict(request.query)
            )
        except (UsageError, Fault) as error:
            status = _status(error)
            body = msgspec.json.encode({"error": str(error)})
        except OSError as error:  # a folder that is removed while it is read
            status, body = 410, msgspec.json.encode({"error": f"run: expected one that can be read, got {error}"})
        if status != 200:
            return web.Response(body=body, status=status, content_type="application/json")
        tag = blake2b(body, digest_size=16).hexdigest()
        if any(each.value == tag for each in request.if_none_match or ()):
            return web.Response(status=304, headers={"ETag": f'"{tag}"'})
        return web.Response(body=body, content_type=content_type, headers={"ETag": f'"{tag}"'})


def _status(error: UsageError | Fault) -> int:
    if isinstance(error, OutsideViewedFolder):
        return 403
    return 410 if isinstance(error, ViewedRunGone) else 400


@asynccontextmanager
async def serve_view(viewed: ViewedFolder, *, port: int = 0) -> AsyncGenerator[ViewServer, None]:
    """Serve a folder until the context ends; a `UsageError` if it cannot listen at `port` (0: at any free one)."""
    if not 0 <= port < 2**16:
        raise UsageError(f"--port: expected 0 to 65535, got {port}")
    server = ViewServer(viewed)
    runner = web.AppRunner(server.application(), access_log=None, logger=SERVER_LOG, shutdown_timeout=_GRACE_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, _HOST, port).start()
        except OSError as error:
            reason = os.strerror(error.errno or 0).lower()
            raise UsageError(f"--port: expected one to listen on, got {port}: {reason}") from error
        server.port = runner.addresses[0][1]
        yield server
    finally:
        await runner.cleanup()
        await server.stop()
