"""Providers that take batches: one in this process, and the interfaces of two on loopback."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

from quintet.errors import Fault
from quintet.messages.prompts import Prompt
from quintet.ports.batches import BatchLost, BatchUnknown, NoRoomForBatch
from quintet.ports.model import Completion, Sampling

Watch: TypeAlias = Callable[[], None]


def lost(fault: BatchLost) -> list[Fault | None]:
    """What a batcher meets until a batch is lost."""
    return [fault] * 3


@dataclass(eq=False)
class Provider:
    """Answers each batch at the second look, or as a test says."""

    name: str = "m"
    without_batches: str = ""
    submitted: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])
    """The name of each batch, and its calls."""
    bodies: dict[str, bytes] = field(default_factory=dict[str, bytes])
    looks: Counter[str] = field(default_factory=Counter[str])
    expires: set[str] = field(default_factory=set[str])
    """Batches that answer one call alone."""
    forgotten: set[str] = field(default_factory=set[str])
    """Batches that it knows no more."""
    room: float = math.inf
    """The most calls of batches that have not ended; it refuses a batch with which there would be more."""
    refused: set[str] = field(default_factory=set[str])
    """Batches for which it had no room."""
    faults: list[Fault | None] = field(default_factory=list[Fault | None])
    """What the next operations meet."""
    clock: float = math.inf
    """When it made its batches, in seconds since the Unix epoch."""
    watch: Watch = lambda: None
    """Called before and after what a batch changes here."""

    def batch_body(self, prompt: Prompt, sampling: Sampling, n: int) -> bytes:
        return json.dumps([prompt.messages()[-1].content, sampling.seed, n]).encode()

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        return (Completion(text=answer.decode()),)

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise AssertionError("it is called by batches")

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        self.watch()
        self._meet()
        remote = f"remote-{len(self.submitted)}"
        if len(bodies) + sum(map(len, self.open_batches().values())) > self.room:
            self.refused.add(remote)
        self.submitted.append((name, tuple(bodies)))
        self.bodies.update(bodies)
        self.watch()
        return remote

    async def find_batch(self, name: str, calls: Collection[str], since: float) -> str | None:
        self.watch()
        self._meet()
        made = self.submitted if self.clock >= since else ()
        found = (f"remote-{at}" for at, (known, _) in enumerate(made) if known == name)
        return next((each for each in found if each not in self.forgotten), None)

    async def collect_batch(self, batch: str) -> Mapping[str, bytes] | None:
        self.watch()
        self._meet()
        if batch in self.forgotten:
            raise BatchUnknown(f"m: expected batch {batch}, got none")
        if batch in self.refused:
            raise NoRoomForBatch(f"m: expected answers of batch {batch}, got that too much waits")
        self.looks[batch] += 1
        if self.looks[batch] < 2:
            return None
        calls = self.submitted[int(batch.partition("-")[2])][1]
        return {call: b"answer to " + self.bodies[call] for call in calls[: 1 if batch in self.expires else None]}

    def open_batches(self) -> dict[str, tuple[str, ...]]:
        """The calls of those that it took and that have not ended, by its names for them."""
        taken = self.taken()
        return {remote: calls for remote, calls in taken.items() if self.looks[remote] < 2}

    def taken(self) -> dict[str, tuple[str, ...]]:
        """The calls of those that it did not refuse, by its names for them."""
        named = {f"remote-{at}": calls for at, (_, calls) in enumerate(self.submitted)}
        return {remote: calls for remote, calls in named.items() if remote not in self.refused}

    def _meet(self) -> None:
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault


@dataclass
class Hold:
    """A request that is not answered until a test goes on."""

    line: str
    """Its method and path."""
    number: int = 1
    """Among those of that line."""
    handled: bool = False
    """Before it is held; else it has no effect."""
    begun: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)

    def holds(self, line: str, number: int) -> bool:
        return (line, number) == (self.line, self.number)

    def wait(self) -> None:
        self.begun.set()
        self.ended.wait(60)


@dataclass
class BatchServer:
    """What a provider on loopback was sent; it outlives the runs that call it."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    batches: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """As OpenAI shows them, or Anthropic; with `requests`, what they hold."""
    submitted: Counter[str] = field(default_factory=Counter[str])
    """How often each call was, in batches that were taken."""
    room: float = math.inf
    """The most calls of OpenAI's batches that have not ended; one with which there would be more fails."""
    gone: set[str] = field(default_factory=set[str])
    """Batches and files that it has no more."""
    holds: "Hold | None" = None
    made: int = 0
    """Batches."""
    looks: int = 2
    """At a batch, until it has ended."""
    expires: set[int] = field(default_factory=set[int])
    """The numbers of batches that expire with every other call unanswered."""
    broken: tuple[int, bytes] | None = None
    """What it answers to everything, with its status; None: it works."""
    says: Callable[[dict[str, Any]], str] = lambda _: SAID
    """Its answer to the body of a call by OpenAI's interface; Anthropic's has the usual one."""
    heard: list[str] = field(default_factory=list[str])
    lock: Lock = field(default_factory=Lock)

    def answer(self, method: str, path: str, data: bytes) -> tuple[int, bytes]:
        line = f"{method} {path.partition('?')[0]}"
        with self.lock:
            self.heard.append(line)
            number = self.heard.count(line)
        if self.broken is not None:
            return self.broken
        held = self.holds if self.holds is not None and self.holds.holds(line, number) else None
        if held is not None and not held.handled:
            held.wait()
            return 500, b""
        if self.gone.intersection(line.split("/")):
            return 404, b'{"error": {"type": "not_found_error", "message": "There is none."}}'
        with self.lock:
            found = self._anthropic(method, path, data) if "/messages/" in path else self._openai(method, path, data)
        if held is not None:
            held.wait()
        return 200, found if isinstance(found, bytes) else json.dumps(found).encode()

    def _openai(self, method: str, path: str, data: bytes) -> Any:
        match method, path.partition("?")[0].split("/")[2:]:
            case "POST", ["chat", "completions"]:
                return self._chat(json.loads(data))
            case "POST", ["files"]:
                found = re.search(rb"filename=\"[^\"]*\"\r\n.*?\r\n\r\n(.*?)\r\n--", data, re.DOTALL)
                assert found is not None
                name = f"file-{len(self.files)}"
                self.files[name] = found[1]
                return {"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "f", "purpose": "batch"}
            case "POST", ["batches"]:
                asked = json.loads(data)
                requests = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
                return _shown(self._begin(requests, metadata=asked["metadata"]))
            case "GET", ["batches"]:
                return {"object": "list", "data": [_shown(each) for each in self.batches[::-1]], "has_more": False}
            case "GET", ["batches", name]:
                return _shown(self._looked_at(name))
            case "GET", ["files", name, "content"]:
                return self.files[name]
            case other:
                raise AssertionError(other)

    def _anthropic(self, method: str, path: str, data: bytes) -> Any:
        match method, path.partition("?")[0].split("/")[4:]:
            case "POST", []:
                return _anthropics(self._begin(json.loads(data)["requests"]))
            case "GET", []:
                found = [self._looked_at(each["id"]) for each in self.batches[::-1]]
                return {"data": [_anthropics(each) for each in found], "has_more": False}
            case "GET", [name]:
                shown = _anthropics(self._looked_at(name), self.url)
                return {**shown, "results_url": None} if "results_url" in self.gone else shown
            case "GET", [name, "results"]:
                batch = next(each for each in self.batches if each["id"] == name)
                return b"\n".join(json.dumps(self._result(batch, place)).encode() for place in range(batch["total"]))
            case other:
                raise AssertionError(other)

    def _begin(self, requests: list[dict[str, Any]], **further: Any) -> dict[str, Any]:
        number, self.made = self.made, self.made + 1
        batch = {"id": f"batch-{number}", "number": number, "total": len(requests), "looks": 0}
        waiting = sum(each["total"] for each in self.batches if not each.get("ended") and not each.get("failed"))
        batch["failed"] = waiting + len(requests) > self.room
        if not batch["failed"]:
            self.submitted.update(request["custom_id"].rpartition("-")[2] for request in requests)
        self.batches.append({**batch, "requests": requests, **further})
        return self.batches[-1]

    def _looked_at(self, name: str) -> dict[str, Any]:
        batch = next(each for each in self.batches if each["id"] == name)
        batch["looks"] += 1
        if batch["looks"] == self.looks:
            self._end(batch)
        return batch

    def _end(self, batch: dict[str, Any]) -> None:
        lines: tuple[list[bytes], list[bytes]] = [], []
        for place, request in enumerate(batch["requests"]):
            gone = self._expired(batch, place)
            error = {"code": "batch_expired", "message": "This request could not be executed before it expired."}
            answer = (
                None if gone else {"status_code": 200, "request_id": "r", "body": self._chat(request.get("body", {}))}
            )
            line = {"id": "l", "custom_id": request["custom_id"], "response": answer, "error": error if gone else None}
            lines[gone].append(json.dumps(line).encode())
        batch["ended"] = True
        for kind, each in zip(("output", "error"), lines, strict=True):
            if each:
                batch[f"{kind}_file_id"] = f"{kind}-{batch['number']}"
                self.files[batch[f"{kind}_file_id"]] = b"\n".join(each) + b"\n"

    def _chat(self, asked: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.says(asked)}
        choices = [{"index": at, "message": message, "finish_reason": "stop"} for at in range(asked.get("n", 1))]
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}

    def _expired(self, batch: dict[str, Any], place: int) -> bool:
        return batch["number"] in self.expires and bool(place % 2)

    def _result(self, batch: dict[str, Any], place: int) -> dict[str, Any]:
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "stop_reason": "end_turn",
            "content": [{"type": "text", "text": SAID}],
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }
        gone = self._expired(batch, place)
        result = {"type": "expired"} if gone else {"type": "succeeded", "message": message}
        return {"custom_id": batch["requests"][place]["custom_id"], "result": result}


