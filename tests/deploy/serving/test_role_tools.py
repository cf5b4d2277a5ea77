"""The roles of a run as tools, asked by the client of the protocol's own package, over both transports."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from quintet.api import open_run, read_run, reopen_run, serve_roles
from quintet.errors import UsageError
from quintet.messages.message import Request
from quintet.messages.prompts import Prompt
from quintet.messages.wire import messages
from quintet.ports.model import Completion, Sampling
from quintet.serving.role_tools import schema_of
from tests.protocols import strategies

REQUESTS: list[type[Request[Any]]] = [kind for kind in messages() if issubclass(kind, Request)]
MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
SETTING = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"
GOAL = {"setting": SETTING, "goal": "craft stick"}

pytestmark = pytest.mark.real_time


def said(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def tools_of(method: str, **options: Any) -> Sequence[str]:
    async with (
        open_run(method, "textcraft", tasks=1, **options) as run,
        serve_roles(run) as address,
        Client(address) as client,
    ):
        return [tool.name for tool in (await client.list_tools()).tools]


async def test_another_agent_asks_our_planner_and_the_journal_has_it(tmp_path: Path) -> None:
    options: dict[str, Any] = {"model": "sim-strong", "tasks": 1, "journal": tmp_path / "run"}
    async with (
        open_run("adapt", "textcraft", **options) as run,
        serve_roles(run) as address,
        Client(address) as client,
    ):
        (tool,) = (await client.list_tools()).tools
        answer = await client.call_tool("decompose", GOAL)
    assert tool.name == "decompose"
    assert str(tool.description).startswith("Asks the planner. Ask for subtasks of `goal`, combined by AND and OR.")
    assert tool.input_schema["required"] == ["setting", "goal"]
    assert tool.input_schema["properties"]["setting"] == {"type": "string"}
    assert "What else the prompt shows" in tool.input_schema["properties"]["parts"]["description"]
    assert answer.structured_content is not None
    Draft202012Validator(tool.output_schema or {}).validate(answer.structured_content)
    assert msgspec.json.decode(said(answer)) == answer.structured_content["reply"]
    assert answer.structured_content["reply"]["plan"] == {"type": "step", "number": 1, "text": "craft stick"}
    (call,) = read_run(tmp_path / "run").polars("calls").select("completion_tokens", "phase").to_dicts()
    used = answer.structured_content["usage"]["completion_tokens"]
    assert call == {"completion_tokens": used, "phase": "decompose"}


async def test_a_run_that_is_opened_again_goes_on_with_its_journal(tmp_path: Path) -> None:
    async def ask(run: Any) -> str:
        async with serve_roles(run) as address, Client(address) as client:
            answer = await client.call_tool("decompose", GOAL)
            assert answer.structured_content is not None
            return str(answer.structured_content["path"])

    async with open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=tmp_path / "run") as run:
        first = await ask(run)
    async with reopen_run(tmp_path / "run") as run:
        assert (first, await ask(run)) == ("~visit/0/0", "~visit/0/1")


async def test_what_does_not_fit_and_what_goes_wrong_is_said_in_words() -> None:
    settings = {"limits": {"budget_tokens": 6000}}
    async with (
        open_run("adapt", "textcraft", model="sim-strong", tasks=1, settings=settings) as run,
        serve_roles(run) as address,
        Client(address) as client,
    ):
        answers = [
            await client.call_tool("make_tea", {}),
            await client.call_tool("decompose", {"setting": SETTING}),
            await client.call_tool("decompose", {**GOAL, "gaol": 1}),
            await client.call_tool("decompose", GOAL),
            await client.call_tool("decompose", GOAL),
        ]
    assert [answer.is_error for answer in answers] == [True, True, True, False, True]
    texts = [said(answer) for answer in answers]
    assert texts[0] == "expected one of decompose, got 'make_tea'"
    assert texts[1] == "decompose: expected arguments of its schema, got others: Object missing required field `goal`"
    assert texts[2] == "decompose: expected arguments of its schema, got others: Object contains unknown field `gaol`"
    assert texts[4].startswith("decompose: BudgetSpent: ")


@pytest.mark.parametrize(
    ("method", "options", "expected"),
    [
        ("lats", {}, ["decide", "value", "look_back"]),
        ("autoplan", {"settings": {"run": {"learn": True}, "learning": {"split": "dev", "tasks": 4}}}, ["reflect"]),
    ],
)
async def test_a_run_offers_what_its_method_asks(method: str, options: dict[str, Any], expected: list[str]) -> None:
    names = await tools_of(method, **options)
    assert set(expected) <= set(names)
    assert "execute" not in names


async def test_a_method_that_asks_nothing_of_the_kind_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^serve-roles: expected a run whose method asks something that needs no ses"):
        await tools_of("react")


async def test_with_a_key_only_who_brings_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLES_KEY", "open-sesame")
    async with open_run("adapt", "textcraft", tasks=1) as run, serve_roles(run, key="ROLES_KEY") as address:
        async with httpx2.AsyncClient() as stranger:
            for headers in ({}, {"Authorization": "Bearer open-barley"}, {"Authorization": "open-sesame"}):
                assert (await stranger.post(address, headers=headers, json={})).status_code == 401
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer open-sesame"}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            assert [tool.name for tool in (await client.list_tools()).tools] == ["decompose"]
    with pytest.raises(UsageError, match=r"^host: expected a key beside one that other machines reach, got 0"):
        async with open_run("adapt", "textcraft", tasks=1) as run, serve_roles(run, host="0.0.0.0"):
            pass


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
async def test_without_a_key_no_web_page_is_answered(host: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with (
        open_run("adapt", "textcraft", tasks=1) as run,
        serve_roles(run, host=host) as address,
        httpx2.AsyncClient() as page,
    ):
        for headers, status in (({"Host": "rebound.example:80"}, 421), ({"Origin": "http://rebound.example"}, 403)):
            assert (await page.post(address, headers=headers, json=message)).status_code == status
        async with Client(address) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["decompose"]


async def test_an_ask_ends_with_its_client() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    class Waits:
        name = "waits"

        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            begun.set()
            try:
                await asyncio.Event().wait()
                raise AssertionError("nobody sets it")
            finally:
                ended.set()

    async with (
        open_run("adapt", "textcraft", model=Waits(), tasks=1) as run,
        serve_roles(run) as address,
        Client(address) as client,
    ):
        asking = asyncio.create_task(client.call_tool("decompose", GOAL))
        await begun.wait()
        asking.cancel()
        await ended.wait()


@pytest.mark.slow
async def test_the_command_serves_over_standard_input_and_output(tmp_path: Path) -> None:
    words = ["serve-roles", "adapt", "textcraft", "--model", "sim-strong", "--out", str(tmp_path / "run")]
    server = StdioServerParameters(command=sys.executable, args=["-c", MAIN, *words])
    async with Client(server) as client:
        answer = await client.call_tool("decompose", GOAL)
    assert answer.structured_content is not None
    assert answer.structured_content["reply"]["type"] == "decomposed"
    assert len(read_run(tmp_path / "run").polars("calls")) == 1


@cache
def validator_of(kind: type[Request[Any]]) -> Draft202012Validator:
    schema = schema_of(kind)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.slow
def test_a_signal_ends_the_command_although_its_input_stays_open(tmp_path: Path) -> None:
    words = ["serve-roles", "adapt", "textcraft", "--model", "sim-strong", "--out", str(tmp_path / "run")]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"serving decompose" in process.stderr.readline()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        try:
            assert (process.wait(60), process.stderr.read()) == (0, b"")
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
@given(st.data())
def test_every_request_fits_its_schema(kind: type[Request[Any]], data: st.DataObject) -> None:
    arguments = msgspec.json.decode(msgspec.json.encode(data.draw(strategies.of(kind))))
    tag = arguments.pop("type")
    validator_of(kind).validate(arguments)
    assert msgspec.convert({**arguments, "type": tag}, kind) is not None
