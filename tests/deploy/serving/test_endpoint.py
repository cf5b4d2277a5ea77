"""The routes over real sockets, with plain requests."""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from random import Random
from typing import Any, NamedTuple

import aiohttp
import pytest

from quintet.messages.prompts import Prompt
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Model, Sampling
from quintet.serving.request import read_request
from tests.faulty import faults
from tests.faulty.counters import RequestCounters, Tally
from tests.faulty.endpoint import ServedEndpoint, serve_models
from tests.faulty.faults import Faults

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


async def _post(served: ServedEndpoint, body: bytes) -> Got:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{served.url}/chat/completions", data=body) as answer,
    ):
        return Got(answer.status, answer.headers, await answer.read())


async def _in_flight(counters: RequestCounters, number: int) -> None:
    while counters.in_flight != number:  # noqa: ASYNC110  counters report no change
        await asyncio.sleep(0)


def _run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))


def test_a_completion_says_that_it_is_simulated_and_what_it_cost() -> None:
    async def check() -> None:
        async with serve_models(MODELS) as served:
            got = await _post(served, _body())
            assert got.status == 200
            assert "simulated" in got.headers["Server"]
            assert got.json["choices"][0]["message"] == {"role": "assistant", "content": "first", "refusal": None}
            assert got.json["choices"][0]["finish_reason"] == "stop"
            assert got.json["usage"]["total_tokens"] == 5 + 2
            assert (got.json["system_fingerprint"], got.json["model"]) == ("simulated", "scripted")
            cut = await _post(served, _body(max_tokens=1))
            assert cut.json["choices"][0]["message"]["content"] == "firs"
            assert cut.json["choices"][0]["finish_reason"] == "length"

    _run(check())


def test_models_are_listed_and_shown() -> None:
    async def check() -> None:
        async with serve_models(MODELS) as served:
            assert [card["id"] for card in (await _get(f"{served.url}/models")).json["data"]] == ["scripted"]
            assert (await _get(f"{served.url}/models/scripted")).json["object"] == "model"
            missing = await _get(f"{served.url}/models/gpt")
            assert (missing.status, missing.json["error"]["code"]) == (404, "model_not_found")

    _run(check())


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
def test_a_refusal_has_openais_shape_and_is_counted_by_its_status(
    body: bytes, status: int, code: str | None, said: str
) -> None:
    async def check() -> None:
        async with serve_models(MODELS) as served:
            got = await _post(served, body)
            assert (got.status, got.json["error"]["code"]) == (status, code)
            assert said in got.json["error"]["message"]
            assert served.counters.by_status == {status: 1}
            assert served.counters.completions == 0

    _run(check())


def test_an_unserved_route_is_refused_in_openais_shape() -> None:
    async def check() -> None:
        async with serve_models(MODELS) as served:
            got = await _get(f"{served.url}/chat/completions")
            assert (got.status, got.json["error"]["message"]) == (404, "Invalid URL (GET /v1/chat/completions)")

    _run(check())


def test_requests_and_answers_are_counted() -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults("429@2")) as served:
            for body in (_body("one"), _body("two"), _body("one")):
                await _post(served, body)
            counters = served.counters
            assert (counters.requests, counters.completions) == (3, 2)
            assert counters.by_status == {200: 2, 429: 1}
            assert counters.faults == {"429": 1}
            assert (counters.in_flight, counters.highest_in_flight, counters.abandoned) == (0, 1, 0)
            assert (counters.distinct_requests, counters.repeated_requests) == (2, 1)
            one, two = (read_request(_body(text)).digest for text in ("one", "two"))
            assert counters.by_request == {one: Tally(asked=2, answered=2), two: Tally(asked=1, answered=0)}

    _run(check())


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("400", 400, None),
        ("401", 401, "invalid_api_key"),
        ("404", 404, "model_not_found"),
        ("429", 429, "rate_limit_exceeded"),
        ("500", 500, None),
        ("503", 503, None),
    ],
)
def test_an_injected_error_comes_instead_of_a_completion(kind: str, status: int, code: str | None) -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults(f"{kind}@1,retry-after=0.2")) as served:
            got = await _post(served, _body())
            assert (got.status, got.json["error"]["code"]) == (status, code)
            assert got.headers.get("Retry-After") == ("0.2" if status in (429, 503) else None)
            assert (await _post(served, _body())).status == 200
            assert served.counters.by_request == {read_request(_body()).digest: Tally(asked=2, answered=1)}

    _run(check())


