"""The model behind an endpoint: what is sent, what comes of it, and that the key is nowhere else."""

import asyncio
import gzip
import logging
import pickle
import socket
import threading
import traceback
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from aiohttp import web
from openai import AsyncOpenAI

from quintet.errors import (
    EndpointFailed,
    EndpointUnavailable,
    Fault,
    FaultNote,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
    UsageError,
)
from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.endpoint.connection import Connection
from quintet.models.endpoint.http import LARGEST_ANSWER
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Asked, Completion, Sampling, Usage
from quintet.ports.tokens import unpack_ids
from quintet.questions.shape import response_format
from quintet.roles.conversations import with_question
from tests.actors.models.endpoint.serving import PROMPT, Heard, Server, called, chat, counted

pytestmark = pytest.mark.real_time

SECRET = "sk-hunter2"


@pytest.fixture
def endpoint(server: Server, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setenv("MY_KEY", SECRET)
    return Endpoint("m", url=server.url, key="MY_KEY")


def failed(endpoint: Endpoint) -> Fault:
    with pytest.raises(Fault) as raised:
        called(endpoint)
    return raised.value


def test_a_call_is_one_post_of_the_whole_conversation(server: Server, endpoint: Endpoint) -> None:
    usage = Usage(prompt_tokens=12, completion_tokens=2, cached_tokens=8)
    server.says(chat("Hello.", usage=counted(usage)))
    prompt = Prompt(system("Be brief.")).extend(user("A \u6f22 \x00"), assistant("B"), user("C"))
    completion = called(endpoint, prompt, temperature=0.5, max_tokens=64, stop=("\n",), seed=7)
    assert (completion.text, completion.finish, completion.usage) == ("Hello.", "stop", usage)
    [heard] = server.heard
    assert heard.path == "/v1/chat/completions"
    assert heard.headers["authorization"] == f"Bearer {SECRET}"
    assert heard.headers["content-type"] == "application/json"
    assert heard.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "A \u6f22 \x00"},
            {"role": "assistant", "content": "B"},
            {"role": "user", "content": "C"},
        ],
        "temperature": 0.5,
        "top_p": 1.0,
        "max_tokens": 64,
        "stop": ["\n"],
        "seed": 7,
    }


def test_a_form_of_answers_is_sent_as_its_schema(server: Server, endpoint: Endpoint) -> None:
    server.says(chat("Hello."))
    called(endpoint, form="action")
    [heard] = server.heard
    assert heard.body["response_format"] == response_format("action")


@pytest.mark.parametrize(
    ("name", "options", "sent"),
    [
        (
            "gpt-5",
            {"max_tokens_as": "max_tokens", "omit": ["seed"], "extra": {"reasoning": "low"}},
            {"max_tokens", "reasoning"},
        ),
        ("gpt-5", {}, {"max_completion_tokens", "seed"}),
        ("Qwen/Qwen3-8B", {"omit": ["temperature"]}, {"max_tokens", "top_p", "seed"}),
    ],
)
def test_how_it_is_asked_depends_on_its_family_and_can_be_chosen(
    server: Server, name: str, options: dict[str, Any], sent: set[str]
) -> None:
    server.says(chat("one\ntwo"))
    endpoint = Endpoint(name, url=server.url, **options)
    assert endpoint.name == name
    assert called(endpoint, stop=("\n",), seed=7).text == "one"
    assert server.heard[0].body.keys() == {"model", "messages", *sent}


def test_no_more_stop_sequences_are_sent_than_vllm_takes_and_the_text_ends_at_the_others_too(server: Server) -> None:
    async def respond(heard: Heard) -> web.Response:
        if len(heard.body["stop"]) <= 4:
            return web.json_response(chat("one\ntwo"))
        said = "List should have at most 4 items after validation, not 5"
        error = {"message": said, "type": "Bad Request", "param": "body.stop", "code": 400}
        return web.json_response({"error": error}, status=400)

    server.respond = respond
    completion = called(Endpoint("m", url=server.url), stop=("", *"aabcd", "\n"))
    assert (completion.text, server.heard[0].body["stop"]) == ("one", list("abcd"))


