"""The routes of served worlds: sessions on web sockets, and what a world says of itself over HTTP."""

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import msgspec
from aiohttp import WebSocketError, WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler
from msgspec import Struct

from quintet.errors import UsageError, one_line
from quintet.models.endpoint.address import is_loopback
from quintet.ports.world import World
from quintet.serving.access import brings_token
from quintet.world_server import description
from quintet.world_server.frames import (
    CloseMessage,
    ForkedData,
    ForkFrame,
    ForkMessage,
    FrameError,
    ResetMessage,
    ResetOptions,
    ServerFrame,
    StateMessage,
    StepMessage,
    TextAction,
    encode_error,
    encode_frame,
    read_message,
    schemas,
)
from quintet.world_server.idle import IdleTimer
from quintet.world_server.served_world import ServedWorld
from quintet.world_server.session import WorldSession
from quintet.world_server.sessions import SessionLimits, Sessions
from quintet.world_server.task_routes import TASK_ROUTES, RouteHandler, list_splits, read_body

_NO_MCP: Final = {"code": -32601, "message": "expected a message of a session, got one of MCP: a world has no tools"}
_STATUS: Final = {"VALIDATION_ERROR": 422, "CAPACITY_REACHED": 503}
"""Of an error over HTTP; of others 500."""
_TELL_SECONDS: Final = 1.0
"""For how long a client is told why its idle session ends."""

_log = logging.getLogger("quintet.world_server")

_encode = msgspec.json.encode


class _StepRequest(Struct, frozen=True, kw_only=True):
    action: TextAction


