"""OpenAI's own client works with the endpoint."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import openai
import pytest

from quintet.serving.models import served_models
from tests.faulty.endpoint import serve_models

pytestmark = pytest.mark.real_time


@asynccontextmanager
async def _client() -> AsyncGenerator[openai.AsyncOpenAI, None]:
    async with (
        serve_models(served_models("echo")) as served,
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


async def test_it_completes_and_lists() -> None:
    async with _client() as client:
        assert await _ask(client) == "What?"
        names = [model.id async for model in client.models.list()]
        assert names == ["echo"]
        assert (await client.models.retrieve("echo")).owned_by == "quintet (simulated)"


async def test_it_knows_the_real_errors() -> None:
    async with _client() as client:
        with pytest.raises(openai.NotFoundError, match="'gpt' does not exist") as missing:
            await _ask(client, "gpt")
        assert missing.value.code == "model_not_found"
        with pytest.raises(openai.BadRequestError, match="Streaming is not served") as streamed:
            await client.chat.completions.create(
                model="echo", messages=[{"role": "user", "content": "What?"}], stream=True
            )
        assert streamed.value.param == "stream"