def test_a_model_without_a_system_role_gets_its_instructions_from_the_user(server: Server) -> None:
    prompt = Prompt(system("Be brief."), user("A"), assistant("B"), user("C"))
    called(Endpoint("m", url=server.url, system="fold"), prompt)
    assert server.heard[0].body["messages"] == [
        {"role": "user", "content": "Be brief.\n\nA"},
        {"role": "assistant", "content": "B"},
        {"role": "user", "content": "C"},
    ]


def test_a_short_key_does_not_change_what_the_model_says(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "x")
    server.says(chat("examine box 1"))
    assert called(Endpoint("m", url=server.url, key="MY_KEY")).text == "examine box 1"


@cache
def compressed(size: int) -> bytes:
    return gzip.compress(b" " * size, 1)


@pytest.mark.parametrize("status", [200, 502])
@pytest.mark.parametrize(
    "size", [LARGEST_ANSWER + 1, pytest.param(32 * LARGEST_ANSWER, marks=pytest.mark.slow)], ids=["just", "far"]
)
def test_an_answer_is_read_up_to_a_limit_however_well_it_compresses(
    server: Server, endpoint: Endpoint, size: int, status: int
) -> None:
    server.says(compressed(size), status, {"Content-Encoding": "gzip"})
    tracemalloc.start()
    fault = failed(endpoint)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert type(fault) is NoAnswer
    assert f"more than {LARGEST_ANSWER:,} bytes" in str(fault)
    assert most < 8 * LARGEST_ANSWER


def test_a_compressed_answer_is_read(server: Server, endpoint: Endpoint) -> None:
    server.says(gzip.compress(msgspec.json.encode(chat("Hello."))), 200, {"Content-Encoding": "gzip"})
    assert called(endpoint).text == "Hello."


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        *(
            ({field: 2}, rf"^model\.extra: .* got {field}$")
            for field in ("model", "messages", "stream", "n", "max_tokens", "seed", "response_format")
        ),
        ({"a": object()}, r"model\.extra: expected what JSON can say"),
    ],
)
def test_further_fields_do_not_undo_the_others_and_are_what_json_can_say(
    server: Server, extra: dict[str, Any], error: str
) -> None:
    with pytest.raises(UsageError, match=error):
        Endpoint("m", url=server.url, extra=extra)


def test_without_an_address_a_key_is_needed() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY: expected a key"):
        Endpoint("m")


def test_a_server_of_ones_own_needs_no_key(server: Server) -> None:
    called(Endpoint("m", url=server.url))
    assert server.heard[0].headers["authorization"] == "Bearer none"


def test_the_key_goes_before_what_the_environment_adds(
    server: Server, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer another\nX-Team: us")
    called(endpoint)
    assert server.heard[0].headers["authorization"] == f"Bearer {SECRET}"
    known = AsyncOpenAI(api_key="none").default_headers.get("X-Team")  # by the oldest clients it is not
    assert server.heard[0].headers.get("x-team") == known


@pytest.mark.parametrize(
    ("status", "kind", "text"),
    [
        (302, EndpointUnavailable, "302: it is at another address"),
        (400, ModelFault, "400: too much"),
        (401, KeyRefused, "expected to be let in with the key in MY_KEY, got 401"),
        (402, EndpointUnavailable, "expected an account with credit, got 402: too much"),
        (403, KeyRefused, "expected to be allowed this model with the key in MY_KEY, got 403: too much"),
        (404, EndpointUnavailable, "expected this model at this address, got 404: too much"),
        (408, EndpointFailed, "408: too much"),
        (409, EndpointFailed, "409: too much"),
        (418, ModelFault, "418: too much"),
        (422, ModelFault, "422: too much"),
        (429, Overloaded, "429: too much"),
        (500, EndpointFailed, "500: too much"),
        (502, EndpointFailed, "502: too much"),
        (503, Overloaded, "503: too much"),
        (504, EndpointFailed, "504: too much"),
        (529, Overloaded, "529: too much"),
    ],
)
@pytest.mark.parametrize("error", [{"message": "too\nmuch"}, "too much"])
def test_a_refusal_is_a_fault_by_its_status(
    server: Server, endpoint: Endpoint, status: int, kind: type[Fault], text: str, error: object
) -> None:
    server.says({"error": error}, status, {"location": "http://127.0.0.1:1/"})
    fault = failed(endpoint)
    assert type(fault) is kind
    assert str(fault).startswith(f"m at {server.url}: expected ")
    assert str(fault).endswith(text)
    assert len(server.heard) == 1


@pytest.mark.parametrize("body", [{"error": {"code": "insufficient_quota"}}, {"type": "insufficient_quota"}])
def test_an_account_without_credit_is_no_overload(server: Server, endpoint: Endpoint, body: object) -> None:
    server.says(body, 429)
    assert type(failed(endpoint)) is EndpointUnavailable


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"Retry-After": "3"}, 3.0), ({"Retry-After-Ms": "20", "X-Should-Retry": "false"}, 0.02), ({}, None)],
)
def test_an_overload_says_when_to_come_back(
    server: Server, endpoint: Endpoint, headers: Mapping[str, str], seconds: float | None
) -> None:
    server.says({"error": "busy"}, 429, headers)
    fault = failed(endpoint)
    assert isinstance(fault, Overloaded)
    assert fault.retry_after == seconds


