"""The routes over real sockets, with plain requests."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple

import aiohttp
import openai
import pytest

from quintet.messages.prompts import Prompt
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Model, Sampling
from quintet.serving.endpoint import SimulatedEndpoint
from quintet.serving.latency import Latency
from quintet.serving.server import serve

pytestmark = pytest.mark.real_time

MODELS: Mapping[str, Model] = {"scripted": Scripted(["first", "second"])}


class Got(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def _body(text: str = "go", **fields: Any) -> bytes:
    messages = [{"role": "user", "content": text}]
    return json.dumps({"model": "scripted", "messages": messages, **fields}).encode()


async def _get(url: str) -> Got:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return Got(answer.status, answer.headers, await answer.read())


async def _post(url: str, body: bytes, content: str = "application/json; charset=utf-8") -> Got:
    async with (
        aiohttp.ClientSession(headers={"Content-Type": content}) as session,
        session.post(f"{url}/chat/completions", data=body) as answer,
    ):
        return Got(answer.status, answer.headers, await answer.read())


@asynccontextmanager
async def serving(
    models: Mapping[str, Model], latency: Latency = lambda _: 0.0, seed: int = 0
) -> AsyncGenerator[str, None]:
    endpoint = SimulatedEndpoint(models=models, embedders={}, latency=latency, seed=seed)
    async with serve(endpoint.application()) as url:
        yield f"{url}/v1"


async def without_host(port: int) -> str:
    """The status line that a request without a Host gets."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    line = await reader.readline()
    writer.close()
    return line.decode()


async def test_a_request_without_a_host_gets_a_400_and_the_log_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(MODELS) as url:
        assert " 400 " in await without_host(int(url.removesuffix("/v1").rpartition(":")[2]))
    assert caplog.records == []


async def test_a_bug_of_the_server_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        name = "broken"

        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            raise ZeroDivisionError

    async with serving({"scripted": Broken()}) as url:
        assert (await _post(url, _body())).status == 500
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ZeroDivisionError]


async def test_a_completion_says_that_it_is_simulated_and_what_it_cost() -> None:
    async with serving(MODELS) as url:
        got = await _post(url, _body())
        assert got.status == 200
        assert "simulated" in got.headers["Server"]
        assert got.json["choices"][0]["message"] == {"role": "assistant", "content": "first", "refusal": None}
        assert got.json["choices"][0]["finish_reason"] == "stop"
        assert got.json["usage"]["total_tokens"] == 5 + 2
        assert (got.json["system_fingerprint"], got.json["model"]) == ("simulated", "scripted")
        cut = await _post(url, _body(max_tokens=1))
        assert cut.json["choices"][0]["message"]["content"] == "firs"
        assert cut.json["choices"][0]["finish_reason"] == "length"


async def test_models_are_listed_and_shown() -> None:
    async with serving(MODELS) as url:
        assert [card["id"] for card in (await _get(f"{url}/models")).json["data"]] == ["scripted"]
        assert (await _get(f"{url}/models/scripted")).json["object"] == "model"
        missing = await _get(f"{url}/models/gpt")
        assert (missing.status, missing.json["error"]["code"]) == (404, "model_not_found")


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        (_body(model="gpt"), 404, "model_not_found", "The model 'gpt' does not exist"),
        (_body(stream=True), 400, "unsupported_value", "Streaming is not served here"),
        (b"{", 400, None, "could not parse the JSON body"),
        (
            _body(messages=[{"role": "assistant", "content": "said"}] * 2),
            400,
            None,
            "expected at most 2 answers in a conversation",
        ),
    ],
)
async def test_a_refusal_has_openais_shape(body: bytes, status: int, code: str | None, said: str) -> None:
    async with serving(MODELS) as url:
        got = await _post(url, body)
        assert (got.status, got.json["error"]["code"]) == (status, code)
        assert said in got.json["error"]["message"]


@pytest.mark.parametrize("content", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_what_a_page_of_another_origin_can_send_without_asking_is_refused(content: str) -> None:
    async with serving(MODELS) as url:
        got = await _post(url, _body(), content)
        assert (got.status, got.json["error"]["code"]) == (415, "unsupported_content_type")
        assert got.json["error"]["message"] == f"Unsupported content type: {content!r}. Expected application/json."


async def test_an_unserved_route_is_refused_in_openais_shape() -> None:
    async with serving(MODELS) as url:
        got = await _get(f"{url}/chat/completions")
        assert (got.status, got.json["error"]["message"]) == (404, "Invalid URL (GET /v1/chat/completions)")


async def test_random_draws_do_not_depend_on_the_order_of_requests() -> None:
    async def waits_of(order: list[str], seed: int) -> dict[str, list[float]]:
        waited = list[float]()

        def latency(random: Random) -> float:
            waited.append(random.random())
            return 0.0

        seen: dict[str, list[float]] = {}
        async with serving(MODELS, latency, seed=seed) as url:
            for text in order:
                await _post(url, _body(text))
                seen.setdefault(text, []).append(waited[-1])
        return seen

    order = [*"abcabdbab"]
    forwards = await waits_of(order, 1)
    assert await waits_of(order[::-1], 1) == forwards
    assert len({wait for waits in forwards.values() for wait in waits}) == len(order)
    assert await waits_of(order, 2) != forwards


async def test_a_latency_passes_before_an_answer_does() -> None:
    async with serving(MODELS, lambda _: 0.02) as url:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await _post(url, _body())
        assert loop.time() - begun >= 0.02


async def test_openais_own_client_lists_models_completes_and_knows_the_errors() -> None:
    async with serving(MODELS) as url, openai.AsyncOpenAI(base_url=url, api_key="any", max_retries=0) as client:
        assert [model.id async for model in client.models.list()] == ["scripted"]
        assert (await client.models.retrieve("scripted")).owned_by == "quintet (simulated)"
        answer = await client.chat.completions.create(
            model="scripted", messages=[{"role": "user", "content": "What?"}], stop=["\n"], max_completion_tokens=20
        )
        assert (answer.choices[0].message.content, answer.system_fingerprint) == ("first", "simulated")
        assert answer.usage is not None
        assert answer.usage.completion_tokens > 0
        with pytest.raises(openai.NotFoundError, match="'gpt' does not exist") as missing:
            await client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": "What?"}])
        assert missing.value.code == "model_not_found"


class Gate:
    """Answers only once all requests have come."""

    name = "gate"

    def __init__(self, count: int) -> None:
        self._all = asyncio.Barrier(count)

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await self._all.wait()
        return Completion(text="all here")


async def test_many_requests_are_answered_at_a_time() -> None:
    async with serving({"scripted": Gate(40)}) as url:
        got = await asyncio.gather(*(_post(url, _body(str(number))) for number in range(40)))
        assert {answer.status for answer in got} == {200}


async def test_a_server_that_ends_does_not_wait_for_answers_in_flight() -> None:
    begun = asyncio.Event()

    class Endless(Gate):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            begun.set()
            return await super().complete(prompt, sampling)

    async with serving({"scripted": Endless(2)}) as url:
        asked = asyncio.create_task(_post(url, _body()))
        await begun.wait()
    with pytest.raises(aiohttp.ClientError):
        await asked
