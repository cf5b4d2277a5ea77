"""The bridge calls providers by their own interfaces, here on loopback."""

import asyncio
import json
import pickle
from typing import Any

import pytest

from quintet.errors import (
    EndpointFailed,
    EndpointUnavailable,
    Fault,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
    UsageError,
)
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.tools import OfferedTool
from quintet.models.bridge.model import Bridge
from quintet.ports.model import Completion, Sampling, Usage
from tests.actors.models.bridge.conftest import KEY
from tests.actors.models.endpoint.serving import Server, chat

slow = pytest.mark.slow
"""The package takes seconds to import."""

PROMPT = Prompt(system("Be short."), user("Begin."))
CLAUDE = "anthropic/claude-haiku-4-5"


def message(text: str, stop_reason: str = "end_turn") -> dict[str, Any]:
    """An answer of Anthropic's interface."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 3},
    }


def said(text: str) -> dict[str, Any]:
    """An answer of OpenAI's interface, as OpenAI's own package reads it."""
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4.1-mini", **chat(text)}


def complete(model: Bridge, sampling: Sampling | None = None) -> Completion:
    async def call() -> Completion:
        try:
            return await model.complete(PROMPT, sampling or Sampling(max_tokens=50, seed=7, stop=("###",)))
        finally:
            await model.aclose()

    return asyncio.run(call())


@slow
def test_a_provider_with_an_interface_of_its_own_is_called_by_it(server: Server) -> None:
    server.says(message("Hello there. ### and more"))
    model = Bridge(CLAUDE, address=server.url.removesuffix("/v1"))
    answer = complete(model)
    assert (model.name, answer.text, answer.finish) == (CLAUDE, "Hello there. ", "stop")
    assert answer.usage == Usage(prompt_tokens=12, completion_tokens=3)
    (heard,) = server.heard
    assert heard.path == "/v1/messages"
    assert heard.headers["x-api-key"] == KEY
    assert (heard.body["system"][0]["text"], heard.body["messages"][0]["role"]) == ("Be short.", "user")
    assert (heard.body["max_tokens"], heard.body["stop_sequences"]) == (50, ["###"])
    assert not {"seed", "top_p"} & heard.body.keys()


@slow
def test_a_provider_with_openais_parameters_gets_the_seed(server: Server) -> None:
    server.says(said("Hello."))
    model = Bridge("openai/gpt-4.1-mini", address=server.url, extra={"user": "me"})
    assert complete(pickle.loads(pickle.dumps(model))).text == "Hello."
    body = server.heard[0].body
    assert (body["model"], body["seed"], body["stop"], body["user"]) == ("gpt-4.1-mini", 7, ["###"], "me")
    complete(Bridge("openai/gpt-4.1-mini", address=server.url, omit=("seed", "temperature")))
    assert not {"seed", "temperature"} & server.heard[-1].body.keys()


@slow
@pytest.mark.parametrize(
    ("status", "error", "fault", "said"),
    [
        (429, "slow down", Overloaded, "slow down"),
        (529, "overloaded", Overloaded, "overloaded"),
        (500, "broken", EndpointFailed, "broken"),
        (401, f"invalid key {KEY}", KeyRefused, "to be let in with the key in ANTHROPIC_API_KEY, got 401"),
        (404, "no such model", EndpointUnavailable, "a model that can be called so"),
        (400, f"this parameter is wrong, {KEY}", ModelFault, "this parameter is wrong, <ANTHROPIC_API_KEY>"),
    ],
)
def test_an_error_of_the_provider_is_a_fault_of_ours_without_the_key(
    status: int, error: str, fault: type[Fault], said: str, server: Server
) -> None:
    server.says({"type": "error", "error": {"type": "e", "message": error}}, status, {"retry-after": "2"})
    with pytest.raises(fault) as raised:
        complete(Bridge(CLAUDE, address=server.url.removesuffix("/v1")))
    assert type(raised.value) is fault
    assert said in str(raised.value)
    assert KEY not in repr(raised.value) + repr(raised.value.__cause__) + repr(raised.value.__context__)
    assert len(server.heard) == 1  # nothing here repeats a call
    if isinstance(raised.value, Overloaded):
        assert raised.value.retry_after == 2


TOO_LONG = {"type": "invalid_request_error", "message": "prompt is too long: 300000 tokens > 200000 maximum"}


@slow
@pytest.mark.parametrize(
    ("id", "body", "status", "finish"),
    [
        (CLAUDE, {"type": "error", "error": TOO_LONG}, 400, "context_full"),
        (CLAUDE, message("Hello", "max_tokens"), 200, "length"),
        ("openai/gpt-4.1-mini", said(""), 200, "empty"),
    ],
)
def test_an_answer_that_is_not_whole_is_an_outcome(
    server: Server, id: str, body: dict[str, Any], status: int, finish: str
) -> None:
    server.says(body, status)
    address = server.url if id.startswith("openai") else server.url.removesuffix("/v1")
    assert complete(Bridge(id, address=address)).finish == finish


@slow
def test_a_provider_that_cannot_be_reached_and_one_that_hangs_up_are_told_apart(server: Server) -> None:
    with pytest.raises(Unreachable, match="expected a connection"):
        complete(Bridge(CLAUDE, address="http://127.0.0.1:9"))
    server.writes(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    with pytest.raises(NoAnswer):
        complete(Bridge(CLAUDE, address=server.url.removesuffix("/v1")))


def test_a_name_without_a_provider_is_refused() -> None:
    with pytest.raises(UsageError, match=r"model\.id: expected PROVIDER/MODEL, got 'claude'"):
        Bridge("claude")


@slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"id": "antropic/claude"}, "expected a provider that can be used, got: 'antropic' is not a supported"),
        ({"id": "mistral/mistral-small"}, "expected a provider that can be used, got: .*any-llm-sdk.mistral"),
        ({"id": CLAUDE, "key": "NO_SUCH_KEY"}, "expected the name of an environment variable that is set"),
        ({"id": "groq/llama", "key": None}, "expected a provider that can be used, got: .*"),
        ({"id": CLAUDE, "extra": {"stream": True}}, "fields that are not set by other means, got stream"),
        (
            {"id": CLAUDE, "extra": {"api_key": "sk-other"}},
            "expected no secret, .*, got 'api_key'",
        ),
        ({"id": CLAUDE, "extra": {"user": KEY}}, "expected no secret, .*, got the key in ANTHROPIC_API_KEY"),
    ],
)
def test_what_cannot_be_called_is_refused_when_it_is_made(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Bridge(**options)


@slow
def test_a_shape_is_asked_for_as_a_call_of_a_tool(server: Server) -> None:
    arguments = {"thought": "I look.", "action": "look"}
    called = {"type": "tool_use", "id": "toolu_1", "name": "act", "input": arguments}
    server.says({**message("", "tool_use"), "content": [called]})
    model = Bridge(CLAUDE, address=server.url.removesuffix("/v1"), calls_tools=True)
    answer = complete(model, Sampling(form="decision"))
    assert (json.loads(answer.text), answer.finish) == (arguments, "stop")
    (tool,) = server.heard[0].body["tools"]
    assert (tool["name"], list(tool["input_schema"]["properties"])) == ("act", ["thought", "action"])
    assert server.heard[0].body["tool_choice"]["name"] == "act"


@slow
def test_an_action_is_a_call_of_one_of_the_worlds_tools_of_which_the_first_is_made(server: Server) -> None:
    calls = [
        {"type": "tool_use", "id": f"toolu_{place}", "name": "search", "input": {"query": place}}
        for place in ("a", "b")
    ]
    server.says({**message("", "tool_use"), "content": [{"type": "text", "text": "I look."}, *calls]})
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = (OfferedTool(name="search", description="Search.", parameters=json.dumps(schema)),)
    model = Bridge(CLAUDE, address=server.url.removesuffix("/v1"), calls_tools=True)
    answer = complete(model, Sampling(form="decision", tools=tools))
    thought = "Thought: I look. (Only the first of 2 calls is made.)"
    assert (answer.text, answer.finish) == (f'{thought}\nAction: search {{"query": "a"}}', "stop")
    (tool,) = server.heard[0].body["tools"]
    assert (tool["name"], tool["description"], tool["input_schema"]) == ("search", "Search.", schema)
    assert server.heard[0].body["tool_choice"]["type"] == "auto"


@slow
def test_it_is_priced_as_its_provider_lists_it_unless_it_is_elsewhere() -> None:
    assert Bridge(CLAUDE).priced_by == "anthropic"
    assert Bridge(CLAUDE, address="http://127.0.0.1:9").priced_by is None


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(name: str) -> None: ...

    monkeypatch.setattr("importlib.util.find_spec", find_none)
    with pytest.raises(UsageError, match=r"pip install 'quintet-agents\[bridge\]'"):
        Bridge(CLAUDE)


@slow
def test_what_a_providers_package_raises_of_its_own_is_a_fault_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Bridge(CLAUDE, address="http://127.0.0.1:9")

    class Broken:
        async def acompletion(self, **options: Any) -> None:
            raise TypeError(f"no parameter {KEY}")

    monkeypatch.setattr(model, "_client", Broken)
    with pytest.raises(NoAnswer, match="got TypeError: no parameter <ANTHROPIC_API_KEY>"):
        complete(model)