@pytest.mark.parametrize("where", ["content", "reasoning_content"])
def test_bytes_that_are_no_utf_8_cost_no_answer_that_was_paid(server: Server, endpoint: Endpoint, where: str) -> None:
    said = b'{"content": "Action: look", "%s": "caf\xc3 \xff"}' % where.encode()
    server.says(b'{"choices": [{"message": %s, "finish_reason": "stop"}]}' % said)
    drawn = called(endpoint)
    assert (drawn.text if where == "content" else drawn.reasoning) == "caf\ufffd \ufffd"


@pytest.mark.parametrize("name", ["", "  "])
def test_an_endpoint_without_a_name_of_its_model_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"model.name: expected the name of a model, got {name!r}"):
        Endpoint(name, url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "body", [b"", b"null", b"busy", b'{"choices": []}', b'{"error": {"message": "upstream"}}', b"[" * 100_000]
)
def test_an_answer_without_a_completion_is_unanswered(server: Server, endpoint: Endpoint, body: bytes) -> None:
    server.says(body)
    fault = failed(endpoint)
    assert type(fault) is NoAnswer
    assert len(str(fault)) < 600


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 999999 OK\r\n\r\n",
        b"\x00\xff" * 100,
    ],
)
def test_a_broken_connection_is_unanswered(server: Server, endpoint: Endpoint, raw: bytes) -> None:
    server.writes(raw)
    assert type(failed(endpoint)) is NoAnswer
    assert len(server.heard) == 1


def test_a_refused_connection_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        fault = failed(Endpoint("m", url=f"http://127.0.0.1:{taken.getsockname()[1]}"))
    assert type(fault) is Unreachable
    assert str(fault).endswith("expected a connection, got none: Connection refused")


def test_a_host_without_an_address_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    fault = failed(Endpoint("m", url="http://nowhere.example/v1"))
    assert type(fault) is Unreachable
    assert "nowhere.example" in str(fault)


def test_a_server_that_speaks_no_tls_is_unreachable(server: Server) -> None:
    assert type(failed(Endpoint("m", url=server.url.replace("http:", "https:")))) is Unreachable


def traces(fault: BaseException) -> Iterator[str]:
    """Everything that a log, a journal or a debugger's listing could show of an exception."""
    yield from traceback.format_exception(fault)
    yield repr(FaultNote.of(fault)) if isinstance(fault, Fault) else ""
    seen: BaseException | None = fault
    while seen is not None:
        yield f"{seen!s} {seen!r} {seen.args!r} {vars(seen)!r}"
        seen = seen.__cause__ or seen.__context__


ECHOES: Mapping[str, Callable[[Server], None]] = {
    "json": lambda server: server.says({"error": {"message": f"bad key {SECRET}", "code": SECRET}}, 400),
    "cut in two": lambda server: server.says({"error": "x" * 485 + " " + SECRET * 9}, 400),
    "page": lambda server: server.says(f"<p>Bearer {SECRET}</p>".encode(), 500),
    "overload": lambda server: server.says({"error": SECRET}, 429, {"Retry-After": SECRET, "Date": SECRET}),
    "unauthorized": lambda server: server.says({"error": {"message": f"{SECRET[:6]}*** is wrong"}}, 401),
    "forbidden": lambda server: server.says({"error": SECRET}, 403),
    "redirect": lambda server: server.says({}, 302, {"Location": f"http://{SECRET}@127.0.0.1/"}),
    "no completion": lambda server: server.says({"detail": SECRET}),
    "no json": lambda server: server.says(SECRET.encode()),
    "bad status line": lambda server: server.writes(f"{SECRET} 200 OK\r\n\r\n".encode()),
    "bad header": lambda server: server.writes(f"HTTP/1.1 200 OK\r\n{SECRET}\r\n\r\n".encode()),
    "reason": lambda server: server.writes(f"HTTP/1.1 500 {SECRET}\r\nContent-Length: 0\r\n\r\n".encode()),
    "hung up": lambda server: server.writes(b""),
}


