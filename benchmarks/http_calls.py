"""HTTP calls: the CPU time of one in the calling process, beside other ways to make it.

These are the `openai` client over aiohttp, by a raw post and by its own `create`, and a bare socket that reads nothing
but a length: what a client of our own could come to.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec
from httpx2 import Response
from openai import AsyncOpenAI, DefaultAioHttpClient

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.serving import serve_answers, serving
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.endpoint.answer import completions
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Sampling

_CALLS = 160
_AT_ONCE = 16
_LENGTHS = (2, 20, 80)
_OBSERVATION = "Inventory: [oak logs] (3) [oak planks] (8) [stick] (12). You see a crafting table and a furnace. "
_SAMPLING = Sampling(seed=7)
_PARAMETERS = {"temperature": 0.0, "top_p": 1.0, "max_tokens": 512, "seed": 7}
_ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Thought: I need planks.\nAction: get 4 oak planks"},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 900, "completion_tokens": 14, "total_tokens": 914},
}


def figures() -> Iterator[Figure]:
    """CPU time of the calling process; the server is another one."""
    with serving(sys.executable, "-m", "benchmarks.http_calls") as url:
        ours = {length: _cpu(length, url, _endpoint) for length in _LENGTHS}
        others = {
            length: ", ".join(f"{_cpu(length, url, way):,.0f} us by {name}" for name, way in _OTHERS.items())
            for length in _LENGTHS
        }
    for length in _LENGTHS:
        yield Figure(f"http call, CPU, {length} messages", ours[length], "us", others[length])
    yield Figure(
        f"http call, CPU, {_LENGTHS[-1]} messages over {_LENGTHS[0]}", ours[_LENGTHS[-1]] / ours[_LENGTHS[0]], "x"
    )


_Caller = tuple[Callable[[], Awaitable[object]], Callable[[], Awaitable[None]]]
"""How to call once, and how to close."""


def _cpu(length: int, url: str, calling: Callable[[str, int], _Caller]) -> float:
    """Microseconds a call of the best round."""

    async def run() -> float:
        call, close = calling(url, length)

        async def caller(calls: int) -> None:
            for _ in range(calls):
                await call()

        await asyncio.gather(*(caller(1) for _ in range(_AT_ONCE)))  # connections are open from here on
        best = float("inf")
        for _ in range(ROUNDS):
            started = time.process_time()
            await asyncio.gather(*(caller(_CALLS // _AT_ONCE) for _ in range(_AT_ONCE)))
            best = min(best, time.process_time() - started)
        await close()
        return best / _CALLS * 1e6

    return asyncio.run(run())


def _endpoint(url: str, length: int) -> _Caller:
    endpoint, prompt = Endpoint("m", url=url), _prompt(length)
    return lambda: endpoint.complete(prompt, _SAMPLING), endpoint.aclose


def _client(url: str) -> AsyncOpenAI:
    return AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=DefaultAioHttpClient())


def _body(length: int) -> dict[str, object]:
    return {"model": "m", "messages": msgspec.to_builtins(_prompt(length).messages()), **_PARAMETERS}


def _raw_post(url: str, length: int) -> _Caller:
    client, body = _client(url), _body(length)

    async def call() -> None:
        answer = await client.post("/chat/completions", content=msgspec.json.encode(body), cast_to=Response)
        completions(answer.content, ())

    return call, client.close


def _create(url: str, length: int) -> _Caller:
    client, body = _client(url), _body(length)
    create: Any = client.chat.completions.create  # its overloads take no body as a whole

    async def call() -> None:
        await create(**body)

    return call, client.close


class _Socket(asyncio.Protocol):
    def __init__(self) -> None:
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def send(self, request: bytes) -> asyncio.Future[bytes]:
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, _, body = self._read.partition(b"\r\n\r\n")
        if body and len(body) == int(head.lower().partition(b"content-length:")[2].split()[0]):
            self._read = b""
            self._answer.set_result(body)


def _bare_socket(url: str, length: int) -> _Caller:
    where, body, idle = urlsplit(url), _body(length), list[_Socket]()
    host, port = where.hostname or "", where.port or 80
    head = f"POST {where.path}/chat/completions HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: "

    async def call() -> None:
        loop, content = asyncio.get_running_loop(), msgspec.json.encode(body)
        socket = idle.pop() if idle else (await loop.create_connection(_Socket, host, port))[1]
        completions(await socket.send(b"%b%d\r\n\r\n%b" % (head.encode(), len(content), content)), ())
        idle.append(socket)

    async def close() -> None:
        for socket in idle:
            socket.transport.close()

    return call, close


_OTHERS = {"the client's raw post": _raw_post, "its create": _create, "a bare socket": _bare_socket}


def _prompt(length: int) -> Prompt:
    prompt = Prompt(system("Answer with one thought and one action."), user(_OBSERVATION))
    while len(prompt.messages()) < length:
        prompt = prompt.extend(assistant("Thought: I look.\nAction: inventory"), user(_OBSERVATION))
    return prompt


if __name__ == "__main__":  # the server's own process
    serve_answers(lambda _: msgspec.json.encode(_ANSWER))
