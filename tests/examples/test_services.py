"""The services of the story: a client that leaves stops what was asked for it, and what is too much is refused."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
import uvicorn
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

pytestmark = pytest.mark.real_time

EXAMPLES = Path(__file__).parents[2] / "examples"
GOAL = {"goal": "craft stick"}
ANSWER = {
    "id": "1",
    "object": "chat.completion",
    "created": 0,
    "model": "held",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Step 1: craft stick"}}
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
}


class HoldingEndpoint:
    """Holds every request until it is let go, and counts those whose caller hung up before."""

    def __init__(self) -> None:
        self.asked = asyncio.Semaphore(0)
        self.abandoned = asyncio.Semaphore(0)
        self.let_go = asyncio.Event()
        self.answered = 0

    async def complete(self, request: web.Request) -> web.Response:
        self.asked.release()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.abandoned.release()
            raise
        self.answered += 1
        return web.json_response(ANSWER)


class Serves(Protocol):
    """Serves an example on this loop; yields its address."""

    def __call__(self, names: dict[str, Any], *, cancels: bool) -> AbstractAsyncContextManager[str]: ...


@asynccontextmanager
async def fastapi(names: dict[str, Any], *, cancels: bool) -> AsyncGenerator[str, None]:
    if not cancels:
        names["app"].post("/plain")(names["plan"])
    server = uvicorn.Server(uvicorn.Config(names["app"], log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/{'plan' if cancels else 'plain'}"
        server.should_exit = True
        await serving


@asynccontextmanager
async def aiohttp(names: dict[str, Any], *, cancels: bool) -> AsyncGenerator[str, None]:
    async with TestServer(names["app"], handler_cancellation=cancels) as server:
        yield str(server.make_url("/plan"))


SERVICES = pytest.mark.parametrize(("file", "serve"), [("service.py", fastapi), ("service_aiohttp.py", aiohttp)])


@asynccontextmanager
async def served(
    file: str, serve: Serves, *, cancels: bool = True, max_asks: int = 1000
) -> AsyncGenerator[tuple[HoldingEndpoint, str, ClientSession], None]:
    """An example that asks a model behind a loopback endpoint, and a client of it."""
    endpoint, application, names = HoldingEndpoint(), web.Application(), dict[str, Any](__name__="example")
    application.router.add_post("/v1/chat/completions", endpoint.complete)
    async with TestServer(application, handler_cancellation=True) as models:
        settings = {"model": {"url": str(models.make_url("/v1"))}}
        source = (EXAMPLES / file).read_text().replace('model="sim-strong"', f'model="held", settings={settings}')
        exec(compile(source.replace("max_asks=1000", f"max_asks={max_asks}"), file, "exec"), names)
        async with serve(names, cancels=cancels) as url, ClientSession() as client:
            yield endpoint, url, client


async def leave(endpoint: HoldingEndpoint, url: str, client: ClientSession) -> None:
    """Ask, and hang up once the model is asked."""
    asking = asyncio.create_task(client.post(url, json=GOAL))
    await endpoint.asked.acquire()
    asking.cancel()
    await asyncio.wait([asking])


@SERVICES
async def test_the_calls_of_clients_that_left_are_abandoned_at_the_endpoint(file: str, serve: Serves) -> None:
    async with served(file, serve) as (endpoint, url, client), asyncio.timeout(60):
        await asyncio.gather(*(leave(endpoint, url, client) for _ in range(3)))
        for _ in range(3):
            await endpoint.abandoned.acquire()
        endpoint.let_go.set()
        async with client.post(url, json=GOAL) as answer:
            assert (await answer.json())["calls"] == 1
        assert endpoint.answered == 1


@SERVICES
async def test_without_those_lines_an_ask_outlives_its_client(file: str, serve: Serves) -> None:
    async with served(file, serve, cancels=False) as (endpoint, url, client), asyncio.timeout(60):
        await leave(endpoint, url, client)
        endpoint.let_go.set()
        async with client.post(url, json=GOAL) as answer:
            assert answer.status == 200
        assert (endpoint.answered, endpoint.abandoned.locked()) == (2, True)


@SERVICES
async def test_an_ask_too_many_is_refused_in_words(file: str, serve: Serves) -> None:
    async with served(file, serve, max_asks=1) as (endpoint, url, client), asyncio.timeout(60):
        first = asyncio.create_task(client.post(url, json=GOAL))
        await endpoint.asked.acquire()
        async with client.post(url, json=GOAL) as refused:
            assert refused.status == 429
            assert "planner: expected at most 1 asks at once (max_asks), got one more" in await refused.text()
        endpoint.let_go.set()
        async with await first as answer:
            assert answer.status == 200
