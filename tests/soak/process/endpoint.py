"""The endpoint of a scenario: a process of its own, which logs what it is asked before it answers, and may die."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from aiohttp import web
from msgspec import Struct

from quintet.serving.endpoint import PreparedAnswer
from quintet.serving.models import served_models
from quintet.serving.server import serve
from quintet.serving.wire import Refusal
from tests.faulty.endpoint import FaultyEndpoint
from tests.faulty.faults import parse_faults
from tests.soak.requests import Entry, open_log, read_log, write_entry


class Death(Struct, frozen=True, kw_only=True):
    """When an endpoint dies."""

    request: int
    """Counted over all endpoints of the scenario, from 1."""
    moment: Literal["asked", "answered"]


@dataclass(kw_only=True)
class LoggingEndpoint(FaultyEndpoint):
    """Logs every valid request and every completion, and dies where it should."""

    log: int
    """File descriptor."""
    asked_before: int
    """By endpoints before it."""
    death: Death | None

    def _question_wanted(self, prepare: Callable[[bytes], PreparedAnswer], body: bytes) -> Refusal | None:
        """Without faults: every process of a run is refused once, and one that met a fault there would always do so."""
        try:
            return prepare(body).refusal
        except Refusal:
            return None

    async def _answer(self, asked: PreparedAnswer) -> web.Response | None:
        write_entry(self.log, Entry(digest=asked.digest, answered=False))
        number = self.asked_before + self.counters.asked.total() + 1
        self._die(number, "asked")
        answer = await super()._answer(asked)
        tokens = None if answer is None else _tokens(answer.body)
        if tokens is not None:
            write_entry(self.log, Entry(digest=asked.digest, answered=True, tokens=tokens))
        self._die(number, "answered")
        return answer

    def _die(self, number: int, moment: Literal["asked", "answered"]) -> None:
        if self.death is not None and number >= self.death.request and moment == self.death.moment:
            os.kill(os.getpid(), signal.SIGKILL)


def _tokens(body: Any) -> int | None:
    """Of a completion; None: it is none."""
    try:
        answer = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None
    return answer["usage"]["prompt_tokens"] + answer["usage"]["completion_tokens"] if answer.get("choices") else None


class EndpointProcess:
    """Endpoints on one port, one after the other."""

    def __init__(self, folder: Path, port: int, faults: str) -> None:
        self._folder = folder
        self._port = port
        self._faults = parse_faults(faults)
        self.process = 0
        """0: none runs."""
        self.deaths = 0

    def start(self, death: Death | None = None) -> None:
        """Start one, and return when it answers."""
        begun, ready = os.pipe()
        before = sum(not entry.answered for entry in read_log(self._folder))
        self.process = os.fork()
        if not self.process:
            _run_child(lambda: self._serve(ready, before, death))
        os.close(ready)
        assert os.read(begun, 1) == b".", f"the endpoint could not be served on port {self._port}"
        os.close(begun)

    def note_death(self) -> None:
        """It died by itself."""
        os.waitpid(self.process, 0)
        self.process = 0
        self.deaths += 1

    def stop(self) -> None:
        """End the one that runs, if any."""
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            self.process = 0

    async def _serve(self, ready: int, before: int, death: Death | None) -> None:
        log = open_log(self._folder)
        endpoint = LoggingEndpoint(
            models={**served_models("sim"), **served_models("random")},
            embedders={},
            latency=lambda _: 0.0,
            faults=self._faults,
            seed=0,
            log=log,
            asked_before=before,
            death=death,
        )
        async with serve(endpoint.application(), port=self._port):
            os.write(ready, b".")
            await asyncio.Event().wait()


def _run_child(serve_forever: Callable[[], Any]) -> None:
    try:
        asyncio.run(serve_forever())
    finally:
        os._exit(1)
