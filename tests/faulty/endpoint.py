"""An endpoint that injects faults and counts, for tests of what a client makes of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from aiohttp import web

from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.serving.endpoint import PreparedAnswer, SimulatedEndpoint, json_response, refusal_response
from quintet.serving.latency import Latency
from quintet.serving.server import serve
from quintet.serving.wire import Refusal
from tests.faulty.faults import ANSWERS_WITHOUT_AN_ACTION, Faults, injected_refusal, too_long

_NOTHING = b'{"choices": []}'
"""The answer to a prompt without its question, by an endpoint that is out of order."""
_GARBAGE = b'{"id": "chatcmpl-'


@dataclass
class RequestCounters:
    """Counts of requests since the endpoint started."""

    requests: int = 0
    completions: int = 0
    """Requests answered with a completion."""
    faults: Counter[str] = field(default_factory=Counter[str])
    """Injected faults by kind."""
    asked: Counter[str] = field(default_factory=Counter[str])
    """By digest, for every valid request that names a served model."""
    used: Counter[str] = field(default_factory=Counter[str])
    """Tokens of completions, by kind."""


@dataclass(kw_only=True)
class FaultyEndpoint(SimulatedEndpoint):
    """Each random draw depends on the seed, the request's digest and how often it has come."""

    faults: Faults
    """Injected into requests that could be answered. Those that take a completion its text do nothing to embeddings."""
    counters: RequestCounters = field(default_factory=RequestCounters)
    takes_n: bool = False
    """Draws several completions of one request; else such a request is refused. The digest leaves their number out."""

    async def serve(self, prepare: Callable[[bytes], PreparedAnswer], request: web.Request) -> web.Response:
        body = await request.read()
        if (wanted := self._question_wanted(prepare, body)) is not None:
            return refusal_response(wanted)
        self.counters.requests += 1
        try:
            answer = await self._answer(prepare(body))
        except Refusal as refusal:
            refused = refusal_response(refusal)
            if refusal.status in (429, 503):
                refused.headers["Retry-After"] = f"{self.faults.retry_after:g}"
            return refused
        if answer is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()  # the connection is closed
        return answer

    def _complete(self, body: bytes) -> PreparedAnswer:
        fields = msgspec.json.decode(body, type=dict[str, Any]) if self.takes_n else {}
        n: int = fields.pop("n", 1)
        if n == 1:
            return super()._complete(body)
        one, *each = (
            super(FaultyEndpoint, self)._complete(msgspec.json.encode(fields | seed))
            for seed in ({}, *({"seed": number} for number in range(n)))
        )

        async def make(id: str) -> bytes:
            first, *others = [msgspec.json.decode(await answer.make(id)) for answer in each]
            for other in others:
                first["choices"] += other["choices"]
                first["usage"]["completion_tokens"] += other["usage"]["completion_tokens"]
            return msgspec.json.encode(first)

        return one._replace(make=make)

    def _question_wanted(self, prepare: Callable[[bytes], PreparedAnswer], body: bytes) -> Refusal | None:
        """The refusal of a prompt that came without its question. It is not counted, and meets a fault first."""
        try:
            asked = prepare(body)
        except Refusal:
            return None
        times = self.counters.asked[asked.digest]  # another draw for each repeat, or none would ever be asked for
        chance = Random(f"{self.seed}/{asked.digest}/wanted/{times}").random()
        fault = self.faults.draw(self.counters.asked.total() + 1, chance)
        return asked.refusal if fault is None or fault in ANSWERS_WITHOUT_AN_ACTION else None

    async def _answer(self, asked: PreparedAnswer) -> web.Response | None:
        """Answer a request. None: the connection is closed without an answer."""
        self.counters.asked[asked.digest] += 1
        times = self.counters.asked[asked.digest]
        chance = Random(f"{self.seed}/{asked.digest}/{times}")
        fault = self.faults.draw(self.counters.asked.total(), chance.random())
        if fault is not None:
            self.counters.faults[fault] += 1
        if fault == "drop":
            return None
        if (refusal := injected_refusal(fault)) is not None:
            raise refusal
        body = await asked.make(f"{asked.digest}-{times}") if asked.refusal is None else _NOTHING
        answer = msgspec.json.decode(body, type=dict[str, Any])
        used = Counter[str](answer.get("usage", {}))
        if self.faults.context is not None and used["prompt_tokens"] > self.faults.context:
            raise too_long(used["prompt_tokens"], self.faults.context)
        await asyncio.sleep(self.latency(chance))
        if fault == "garbage":
            return json_response(_GARBAGE)
        self.counters.completions += fault != "empty"
        self.counters.used.update({kind: used[f"{kind}_tokens"] for kind in ("prompt", "completion")})
        choices = _choices(fault)
        return json_response(body if choices is None else msgspec.json.encode({**answer, "choices": choices}))


def _choices(fault: str | None) -> list[dict[str, object]] | None:
    match fault:
        case "empty":
            return []
        case str() if fault in ANSWERS_WITHOUT_AN_ACTION:
            return [ANSWERS_WITHOUT_AN_ACTION[fault]]
        case _:
            return None


@dataclass(frozen=True)
class ServedEndpoint:
    """An endpoint that is being served."""

    url: str
    """Base URL for an OpenAI client; ends in `/v1`."""
    counters: RequestCounters
    """Updated while it serves."""


@asynccontextmanager
async def serve_models(
    models: Mapping[str, Model],
    embedders: Mapping[str, Embedder] | None = None,
    *,
    latency: Latency = lambda _: 0.0,
    faults: Faults | None = None,
    takes_n: bool = False,
) -> AsyncGenerator[ServedEndpoint, None]:
    """Serve models on this event loop, until the context ends; see `FaultyEndpoint`."""
    endpoint = FaultyEndpoint(
        models=models,
        embedders=embedders or {},
        latency=latency,
        faults=faults or Faults(),
        seed=0,
        takes_n=takes_n,
    )
    async with serve(endpoint.application()) as url:
        yield ServedEndpoint(f"{url}/v1", endpoint.counters)