@pytest.mark.parametrize(("kind", "answered"), [("drop", 0), ("lost", 1)])
def test_a_closed_connection_is_no_answer_but_a_lost_one_was_made(kind: str, answered: int) -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults(f"{kind}@1-9")) as served:
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await _post(served, _body())
            counters = served.counters
            (tally,) = counters.by_request.values()
            assert tally == Tally(asked=1, answered=answered)
            assert (counters.completions, counters.by_status, counters.abandoned) == (answered, {}, 0)
            assert counters.faults == {kind: 1}

    _run(check())


def test_answers_can_be_spoilt() -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults("garbage@1,empty@2,nousage@3")) as served:
            garbage, empty, nousage = [await _post(served, _body()) for _ in range(3)]
            with pytest.raises(ValueError, match="Unterminated"):
                _ = garbage.json
            assert empty.json["choices"] == []
            assert nousage.json["choices"][0]["message"]["content"] == "first"
            assert "usage" not in nousage.json
            assert (served.counters.by_status, served.counters.completions) == ({200: 3}, 1)

    _run(check())


def test_a_late_answer_finds_its_client_gone_and_is_not_counted() -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults("late@1")) as served:
            asked = asyncio.create_task(_post(served, _body()))
            await _in_flight(served.counters, 1)
            asked.cancel()
            await _in_flight(served.counters, 0)
            assert (served.counters.abandoned, served.counters.completions) == (1, 0)

    _run(check())


def test_a_late_answer_reaches_a_client_that_waits() -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults("late:1,late=0.001")) as served:
            assert (await _post(served, _body())).status == 200

    _run(check())


def test_faults_are_injected_only_into_valid_requests() -> None:
    async def check() -> None:
        async with serve_models(MODELS, faults=faults.parse_faults("500@2")) as served:
            bodies = [_body(), _body(model="gpt"), b"{", _body()]
            assert [(await _post(served, body)).status for body in bodies] == [200, 404, 400, 500]

    _run(check())


def test_random_draws_do_not_depend_on_the_order_of_requests() -> None:
    async def answers_of(order: list[str], seed: int) -> dict[str, list[tuple[int, float]]]:
        waited = list[float]()

        def latency(random: Random) -> float:
            waited.append(random.random())
            return 0.0

        shares = Faults(shares=(("nousage", 0.3), ("empty", 0.3)))
        seen: dict[str, list[tuple[int, float]]] = {}
        async with serve_models(MODELS, latency=latency, faults=shares, seed=seed) as served:
            for text in order:
                got = await _post(served, _body(text))
                seen.setdefault(text, []).append((len(got.body), waited[-1]))
        return seen

    async def check() -> None:
        order = [*"abcabdbab"]
        forwards, backwards = await answers_of(order, 1), await answers_of(order[::-1], 1)
        assert forwards == backwards
        assert len({wait for waits in forwards.values() for _, wait in waits}) == len(order)
        assert await answers_of(order, 2) != forwards

    _run(check())


def test_a_latency_passes_before_an_answer_does() -> None:
    async def check() -> None:
        async with serve_models(MODELS, latency=lambda _: 0.02) as served:
            loop = asyncio.get_running_loop()
            begun = loop.time()
            await _post(served, _body())
            assert loop.time() - begun >= 0.02

    _run(check())


class Gate:
    """Answers only once all requests have come."""

    name = "gate"

    def __init__(self, count: int) -> None:
        self._all = asyncio.Barrier(count)

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await self._all.wait()
        return Completion(text="all here")


def test_many_requests_are_answered_at_a_time() -> None:
    async def check() -> None:
        async with serve_models({"scripted": Gate(40)}) as served:
            got = await asyncio.gather(*(_post(served, _body(str(number))) for number in range(40)))
            assert {answer.status for answer in got} == {200}
            assert (served.counters.highest_in_flight, served.counters.in_flight) == (40, 0)

    _run(check())


def test_a_server_that_ends_does_not_wait_for_answers_in_flight() -> None:
    async def check() -> None:
        async with serve_models(MODELS, latency=lambda _: 3_600.0) as served:
            asked = asyncio.create_task(_post(served, _body()))
            await _in_flight(served.counters, 1)
        with pytest.raises(aiohttp.ClientError):
            await asked

    _run(check())
