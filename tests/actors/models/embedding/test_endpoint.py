"""An endpoint's embeddings: what is sent, what comes of it, and that the key is nowhere else."""

import asyncio
import pickle
import re
import struct
from base64 import b64encode
from typing import Any

import pytest
from aiohttp import web

from quintet.errors import ModelFault, NoAnswer, Overloaded
from quintet.messages.prompts import Prompt, user
from quintet.models.embedding.by_model import LONGEST_BATCH, ModelEmbedder
from quintet.models.embedding.endpoint import EmbeddingModel
from quintet.models.embedding.vectors import numbers_of, vectors_of_text
from quintet.ports.model import Completion, Sampling, Usage
from tests.actors.models.endpoint.serving import Heard, Server

SECRET = "sk-hunter2"
COUNTED = {"prompt_tokens": 7, "total_tokens": 7}


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("MY_KEY", SECRET)
    running.heard.clear()
    running.says(embeddings([3.0, 4.0]))
    return running


def embeddings(*rows: Any, usage: Any = COUNTED, **fields: Any) -> dict[str, Any]:
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    return {"object": "list", "data": data, "usage": usage, **fields}


def model(server: Server, **options: Any) -> EmbeddingModel:
    return EmbeddingModel("m", url=server.url, key="MY_KEY", **options)


def called(server: Server, *texts: str, **options: Any) -> Completion:
    return asyncio.run(model(server, **options).complete(Prompt(*map(user, texts)), Sampling(max_tokens=0)))


def numbers(completion: Completion) -> list[list[float]]:
    return [[round(number, 6) for number in numbers_of(vector)] for vector in vectors_of_text(completion.text)]


def test_a_call_is_one_post_of_all_texts(server: Server) -> None:
    server.says(embeddings([3.0, 4.0], [0, 2], system_fingerprint="fp"))
    completion = called(server, "heat an egg", "\u6f22 \x00")
    [heard] = server.heard
    assert (heard.path, heard.headers["authorization"]) == ("/v1/embeddings", f"Bearer {SECRET}")
    assert heard.body == {"model": "m", "input": ["heat an egg", "\u6f22 \x00"]}
    assert completion.usage == Usage(prompt_tokens=7)
    assert (completion.finish, completion.fingerprint) == ("stop", "fp")
    assert numbers(completion) == [[0.6, 0.8], [0.0, 1.0]]


def test_fewer_dimensions_can_be_asked_for(server: Server) -> None:
    called(server, "x", dimensions=2)
    assert server.heard[0].body["dimensions"] == 2


def test_vectors_are_read_in_the_order_of_the_texts_and_from_base64(server: Server) -> None:
    encoded = b64encode(struct.pack("<2f", 0.0, 5.0)).decode()
    answer = embeddings([1.0, 0.0], encoded)
    answer["data"].reverse()
    server.says(answer)
    assert numbers(called(server, "a", "b")) == [[1.0, 0.0], [0.0, 1.0]]


def test_vectors_without_an_index_are_read_as_they_come(server: Server) -> None:
    server.says({"data": [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 1.0]}]})
    assert numbers(called(server, "a", "b")) == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("indexes", [[0, 0], [1, 2], [-1, 0], [None, 0], [5, 7]])
def test_indexes_that_do_not_name_each_text_once_are_refused(server: Server, indexes: list[int | None]) -> None:
    server.says({"data": [{"embedding": [1.0], "index": index} for index in indexes]})
    said = re.escape(f"the indexes {indexes}, where each from 0 to 1 was expected")
    with pytest.raises(NoAnswer, match=said):
        called(server, "a", "b")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([0.0, 0.0], "a vector of zeros, where one with a direction was expected"),
        ("AAAAAAAAAAA=", "a vector of zeros, where one with a direction was expected"),
        ([0.5] * 200_000, "a vector of 200,000 numbers, where at most 65,536 were expected"),
        ("AADAfw==", "expected finite numbers, got others"),
    ],
)
def test_what_can_be_compared_with_nothing_is_refused_in_words(
    server: Server, numbers: list[float] | str, said: str
) -> None:
    server.says(embeddings(numbers))
    with pytest.raises(NoAnswer, match=said):
        called(server, "a")


@pytest.mark.parametrize("usage", [{"prompt_tokens": None}, {"prompt_tokens": -1}, "none", [], {"total_tokens": 3}])
def test_a_usage_that_is_none_is_0_which_is_charged_in_full(server: Server, usage: Any) -> None:
    server.says(embeddings([1.0], usage=usage))
    assert called(server, "x").usage == Usage()


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        {},
        {"data": []},
        embeddings([1.0], [2.0]),
        embeddings([]),
        embeddings(["x"]),
        embeddings("-"),
        embeddings("AAA="),
        embeddings([1e400]),
        {"data": [{"embedding": None}]},
        b'{"data": ' + b"[" * 10_000,
    ],
)
def test_what_is_no_vector_for_each_text_is_no_answer(server: Server, body: Any) -> None:
    server.says(body)
    with pytest.raises(NoAnswer, match=f"^m at {server.url}: expected a completion, got"):
        called(server, "x")


def test_a_failed_call_is_the_fault_that_it_is_for_a_model_and_does_not_show_the_key(server: Server) -> None:
    server.says({"error": {"message": f"wrong: {SECRET}"}}, 429)
    with pytest.raises(Overloaded) as raised:
        called(server, "x")
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


def test_a_text_that_is_too_long_says_which(server: Server) -> None:
    server.says({"error": {"message": "maximum context length", "code": "context_length_exceeded"}}, 400)
    assert called(server, "x").finish == "context_full"
    with pytest.raises(ModelFault, match=r"^m: expected 2 vectors, got context_full \(the longest text has 9 char"):
        asyncio.run(ModelEmbedder(model(server)).embed(["x", "x" * 9]))


def test_many_texts_are_embedded_in_several_calls(server: Server) -> None:
    async def respond(heard: Heard) -> Any:
        return web.json_response(embeddings(*([float(text), 1.0] for text in heard.body["input"])))

    server.respond = respond
    texts = [str(number) for number in range(LONGEST_BATCH + 3)]
    rows = map(numbers_of, asyncio.run(ModelEmbedder(model(server)).embed(texts)))
    assert [len(heard.body["input"]) for heard in server.heard] == [LONGEST_BATCH, 3]
    assert [str(round(first / second)) for first, second in rows] == texts


def test_an_empty_text_is_sent_as_a_space(server: Server) -> None:
    asyncio.run(ModelEmbedder(model(server)).embed([""]))
    assert server.heard[0].body["input"] == [" "]


def test_a_copy_reads_the_key_of_its_own_process(server: Server) -> None:
    copied = pickle.dumps(ModelEmbedder(model(server)))
    assert SECRET.encode() not in copied
    assert pickle.loads(copied).name == "m"


def test_vectors_of_another_length_than_before_are_no_answer(server: Server) -> None:
    async def twice() -> None:
        embedding = model(server)
        await embedding.complete(Prompt(user("x")), Sampling(max_tokens=0))
        server.says(embeddings([1.0, 2.0, 3.0]))
        with pytest.raises(NoAnswer, match="vectors of 3 numbers, where 2 were expected"):
            await embedding.complete(Prompt(user("x")), Sampling(max_tokens=0))

    asyncio.run(twice())
    with pytest.raises(NoAnswer, match="vectors of 3 numbers, where 256 were expected"):
        called(server, "x", dimensions=256)
