"""Servers of tests that speak OpenEnv's protocol as they like."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from threading import Thread
from typing import Any, TypeAlias

from aiohttp import WSMsgType, web

from quintet.environments.openenv.world import OpenEnvWorld
from quintet.serving.server import serve

Answer: TypeAlias = Callable[[web.WebSocketResponse, "Session", Mapping[str, Any]], Awaitable[None]]
"""Answers a message of a session."""

TEXT = {"type": "object", "properties": {"message": {"type": "string"}, "metadata": {"type": "object"}}}
MOVE = {
    "type": "object",
    "properties": {"by": {"type": "integer", "minimum": 1, "multipleOf": 0.5}, "metadata": {"type": "object"}},
    "required": ["by"],
    "additionalProperties": False,
}
SEEN = {"type": "object", "properties": {"echoed": {"type": "string"}, "done": {"type": "boolean"}}}


class Session:
    """A count, from the seed of the reset."""

    count = 0
    done = False


def observation(text: Any, *, reward: Any = 0.0, done: Any = False, **metadata: Any) -> str:
    """The frame of an observation."""
    seen = {"echoed": text, "metadata": metadata}
    return json.dumps({"type": "observation", "data": {"observation": seen, "reward": reward, "done": done}})


def error(code: str, message: str) -> str:
    """The frame of an error."""
    return json.dumps({"type": "error", "data": {"message": message, "code": code}})


async def count(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
    """Counts from the seed to ten by moves, or says a message back."""
    data = message.get("data", {})
    match message["type"]:
        case "reset":
            session.count, session.done = data["seed"] % 10, False
            await socket.send_str(observation(f"At {session.count}.", reward=None))
        case "step" if data.get("message") == "bad":
            await socket.send_str(error("EXECUTION_ERROR", "no such move"))
        case "step":
            session.count += data.get("by", 1)
            session.done = session.count >= 10
            said = data.get("message") or f"At {session.count}."
            await socket.send_str(
                observation(said, reward=float(session.done), done=session.done, admissible=["b", "a"])
            )
        case _:
            await socket.close()


@asynccontextmanager
async def strange_server(
    answer: Answer = count, *, action: Mapping[str, Any] = TEXT, sessions: int = 100, healthy: bool = True
) -> AsyncGenerator[str, None]:
    """A server without tasks and without our extension."""
    open_now = 0

    async def connect(request: web.Request) -> web.WebSocketResponse:
        nonlocal open_now
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if open_now >= sessions:
            await socket.send_str(error("CAPACITY_REACHED", "Server at capacity"))
            await socket.close()
            return socket
        open_now += 1
        session = Session()
        try:
            async for sent in socket:
                assert sent.type is WSMsgType.TEXT
                await answer(socket, session, json.loads(sent.data))
        finally:
            open_now -= 1
        return socket

    def gives(value: object) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def give(_: web.Request) -> web.Response:
            return web.json_response(value)

        return give

    application = web.Application()
    application.add_routes(
        [
            web.get("/ws", connect),
            web.get("/metadata", gives({"name": "counter", "version": "2", "description": "Counts."})),
            web.get("/schema", gives({"action": action, "observation": SEEN, "state": {}})),
            web.get("/openapi.json", gives({"info": {"version": "1.0.0"}})),
            *([web.get("/health", gives({"status": "healthy"}))] if healthy else []),
        ]
    )
    async with serve(application) as address:
        yield address


async def world_at(address: str, **options: Any) -> OpenEnvWorld:
    """The world of a server on this loop: what a world asks at once blocks its thread."""
    return await asyncio.to_thread(OpenEnvWorld, address, **options)


@contextmanager
def in_thread(server: AbstractAsyncContextManager[str]) -> Generator[str, None, None]:
    """A server on a loop of its own, for what names it and so makes its world on the loop of a test."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