@pytest.mark.parametrize("echo", ECHOES)
def test_the_key_is_in_no_trace_of_a_fault(
    server: Server, endpoint: Endpoint, caplog: pytest.LogCaptureFixture, echo: str
) -> None:
    ECHOES[echo](server)
    with caplog.at_level(logging.DEBUG):
        fault = failed(endpoint)
    assert server.heard[0].headers["authorization"] == f"Bearer {SECRET}"
    assert [text for text in traces(fault) if SECRET[:6] in text] == []
    assert fault.__context__ is None
    assert [record for record in caplog.records if record.name.partition(".")[0] == "quintet"] == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(server: Server, endpoint: Endpoint, status: int) -> None:
    server.says({}, status, {"Location": f"{server.url}/elsewhere"})
    assert str(status) in str(failed(endpoint))
    assert len(server.heard) == 1, "neither the key nor the prompt goes to another address"


def test_the_key_is_in_no_log(server: Server, endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        called(endpoint)
        server.says({"error": SECRET}, 500)
        failed(endpoint)
    assert {"asyncio", "aiohttp.access"} <= {record.name for record in caplog.records}
    assert [record for record in caplog.records if SECRET in f"{record.getMessage()} {vars(record)!r}"] == []


async def test_the_key_is_in_no_trace_of_the_model(endpoint: Endpoint) -> None:
    await endpoint.complete(PROMPT, Sampling())
    parts = [part for part in vars(endpoint).values() if hasattr(part, "__dict__")]
    assert SECRET not in f"{endpoint!r} {vars(endpoint)!r} {[vars(part) for part in parts]!r}"


def test_a_copy_in_another_process_reads_the_key_there(
    server: Server, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    called(endpoint)
    pickled = pickle.dumps((endpoint, vars(endpoint)))
    assert SECRET.encode() not in pickled
    monkeypatch.setenv("MY_KEY", "another")
    copied, _ = pickle.loads(pickled)
    assert called(copied) == called(endpoint)
    assert [heard.headers["authorization"] for heard in server.heard] == [
        f"Bearer {SECRET}",
        "Bearer another",
        f"Bearer {SECRET}",
    ]


def test_it_outlives_event_loops(server: Server, endpoint: Endpoint) -> None:
    for _ in range(3):
        assert called(endpoint).text == "Hello."
    threads = [threading.Thread(target=called, args=(endpoint,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.heard) == 6


async def test_a_closed_one_opens_again(server: Server, endpoint: Endpoint) -> None:
    await endpoint.aclose()
    for _ in range(2):
        await endpoint.complete(PROMPT, Sampling())
        await endpoint.aclose()
    await endpoint.aclose()
    assert len(server.heard) == 2


async def test_connections_are_kept(server: Server, endpoint: Endpoint) -> None:
    ports: set[int] = set()

    async def respond(heard: Heard) -> web.Response:
        ports.add(heard.request.get_extra_info("peername")[1])
        return web.json_response(chat("Hello."))

    server.respond = respond
    for _ in range(3):
        await endpoint.complete(PROMPT, Sampling())
    assert len(ports) == 1


async def test_hundreds_of_calls_are_made_at_once(server: Server, endpoint: Endpoint) -> None:
    many, arrived = 300, 0
    everyone = asyncio.Event()

    async def respond(heard: Heard) -> web.Response:
        nonlocal arrived
        arrived += 1
        if arrived == many:
            everyone.set()
        await everyone.wait()
        return web.json_response(chat(heard.body["messages"][0]["content"]))

    server.respond = respond
    prompts = [Prompt(user(str(number))) for number in range(many)]
    async with asyncio.timeout(60):
        completions = await asyncio.gather(*(endpoint.complete(prompt, Sampling()) for prompt in prompts))
    assert [completion.text for completion in completions] == [str(number) for number in range(many)]


async def test_a_cancelled_call_hangs_up(server: Server, endpoint: Endpoint) -> None:
    arrived, gone = threading.Event(), threading.Event()

    async def respond(_: Heard) -> web.Response:
        arrived.set()
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()
        raise AssertionError

    server.respond = respond
    call = asyncio.create_task(endpoint.complete(PROMPT, Sampling()))
    await asyncio.to_thread(arrived.wait, 60)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(gone.wait, 60)
    server.says(chat("Hello."))
    assert (await endpoint.complete(PROMPT, Sampling())).text == "Hello."


def test_a_deadline_from_outside_is_kept(server: Server, endpoint: Endpoint) -> None:
    async def respond(_: Heard) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError

    async def call() -> None:
        async with asyncio.timeout(0.01):
            await endpoint.complete(PROMPT, Sampling())

    server.respond = respond
    with pytest.raises(TimeoutError):
        asyncio.run(call())


ASKED = Asked(question="decision", about=Decide(setting="", goal="Begin."))


def several(endpoint: Endpoint, temperature: float = 1.0, n: int = 3) -> list[tuple[str, int]]:
    """The texts of so many completions, each with its tokens of the prompt; one if it draws no more."""
    sampling = Sampling(temperature=temperature, seed=7)

    async def draw() -> Sequence[Completion]:
        return await endpoint.several(PROMPT, sampling, ASKED, n) or [await endpoint.answer(PROMPT, sampling, ASKED)]

    return [(each.text, each.usage.prompt_tokens) for each in asyncio.run(draw())]


def choices(*texts: str) -> dict[str, Any]:
    """An answer with several choices."""
    answer = chat("", usage=counted(Usage(prompt_tokens=9, completion_tokens=6)))
    return {**answer, "choices": [choice for text in texts for choice in chat(text)["choices"]]}


def test_several_completions_are_one_request_and_the_prompt_counts_once(server: Server, endpoint: Endpoint) -> None:
    server.says(choices("a", "b", "c", "d"))
    assert several(endpoint) == [("a", 9), ("b", 0), ("c", 0)]
    assert len(several(endpoint, n=4)) == 4
    assert [(heard.body["n"], heard.body["seed"]) for heard in server.heard] == [(3, 7), (4, 7)]


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_refuses_several_is_asked_for_them_once(server: Server, endpoint: Endpoint, status: int) -> None:
    async def respond(heard: Heard) -> web.Response:
        refused = {"error": {"message": "Only one completion choice is allowed"}}
        return web.json_response(refused, status=status) if "n" in heard.body else web.json_response(chat("a"))

    server.respond = respond
    assert several(endpoint) == several(endpoint) == [("a", 0)]
    assert [heard.body.get("n") for heard in server.heard] == [3, None, None]
    assert endpoint.draws_at_once(Sampling(temperature=1.0), 3) == 1


def test_a_server_that_takes_some_is_asked_for_no_more_than_it_has_drawn(server: Server, endpoint: Endpoint) -> None:
    async def respond(heard: Heard) -> web.Response:
        n = heard.body.get("n", 1)
        answer = choices(*"abcde"[:n]) if n <= 4 else {"error": {"message": "n must be at most 4"}}
        return web.json_response(answer, status=200 if n <= 4 else 400)

    server.respond = respond
    assert [len(several(endpoint, n=n)) for n in (3, 5, 5, 2)] == [3, 1, 3, 2]
    assert [heard.body.get("n") for heard in server.heard] == [3, 5, None, 3, 2]


def test_a_server_that_draws_one_all_the_same_is_asked_for_several_once(server: Server, endpoint: Endpoint) -> None:
    assert several(endpoint) == several(endpoint) == [("Hello.", 0)]
    assert [(heard.body.get("n"), heard.body["seed"]) for heard in server.heard] == [(3, 7), (None, 7)]


def test_several_are_not_asked_for_at_temperature_0_or_where_the_user_says_so(server: Server) -> None:
    several(Endpoint("m", url=server.url), temperature=0.0)
    several(Endpoint("m", url=server.url, omit=["n"]))
    assert all("n" not in heard.body for heard in server.heard)


def test_a_refusal_of_several_that_has_other_reasons_tells_nothing(server: Server, endpoint: Endpoint) -> None:
    server.says({"error": {"message": "prompt is too long"}}, status=400)
    assert several(endpoint) == [("", 0)]
    server.says({"error": {"message": "busy"}}, status=429)
    with pytest.raises(Overloaded):
        several(endpoint)
    server.says({"error": {"message": "no"}}, status=400)
    with pytest.raises(ModelFault):
        several(endpoint)
    server.says(choices("a", "b", "c"))
    assert len(several(endpoint)) == 3
    server.says({"error": {"message": "broken"}}, status=500)
    server.heard.clear()
    with pytest.raises(EndpointFailed):
        several(endpoint)
    assert len(server.heard) == 1


def test_tokens_are_asked_for_under_an_option_and_an_endpoint_without_them_is_unavailable(server: Server) -> None:
    answer = chat("Hello.")
    answer["choices"][0] |= {"token_ids": [5, 6], "logprobs": {"content": [{"logprob": -0.25}, {"logprob": -1.5}]}}
    server.says({**answer, "prompt_token_ids": [1, 2, 3]})
    found = called(Endpoint("m", url=server.url, token_ids=True)).tokens
    assert found is not None
    assert (unpack_ids(found.prompt), unpack_ids(found.completion)) == ([1, 2, 3], [5, 6])
    assert {key: server.heard[-1].body[key] for key in ("return_token_ids", "logprobs")} == {
        "return_token_ids": True,
        "logprobs": True,
    }
    server.says(chat("Hello."))
    assert called(Endpoint("m", url=server.url)).tokens is None
    assert not {"return_token_ids", "logprobs"} & server.heard[-1].body.keys()
    with pytest.raises(
        EndpointUnavailable, match=r"expected token ids .* \(model.token_ids\), got no prompt_token_ids"
    ):
        called(Endpoint("m", url=server.url, token_ids=True))
    with pytest.raises(UsageError, match=r"model.token_ids: expected model.dialect chat, got responses"):
        Endpoint("m", url=server.url, token_ids=True, dialect="responses")


def test_the_prompts_of_a_conversation_name_it_where_the_server_takes_that(server: Server) -> None:
    opening = Prompt(system("Be brief.")).extend(user("Task."))
    prompts = [with_question(opening, "What now?"), opening.extend(assistant("Act."), user("Seen."))]
    other = Prompt(system("Be brief.")).extend(user("Another task."))
    endpoint = Endpoint("m", url=server.url, cache_key=True)
    for prompt in (*prompts, other, Prompt(user("Alone."))):
        called(endpoint, prompt)
    first, second, third, _ = keys = [heard.body["prompt_cache_key"] for heard in server.heard]
    assert first == second != third
    assert {len(key) for key in keys} == {32}
    called(Endpoint("m", url=server.url, cache_key=True, extra={"prompt_cache_key": "mine"}))
    assert server.heard[-1].body["prompt_cache_key"] == "mine"
    called(Endpoint("m", url=server.url))
    assert "prompt_cache_key" not in server.heard[-1].body


def test_openai_alone_is_named_conversations_by_default() -> None:
    assert Connection("m", url="https://api.openai.com/v1/", key=None).is_openais
    assert not Connection("m", url="https://gateway.example/v1", key=None).is_openais


def test_a_shape_is_asked_for_as_a_call_of_a_tool_whose_arguments_are_the_answer(server: Server) -> None:
    arguments = '{"thought":"I look.","action":"look"}'
    calls = [{"id": "c", "type": "function", "function": {"name": "act", "arguments": arguments}}]
    server.says(chat(None, finish="tool_calls", tool_calls=calls))
    completion = called(Endpoint("m", url=server.url, calls_tools=True), form="decision", stop=("\nObservation:",))
    assert (completion.text, completion.finish) == (arguments, "stop")
    body = server.heard[0].body
    assert body["tool_choice"] == {"type": "function", "function": {"name": "act"}}
    ((kind, tool),) = ((each["type"], each["function"]) for each in body["tools"])
    assert (kind, tool["name"], tool["strict"]) == ("function", "act", True)
    assert list(tool["parameters"]["properties"]) == ["thought", "action"]
    assert "response_format" not in body
    assert called(Endpoint("m", url=server.url, calls_tools=True)).finish == "tool_calls", "none was offered"
    assert "tools" not in server.heard[1].body
