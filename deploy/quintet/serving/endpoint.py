"""The routes: chat completions, embeddings, and the list of models."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import NamedTuple, TypeVar

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler
from msgspec.structs import replace

from quintet.config import plugins
from quintet.config.sections import EnvironmentSection
from quintet.errors import ModelFault, UsageError
from quintet.messages.prompts import Prompt
from quintet.models.endpoint.questions import decode_question
from quintet.ports.embedder import Embedder
from quintet.ports.model import Asked, Completion, Model, PlaysExpert, TakesQuestions
from quintet.ports.world import PlayedWorld, World
from quintet.serving.embeddings import read_embedding_request
from quintet.serving.latency import Latency
from quintet.serving.request import CompletionRequest, read_request
from quintet.serving.wire import (
    Refusal,
    completion_fields,
    invalid,
    model_fields,
    not_json,
    question_wanted,
    unknown_model,
    unknown_route,
)
from quintet.trust.refusal import refuse_untrusted_world

_LARGEST_BODY = 64 * 2**20
_SERVER = {"Server": "quintet serve-sim (simulated)"}
_WORLDS = 8
"""How many worlds that questions are about are kept."""

_ServedT = TypeVar("_ServedT")

_encode = msgspec.json.Encoder().encode


class PreparedAnswer(NamedTuple):
    """A valid request that names what is served."""

    digest: str
    make: Callable[[str], Awaitable[bytes]]
    """Makes the body of the answer under an id."""
    refusal: Refusal | None = None
    """Why it is refused all the same: the model wants the question beside the prompt."""


@dataclass(kw_only=True)
class SimulatedEndpoint:
    """Answers requests. Each latency depends on the seed, the request's digest and how often it has come."""

    models: Mapping[str, Model]
    """By the name to request, as `embedders`."""
    embedders: Mapping[str, Embedder]
    latency: Latency
    """Of every answer; a refusal is immediate."""
    seed: int
    """Fixes latencies, in any order of requests."""

    def __post_init__(self) -> None:
        self._times = Counter[str]()
        """By digest, how often a request has come."""
        self._world = lru_cache(_WORLDS)(_make_world)

    def application(self) -> web.Application:
        """All routes. Other paths get an error in OpenAI's format too."""
        application = web.Application(client_max_size=_LARGEST_BODY, middlewares=[_refuse_other_content])
        application.add_routes(
            [
                web.post("/v1/chat/completions", partial(self.serve, self._complete)),
                web.post("/v1/embeddings", partial(self.serve, self._embed)),
                web.get("/v1/models", self._list),
                web.get("/v1/models/{name}", self._show),
                web.route("*", "/{path:.*}", self._unknown),
            ]
        )
        return application

    async def serve(self, prepare: Callable[[bytes], PreparedAnswer], request: web.Request) -> web.Response:
        """Answer a request, with an error if it is refused."""
        try:
            asked = prepare(await request.read())
            if asked.refusal is not None:
                raise asked.refusal
            self._times[asked.digest] += 1
            times = self._times[asked.digest]
            body = await asked.make(f"{asked.digest}-{times}")
        except Refusal as refusal:
            return refusal_response(refusal)
        await asyncio.sleep(self.latency(Random(f"{self.seed}/{asked.digest}/{times}")))
        return json_response(body)

    def _complete(self, body: bytes) -> PreparedAnswer:
        asked = read_request(body)
        model = _served(self.models, asked.model)

        async def make(id: str) -> bytes:
            completion = await self._completion(model, asked)
            return _encode(completion_fields(id, asked.model, int(time.time()), completion))

        wanted = isinstance(model, PlaysExpert) and asked.question is None
        return PreparedAnswer(asked.digest, make, question_wanted(asked.model) if wanted else None)

    async def _completion(self, model: Model, asked: CompletionRequest) -> Completion:
        prompt = Prompt(*asked.messages)
        try:
            if asked.question is None or not isinstance(model, TakesQuestions):
                return await model.complete(prompt, asked.sampling)
            return await model.answer(prompt, asked.sampling, self._asked(asked.question))
        except (ModelFault, UsageError) as fault:
            raise invalid(str(fault)) from fault

    def _asked(self, question: str) -> Asked:
        try:
            sent = decode_question(question)
        except msgspec.MsgspecError as error:
            raise UsageError(f"metadata: expected a question of Quintet, got something else: {error}") from error
        if sent.world is None:
            return sent.asked
        world = self._world(sent.world, msgspec.json.encode(sent.options, order="deterministic"))
        return replace(sent.asked, world=PlayedWorld(world, sent.options))

    def _embed(self, body: bytes) -> PreparedAnswer:
        asked = read_embedding_request(body)
        embedder = _served(self.embedders, asked.model)

        async def make(_: str) -> bytes:
            return asked.answer(await asked.embed(embedder))

        return PreparedAnswer(asked.digest, make)

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self.models, *self.embedders)

    async def _list(self, _: web.Request) -> web.Response:
        return json_response(_encode({"data": [*map(model_fields, self._names)], "object": "list"}))

    async def _show(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        return (
            json_response(_encode(model_fields(name))) if name in self._names else refusal_response(unknown_model(name))
        )

    async def _unknown(self, request: web.Request) -> web.Response:
        return refusal_response(unknown_route(request.method, request.path))


@web.middleware
async def _refuse_other_content(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a POST of anything but JSON: a page of another origin can send that without asking first."""
    if request.method == "POST" and request.content_type != "application/json":
        return refusal_response(not_json(request.content_type))
    return await handler(request)


def _make_world(name: str, options: bytes) -> World:
    """The world that a client's question is about; who the client is, nobody knows."""
    section = plugins.validate(EnvironmentSection, {**msgspec.json.decode(options), "name": name}, "environment")
    refuse_untrusted_world(section)
    return plugins.make_world(section)


def _served(by_name: Mapping[str, _ServedT], name: str) -> _ServedT:
    found = by_name.get(name)
    if found is None:
        raise unknown_model(name)
    return found


def refusal_response(refusal: Refusal) -> web.Response:
    """The error of a refused request."""
    return json_response(_encode({"error": refusal.error}), status=refusal.status)


def json_response(body: bytes, *, status: int = 200) -> web.Response:
    """An answer in JSON."""
    return web.Response(body=body, status=status, headers=_SERVER, content_type="application/json")
