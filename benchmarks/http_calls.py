"""HTTP calls: the CPU time of one in the calling process, compared with the client's own `chat.completions.create`."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from aiohttp import web
from openai import AsyncOpenAI, DefaultAioHttpClient
from openai.types.chat import ChatCompletionMessageParam

from benchmarks.measuring import ROUNDS, Figure
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Sampling

_CALLS = 320
_AT_ONCE = 16
_LENGTHS = (2, 20, 80)
_OBSERVATION = "Inventory: [oak logs] (3) [oak planks] (8) [stick] (12). You see a crafting table and a furnace. "
_SAMPLING = Sampling(seed=7)
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
    with _server() as url:
        ours = {length: _cpu(length, url, _endpoint) for length in _LENGTHS}
        theirs = {length: _cpu(length, url, _create) for length in _LENGTHS}
    for length in _LENGTHS:
        beside = f"{theirs[length]:,.0f} us by the client's own create"
        yield Figure(f"http call, CPU, {length} messages", ours[length], "us", beside)
    yield Figure(
        f"http call, CPU, {_LENGTHS[-1]} messages over {_LENGTHS[0]}", ours[_LENGTHS[-1]] / ours[_LENGTHS[0]], "x"
    )


def _cpu(length: int, url: str, calling: Callable[[str, int], "_Caller"]) -> float:
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


_Caller = tuple[Callable[[], Awaitable[object]], Callable[[], Awaitable[None]]]
"""How to call once, and how to close."""


def _endpoint(url: str, length: int) -> _Caller:
    endpoint, prompt = Endpoint("m", url=url), _prompt(length)
    return lambda: endpoint.complete(prompt, _SAMPLING), endpoint.aclose


def _create(url: str, length: int) -> _Caller:
    client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=DefaultAioHttpClient())
    messages = [_as_parameter(message.role, message.content) for message in _prompt(length).messages()]

    async def call() -> str | None:
        answer = await client.chat.completions.create(
            model="m", messages=messages, temperature=0.0, top_p=1.0, max_tokens=512, seed=7
        )
        return answer.choices[0].message.content

    return call, client.close


def _as_parameter(role: str, content: str) -> ChatCompletionMessageParam:
    match role:
        case "system":
            return {"role": "system", "content": content}
        case "assistant":
            return {"role": "assistant", "content": content}
        case _:
            return {"role": "user", "content": content}


def _prompt(length: int) -> Prompt:
    prompt = Prompt(system("Answer with one thought and one action."), user(_OBSERVATION))
    while len(prompt.messages()) < length:
        prompt = prompt.extend(assistant("Thought: I look.\nAction: inventory"), user(_OBSERVATION))
    return prompt


@contextmanager
def _server() -> Generator[str, None, None]:
    command = [sys.executable, "-m", "benchmarks.http_calls"]
    with subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def _serve() -> None:
    answer = msgspec.json.encode(_ANSWER)

    async def respond(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=answer, content_type="application/json")

    application = web.Application()
    application.router.add_post("/v1/chat/completions", respond)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    print(f"http://{host}:{port}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":  # the server's own process
    asyncio.run(_serve())