class WorldServer:
    """Serves worlds, each below its name, and the first also at the root.

    Args:
        worlds: of any kind, as `as_world` returns them.
        workers: the most calls at a time of each that blocks.
        token: what clients send as `Authorization: Bearer`; None: nothing. It also signs snapshots, which without it
            are of this process alone.

    Raises:
        UsageError: there is no world, two have a name, or one cannot be played here.
    """

    def __init__(
        self, worlds: Sequence[World], *, limits: SessionLimits, workers: int = 4, token: str | None = None
    ) -> None:
        served = [ServedWorld(world, workers=workers, seconds=limits.call_seconds) for world in worlds]
        self._worlds: Final = {world.name: world for world in served}
        if len(self._worlds) < len(worlds) or not worlds:
            got = ", ".join(world.name for world in served) or "none"
            raise UsageError(f"worlds: expected at least one, each with a name of its own, got {got}")
        self.sessions: Final = Sessions(limits)
        self._token = token
        self._key = secrets.token_bytes(32) if token is None else token.encode()[:64]
        self._ending: set[asyncio.Task[None]] = set()

    def application(self) -> web.Application:
        """All routes."""
        limits = self.sessions.limits
        application = web.Application(client_max_size=limits.frame_bytes, middlewares=[self._guard, _in_words])
        first, *_ = self._worlds.values()
        for prefix, world in (("", first), *((f"/{name}", world) for name, world in self._worlds.items())):
            application.router.add_get(f"{prefix}/ws", partial(self._connect, world))
            names = list(self._worlds) if not prefix else [world.name]
            routes: Mapping[str, RouteHandler] = {
                "/health": _always({"status": "healthy"}),
                "/metadata": _always(description.metadata(world)),
                "/schema": _always(schemas()),
                "/openapi.json": _always(description.openapi(world)),
                "/list_environments": _always(names),
                "/state": self._state,
            }
            for path, answer in routes.items():
                application.router.add_get(prefix + path, partial(_answered, answer, world))
            for path, answer in {"/reset": self._reset, "/step": self._step, "/mcp": _no_tools}.items():
                application.router.add_post(prefix + path, partial(_answered, answer, world))
            for listed in map(self._worlds.__getitem__, names):
                below = f"{prefix}/{listed.name}"
                application.router.add_get(f"{below}/splits", partial(_answered, list_splits, listed))
                for path, answer in TASK_ROUTES.items():
                    application.router.add_post(below + path, partial(_answered, answer, listed))
        return application

    async def aclose(self) -> None:
        """Close what is left, once every connection has ended."""
        await self.sessions.aclose()
        for world in self._worlds.values():
            await world.aclose()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if "Origin" in request.headers:  # a client has no need to send it
            return _refused(403, "expected a request of a program, got one of a web page")
        if self._token is None:
            # A page whose own name was made to lead to this machine sends no origin where it only reads.
            if not is_loopback(_host_name(request)):
                return _refused(403, f"Host: expected this machine's name, got {request.host!r:.100}")
        elif not brings_token(request.headers.get("Authorization", ""), self._token):
            return _refused(401, "Authorization: expected Bearer and the server's token, got none or another")
        return await handler(request)

    async def _connect(self, world: ServedWorld, request: web.Request) -> web.WebSocketResponse:
        """A session, for as long as its connection."""
        socket = _SessionSocket(self.sessions.limits.frame_bytes)
        await socket.prepare(request)
        client = request.remote or ""
        try:
            session = self._session(world, client, request.query.get("session_id"))
        except FrameError as error:
            await socket.send_frame(encode_error(error), WSMsgType.TEXT)
            await socket.close()
            return socket
        idle = IdleTimer(self.sessions.limits.idle_seconds, lambda: self._end_idle(request, socket))
        try:
            await self._converse(socket, session, client, idle)
        finally:
            idle.cancel()
            self.sessions.end_copies(session)
            self.sessions.leave(client)
            await session.close()
            await socket.close()
        return socket

    def _session(self, world: ServedWorld, client: str, taken: str | None = None) -> WorldSession:
        if taken is not None:
            return self.sessions.take(taken, client)
        self.sessions.admit(client)
        return WorldSession(world, self._key)

    async def _converse(self, socket: "_SessionSocket", session: WorldSession, client: str, idle: IdleTimer) -> None:
        async for sent in socket:
            if sent.type is WSMsgType.ERROR:  # it is closed
                if isinstance(sent.data, WebSocketError) and sent.data.code == WSCloseCode.MESSAGE_TOO_BIG:
                    _log.warning("%s: %s; its session ends", client, socket.too_big)
                return
            idle.hold()
            over = False
            try:
                if sent.type is not WSMsgType.TEXT:
                    raise FrameError("INVALID_JSON", "expected a frame of text, got one of bytes")
                message = read_message(sent.data)
                if isinstance(message, CloseMessage):
                    return
                frame: ServerFrame
                if isinstance(message, ForkMessage):
                    frame = ForkFrame(data=ForkedData(session_id=await self.sessions.fork(session, client)))
                else:
                    frame = await session.answer(message)
                answer = encode_frame(frame)
            except FrameError as error:
                over = error.code == "SESSION_ERROR"
                answer = encode_error(error)
            idle.touch()
            await socket.send_frame(answer, WSMsgType.TEXT)
            if over:
                return
            idle.touch()

    def _end_idle(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        ending = asyncio.ensure_future(_end(request, socket, self.sessions.limits.idle_seconds))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _alone(
        self, world: ServedWorld, request: web.Request, *messages: ResetMessage | StepMessage | StateMessage
    ) -> object:
        """What the last message is answered in a session that ends with the request."""
        client = request.remote or ""
        session = self._session(world, client)
        try:
            *_, last = [await session.answer(message) for message in messages]
        finally:
            self.sessions.leave(client)
            await session.close()
        return last.data

    async def _reset(self, world: ServedWorld, request: web.Request) -> object:
        asked = await read_body(request, ResetOptions)
        return await self._alone(world, request, ResetMessage(data=asked))

    async def _step(self, world: ServedWorld, request: web.Request) -> object:
        asked = await read_body(request, _StepRequest)
        return await self._alone(world, request, ResetMessage(), StepMessage(data=asked.action))

    async def _state(self, world: ServedWorld, request: web.Request) -> object:
        return await self._alone(world, request, StateMessage())


class _SessionSocket(web.WebSocketResponse):
    """A web socket that says why it takes no message of more bytes than so many."""

    def __init__(self, most: int) -> None:
        super().__init__(max_msg_size=most + 1, compress=False)  # aiohttp refuses one of its limit
        self.too_big: Final = f"expected a message of at most {most} bytes (--frame-bytes), got a larger one"

    async def close(self, *, code: int = WSCloseCode.OK, message: bytes = b"", drain: bool = True) -> bool:
        """Also called by aiohttp, with a code alone."""
        said = message or (self.too_big.encode() if code == WSCloseCode.MESSAGE_TOO_BIG else b"")
        return await super().close(code=code, message=said, drain=drain)


async def _end(request: web.Request, socket: web.WebSocketResponse, seconds: float) -> None:
    """Tell a client that its session ends, and end it, also if the client reads nothing."""
    error = FrameError("SESSION_ERROR", f"expected a message within {seconds:g} s, got none")
    with suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(_TELL_SECONDS):
            await socket.send_frame(encode_error(error), WSMsgType.TEXT)
            await socket.close()
    if request.transport is not None:
        request.transport.abort()


def _host_name(request: web.Request) -> str:
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def _always(answer: object) -> RouteHandler:
    async def give(_world: ServedWorld, _request: web.Request) -> object:
        return answer

    return give


async def _answered(answer: RouteHandler, world: ServedWorld, request: web.Request) -> web.Response:
    return web.Response(body=_encode(await answer(world, request)), content_type="application/json")


async def _no_tools(_world: ServedWorld, _request: web.Request) -> object:
    return {"jsonrpc": "2.0", "id": None, "error": _NO_MCP}


@web.middleware
async def _in_words(request: web.Request, handler: Handler) -> web.StreamResponse:
    """An error as JSON."""
    try:
        return await handler(request)
    except FrameError as error:
        return _refused(_STATUS.get(error.code, 500), str(error))
    except UsageError as error:
        return _refused(422, one_line(error))
    except web.HTTPRequestEntityTooLarge as error:
        return _refused(error.status, f"{error.text} (--frame-bytes)")
    except web.HTTPException as error:
        return _refused(error.status, error.reason)


def _refused(status: int, why: str) -> web.Response:
    return web.Response(body=_encode({"detail": why}), status=status, content_type="application/json")
