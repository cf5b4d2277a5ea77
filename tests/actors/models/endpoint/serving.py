"""A chat endpoint on loopback, on a thread of its own, that answers as a test tells it to."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec
from aiohttp import web

from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Sampling, Usage

PROMPT = Prompt(user("Begin."))


@dataclass(frozen=True)
class Heard:
    """A request."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    request: web.Request


Respond: TypeAlias = Callable[[Heard], Awaitable[web.StreamResponse]]


@dataclass
class Server:
    url: str = ""
    heard: list[Heard] = field(default_factory=list[Heard])
    respond: Respond = field(init=False)

    def __post_init__(self) -> None:
        self.says(chat("Hello."))

    def says(self, body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer like this from now on; what is no bytes is sent as JSON."""
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)

        async def respond(_: Heard) -> web.Response:
            return web.Response(body=content, status=status, headers=headers)

        self.respond = respond

    def writes(self, raw: bytes) -> None:
        """Write this instead of any answer, and hang up."""

        async def respond(heard: Heard) -> web.Response:
            transport = heard.request.transport
            assert transport is not None
            transport.write(raw)
            transport.close()
            return web.Response()

        self.respond = respond

    async def handle(self, request: web.Request) -> web.StreamResponse:
        heard = Heard(request.path, request.headers, msgspec.json.decode(await request.read()), request)
        self.heard.append(heard)
        return await self.respond(heard)


@contextmanager
def serving() -> Generator[Server, None, None]:
    server, loop = Server(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, loop).result()

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", server.handle)
    runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.0)

    async def start() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0]
        server.url = f"http://{host}:{port}/v1"

    try:
        run(start())
        yield server
        run(runner.cleanup())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def chat(content: Any, *, finish: Any = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    """An answer in OpenAI's form."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage or counted(Usage())}


def counted(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens, "audio_tokens": 0},
    }


def called(endpoint: Any, prompt: Prompt = PROMPT, **sampling: Any) -> Completion:
    """One call on a loop of its own."""

    async def call() -> Completion:
        completion: Completion = await endpoint.complete(prompt, Sampling(**sampling))
        return completion

    return asyncio.run(call())
