"""OpenAI's own client works with the endpoint."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import openai
import pytest

from quintet.serving.models import served_models
from tests.faulty import faults
from tests.faulty.endpoint import serve_models


@asynccontextmanager
async def _client(order: str = "") -> AsyncGenerator[openai.AsyncOpenAI, None]:
    async with (
        serve_models(served_models("echo"), faults=faults.parse_faults(order)) as served,
        openai.AsyncOpenAI(base_url=served.url, api_key="any", max_retries=0) as client,
    ):
        yield client


async def _ask(client: openai.AsyncOpenAI, model: str = "echo") -> str | None:
    answer = await client.chat.completions.create(
        model=model,
        messages=[{"role": "system", "content": "Answer."}, {"role": "user", "content": "What?"}],
        temperature=0.5,
        stop=["\n"],
        seed=3,
        max_completion_tokens=20,
    )
    assert answer.system_fingerprint == "simulated"
    assert answer.usage is not None
    assert answer.usage.completion_tokens > 0
    return answer.choices[0].message.content


def test_it_completes_and_lists() -> None:
    async def check() -> None:
        async with _client() as client:
            assert await _ask(client) == "What?"
            names = [model.id async for model in client.models.list()]
            assert names == ["echo"]
            assert (await client.models.retrieve("echo")).owned_by == "quintet (simulated)"

    asyncio.run(check())


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("400", openai.BadRequestError),
        ("401", openai.AuthenticationError),
        ("404", openai.NotFoundError),
        ("429", openai.RateLimitError),
        ("500", openai.InternalServerError),
        ("503", openai.InternalServerError),
        ("drop", openai.APIConnectionError),
        ("lost", openai.APIConnectionError),
    ],
)
def test_it_knows_the_injected_errors(kind: str, error: type[openai.APIError]) -> None:
    async def check() -> None:
        async with _client(f"{kind}:1") as client:
            with pytest.raises(error) as raised:
                await _ask(client)
            assert isinstance(raised.value, openai.APIConnectionError) or "(injected)" in raised.value.message

    asyncio.run(check())


def test_it_knows_the_real_errors() -> None:
    async def check() -> None:
        async with _client() as client:
            with pytest.raises(openai.NotFoundError, match="'gpt' does not exist") as missing:
                await _ask(client, "gpt")
            assert missing.value.code == "model_not_found"
            with pytest.raises(openai.BadRequestError, match="Streaming is not served") as streamed:
                await client.chat.completions.create(
                    model="echo", messages=[{"role": "user", "content": "What?"}], stream=True
                )
            assert streamed.value.param == "stream"

    asyncio.run(check())
