"""The routes: chat completions, embeddings, the list of models, and the counters."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from random import Random
from typing import NamedTuple, TypeVar

import msgspec
from aiohttp import web
from msgspec import UNSET

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt
from quintet.ports.embedder import Embedder
from quintet.ports.model import Completion, Model, Usage
from quintet.serving.counters import RequestCounters
from quintet.serving.embeddings import read_embedding_request
from quintet.serving.faults import FaultKind, Faults
from quintet.serving.latency import Latency
from quintet.serving.models import as_json_form
from quintet.serving.refusals import (
    TEXTLESS_ANSWERS,
    Refusal,
    injected_refusal,
    invalid,
    too_long,
    unknown_model,
    unknown_route,
)
from quintet.serving.request import CompletionRequest, read_request
from quintet.serving.wire import ChatCompletion, Choice, ErrorAnswer, ModelCard, ModelList, to_choice, to_usage

_LARGEST_BODY = 64 * 2**20
_SERVER = {"Server": "quintet serve-sim (simulated)"}
_HUGE = Usage(prompt_tokens=10**15, completion_tokens=10**15)
_GARBAGE = b'{"id": "chatcmpl-'

_ServedT = TypeVar("_ServedT")

_encode = msgspec.json.Encoder().encode


class _Made(NamedTuple):
    """A made answer."""

    usage: Usage
    body: Callable[[str, FaultKind | None, Usage | None], bytes]
    """Encodes it: under an id, with a fault, and with usage or without."""


class _Prepared(NamedTuple):
    """A valid request that names what is served."""

    digest: str
    make: Callable[[], Awaitable[_Made]]


class SimulatedEndpoint:
    """Answers requests. Each random draw depends on the seed, the request's digest and how often it has come.

    Args:
        models: by the name to request.
        embedders: by the name to request. Faults that take a completion its text do nothing to embeddings.
        latency: of every answer; a refusal is immediate.
        faults: injected into requests that could be answered.
        seed: fixes latencies and shares of faults, in any order of requests.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        embedders: Mapping[str, Embedder],
        *,
        latency: Latency,
        faults: Faults,
        seed: int,
    ) -> None:
        self._models = models
        self._embedders = embedders
        self._latency = latency
        self._faults = faults
        self._seed = seed
        self._answerable = 0
        self.counters = RequestCounters()

    def application(self) -> web.Application:
        """All routes. Other paths get an error in OpenAI's format too."""
        application = web.Application(client_max_size=_LARGEST_BODY)
        application.add_routes(
            [
                web.post("/v1/chat/completions", partial(self._serve, self._complete)),
                web.post("/v1/embeddings", partial(self._serve, self._embed)),
                web.get("/v1/models", self._list),
                web.get("/v1/models/{name}", self._show),
                web.get("/status", self._status),
                web.route("*", "/{path:.*}", self._unknown),
            ]
        )
        return application

    async def _serve(self, prepare: Callable[[bytes], "_Prepared"], request: web.Request) -> web.Response:
        with self.counters.in_progress():
            try:
                answer = await self._answer(prepare(await request.read()))
            except Refusal as refusal:
                answer = _refusal_response(refusal)
            except asyncio.CancelledError:
                self.counters.abandoned += 1
                raise
            if answer is None:
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()  # the connection is closed
            self.counters.count_answer(answer.status)
            return answer

    async def _answer(self, asked: "_Prepared") -> web.Response | None:
        """Answer a request. None: the connection is closed without an answer.

        Raises:
            Refusal: the answer is an error, of the request or injected.
        """
        self._answerable += 1
        tally = self.counters.count_request(asked.digest)
        chance = Random(f"{self._seed}/{asked.digest}/{tally.asked}")
        fault = self._faults.draw(self._answerable, chance.random())
        if fault is not None:
            self.counters.count_fault(fault)
        if fault == "drop":
            return None
        if (refusal := injected_refusal(fault, self._faults.retry_after)) is not None:
            raise refusal
        made = await asked.make()
        if self._faults.context is not None and made.usage.prompt_tokens > self._faults.context:
            raise too_long(made.usage.prompt_tokens, self._faults.context)
        await asyncio.sleep(self._latency(chance) + (self._faults.late if fault == "late" else 0.0))
        if fault not in ("garbage", "empty"):
            self.counters.count_completion(tally)
        if fault == "lost":
            return None
        if fault == "garbage":
            return _json(_GARBAGE)
        usage = None if fault == "nousage" else _HUGE if fault == "huge" else made.usage
        return _json(made.body(f"{asked.digest}-{tally.asked}", fault, usage))

    def _complete(self, body: bytes) -> "_Prepared":
        asked = read_request(body)
        model = _served(self._models, asked.model)

        async def make() -> _Made:
            completion = await _completion(model, asked)

            def body(id: str, fault: FaultKind | None, usage: Usage | None) -> bytes:
                answer = ChatCompletion(
                    id=f"chatcmpl-{id}",
                    model=asked.model,
                    created=int(time.time()),
                    choices=_choices(fault, completion),
                    usage=UNSET if usage is None else to_usage(usage),
                )
                return _encode(answer)

            return _Made(completion.usage, body)

        return _Prepared(asked.digest, make)

    def _embed(self, body: bytes) -> "_Prepared":
        asked = read_embedding_request(body)
        embedder = _served(self._embedders, asked.model)

        async def make() -> _Made:
            vectors = await asked.embed(embedder)

            def body(_: str, fault: FaultKind | None, usage: Usage | None) -> bytes:
                return asked.answer(() if fault == "empty" else vectors, usage)

            return _Made(asked.usage, body)

        return _Prepared(asked.digest, make)

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self._models, *self._embedders)

    async def _list(self, _: web.Request) -> web.Response:
        return _json(_encode(ModelList(tuple(map(ModelCard, self._names)))))

    async def _show(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        return _json(_encode(ModelCard(name))) if name in self._names else _refusal_response(unknown_model(name))

    async def _status(self, _: web.Request) -> web.Response:
        return _json(_encode(self.counters))

    async def _unknown(self, request: web.Request) -> web.Response:
        return _refusal_response(unknown_route(request.method, request.path))


def _served(by_name: Mapping[str, _ServedT], name: str) -> _ServedT:
    found = by_name.get(name)
    if found is None:
        raise unknown_model(name)
    return found


def _choices(fault: FaultKind | None, completion: Completion) -> tuple[Choice, ...]:
    match fault:
        case "empty":
            return ()
        case "refusal" | "filter" | "tools" | "null" | "image":
            return (TEXTLESS_ANSWERS[fault],)
        case _:
            return (to_choice(completion),)


async def _completion(model: Model, asked: CompletionRequest) -> Completion:
    try:
        completion = await model.complete(Prompt(*asked.messages), asked.sampling)
    except ModelFault as fault:
        raise invalid(str(fault)) from fault
    return as_json_form(completion, asked.sampling.form)


def _refusal_response(refusal: Refusal) -> web.Response:
    after = {} if refusal.retry_after is None else {"Retry-After": f"{refusal.retry_after:g}"}
    return _json(_encode(ErrorAnswer(refusal.error)), status=refusal.status, headers=after)


def _json(body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(
        body=body, status=status, headers={**_SERVER, **(headers or {})}, content_type="application/json"
    )