SAID = "Thought: It is too far.\nAction: task failed"
"""The usual answer."""


def _shown(batch: dict[str, Any]) -> dict[str, Any]:
    """A batch, as OpenAI shows it."""
    ended = "expired" if "error_file_id" in batch else "completed"
    full = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m."}
    failed: dict[str, Any] = {"status": "failed", "errors": {"object": "list", "data": [full]}}
    return {
        "id": batch["id"],
        "object": "batch",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "created_at": 10**10,
        "input_file_id": "f",
        "status": ended if batch.get("ended") else "in_progress",
        **{name: batch.get(name) for name in ("output_file_id", "error_file_id", "metadata")},
        **(failed if batch["failed"] else {}),
    }


def _anthropics(batch: dict[str, Any], url: str = "") -> dict[str, Any]:
    """The same, as Anthropic shows it."""
    ended, total = bool(batch.get("ended")), batch["total"]
    counts = {"processing": 0 if ended else total, "succeeded": total if ended else 0}
    later = "2999-01-01T00:00:00Z"
    return {
        "id": batch["id"],
        "type": "message_batch",
        "processing_status": "ended" if ended else "in_progress",
        "request_counts": {**counts, "errored": 0, "canceled": 0, "expired": 0},
        "created_at": later,
        "expires_at": later,
        "ended_at": later if ended else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": f"{url}/messages/batches/{batch['id']}/results",
    }


@contextmanager
def batch_server() -> Generator[BatchServer, None, None]:
    state = BatchServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            status, body = state.answer(self.command, self.path, data)
            with suppress(ConnectionError):  # of a process that was killed
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        do_GET = do_POST = _answer  # noqa: N815  the names of `http.server`

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
