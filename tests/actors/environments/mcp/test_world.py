"""The tools of a server as a world, over streamable HTTP: what is shown, checked, answered, cut, and said of it."""

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp_types import (
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    RequestParams,
    Resource,
    ServerCapabilities,
    Tool,
)

from quintet.api import evaluate
from quintet.environments.mcp.connection import ServerConnection
from quintet.environments.mcp.server import CallLimits, ToolServer
from quintet.environments.mcp.world import McpWorld
from quintet.environments.stated_schema import StatedSchema
from quintet.environments.tool_world.state import ToolState
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.models.scripted import Scripted
from quintet.plugins import catalogue, extras
from quintet.plugins.extras import PackageMissing
from quintet.ports.world import Outcome
from tests.actors.environments.mcp.notes_server import PNG, Gateway, notes_server, older_server, serving

CHECK = """
async def wrote(session, answer):
    told = await session.call("write", text=answer)
    return float(told == f"{session.task.data['notes'] + 1} notes")

def odd(session, answer):
    return "yes"

not_a_function = 3
"""


@pytest.fixture
def address() -> Iterator[str]:
    with serving(notes_server()) as served:
        yield served


def play(address: str, *actions: str, task: str = "goal", **options: Any) -> tuple[ToolState, list[Outcome]]:
    async def go() -> tuple[ToolState, list[Outcome]]:
        goal = None if "tasks" in options else "write a note."
        world = McpWorld(address, goal=goal, **options)
        state = await world.open(Task(name=task, seed=0))
        try:
            return state, [await state.step(action) for action in actions]
        finally:
            await state.close()
            await world.aclose()

    return asyncio.run(go())


def seen(outcomes: Sequence[Outcome]) -> list[str]:
    return [outcome.observation for outcome in outcomes]


def test_the_tools_and_their_schemas_are_shown_and_an_answer_ends_the_task(address: str) -> None:
    state, outcomes = play(
        address, 'write {"text": "tea"}', 'write {"text": "tea", "times": 2}', 'submit {"answer": "3"}'
    )
    opening = state.opening
    assert opening.observation == f"{opening.setting}\n\nGoal: write a note."
    assert opening.goal == "write a note"
    assert opening.setting.splitlines()[:4] == [
        "Call one of these tools at a time, with its arguments as JSON:",
        "- list_resources {}: List the server's resources.",
        '- read_resource {"uri": str}: Read a resource of the server.',
        '- write {"type":"object","properties":{"text":{"type":"string"},"times":{"default":1,"type":"integer"}},'
        '"required":["text"]}: Write a note down. As often as is said.',
    ]
    assert seen(outcomes) == ["1 notes", "3 notes", "Submitted."]
    assert [outcome.done for outcome in outcomes] == [False, False, True]


def test_without_a_check_the_reward_is_unknown_which_the_figures_say(address: str) -> None:
    _, (outcome,) = play(address, 'submit {"answer": "3"}')
    assert (outcome.reward, dict(outcome.figures), outcome.final_answer) == (0.0, {"reward known": 0.0}, True)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ('write {"text": 3}', "$.text: 3 is not of type 'string'"),
        ("write {}", "$: 'text' is a required property"),
        ("burn {}", "'burn'"),
        ("write [1]", "Expected `object`, got `array`"),
        ('read_resource {"uri": 3}', "expected one argument, uri, a text"),
        ('list_resources {"all": true}', "expected no argument"),
    ],
)
def test_a_call_that_does_not_fit_is_not_sent(action: str, why: str, address: str) -> None:
    _, (refused, after) = play(address, action, 'write {"text": "tea"}')
    assert refused.rejected
    assert refused.observation.startswith("Not called: expected one of list_resources, read_resource, write, ")
    assert refused.observation.endswith(f"with its arguments as JSON, got: {why}")
    assert after.observation == "1 notes"


def test_what_is_no_text_is_said_in_words(address: str) -> None:
    _, outcomes = play(address, "draw", "refer", "fail")
    assert seen(outcomes) == [
        f"Drawn:\n(an image that cannot be shown: image/png, {len(PNG)} bytes)",
        "note://scan: (bytes that cannot be shown: application/pdf, 5 bytes)\n"
        "(a resource: note://tea (tea): On tea.)\nThat is all.",
        "Error: Error executing tool fail: no ink",
    ]


def test_resources_are_listed_and_read(address: str) -> None:
    _, outcomes = play(
        address, "list_resources", 'read_resource {"uri": "note://tea"}', 'read_resource {"uri": "note://x"}'
    )
    assert seen(outcomes) == [
        "note://tea (tea): What is known of tea.",
        "note://tea:\nGreen is best.",
        "Error: Unknown resource: note://x",
    ]


def test_a_long_answer_is_cut_and_says_so(address: str) -> None:
    _, (outcome,) = play(address, 'flood {"characters": 1000}', shown=100)
    assert outcome.observation == f"{'x' * 50}\n... 900 characters left out ...\n{'x' * 50}"


def test_a_message_that_is_too_large_ends_the_session(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.mcp.addresses.LARGEST_MESSAGE", 10_000)
    with pytest.raises(WorldFault, match=r"answers by MCP, got .*at most 10,000 bytes, got a longer one$"):
        play(address, 'flood {"characters": 100000}')


async def out_of_time(
    address: str, pass_time: Callable[[float], None], hangs: threading.Event, *actions: str
) -> list[str]:
    """What is seen where the time of an action passes as soon as the server hangs in it."""
    world = McpWorld(address, goal="write a note.", seconds=30.0)
    state = await world.open(Task(name="goal", seed=0))

    async def act() -> list[str]:
        return seen([await state.step(action) for action in actions])

    try:
        acting = asyncio.create_task(act())
        assert await asyncio.to_thread(hangs.wait, 60)
        pass_time(30.0)
        return await acting
    finally:
        await state.close()
        await world.aclose()


def test_a_call_without_an_answer_is_given_up_and_the_session_goes_on(pass_time: Callable[[float], None]) -> None:
    server, hangs = notes_server(), threading.Event()

    @server.tool()
    async def stall() -> str:
        hangs.set()
        await asyncio.Event().wait()
        return ""

    with serving(server) as address:
        found = asyncio.run(out_of_time(address, pass_time, hangs, "stall", 'write {"text": "tea"}'))
    assert found == ["No answer within 30 s; the call was given up, and may have had effects.", "1 notes"]


@pytest.mark.parametrize("make", [notes_server, older_server])
def test_a_header_may_have_a_scheme_before_its_token_and_neither_is_shown(
    make: Callable[[], MCPServer[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Authorization": "LOGIN"}
    with serving(make(), Gateway(login="Bearer hunter2-4711")) as address:
        monkeypatch.setenv("LOGIN", "Bearer hunter2-4711")
        assert seen(play(address, 'write {"text": "tea"}', headers=headers)[1]) == ["1 notes"]
        monkeypatch.setenv("LOGIN", "Bearer hunter2-4712")
        expected = 'got one that ended: 401 Unauthorized {"error":"not for <LOGIN>"}'
        with pytest.raises(WorldFault, match=re.escape(expected)):
            play(address, 'write {"text": "tea"}', headers=headers)


async def write_before_and_after(address: str, gateway: Gateway, **changed: object) -> str:
    world = McpWorld(address, goal="write")
    state = await world.open(Task(name="goal", seed=0))
    try:
        assert (await state.step('write {"text": "tea"}')).observation == "1 notes"
        for name, value in changed.items():
            setattr(gateway, name, value)
        return (await state.step('write {"text": "tea"}')).observation
    finally:
        gateway.login, gateway.forgets = "", False
        await state.close()
        await world.aclose()


def error_message(request: int | None) -> object:
    return {"jsonrpc": "2.0", "id": request, "error": {"code": -32001, "message": "not now"}}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        *((status, None) for status in (401, 404, 503)),
        *((status, error_message(None)) for status in (400, 503)),
        *((status, error_message(7)) for status in (401, 403)),
    ],
)
@pytest.mark.parametrize("make", [notes_server, older_server])
def test_a_refusal_that_answers_no_message_is_a_fault_and_no_answer_of_a_tool(
    make: Callable[[], MCPServer[Any]], status: int, body: object
) -> None:
    gateway = Gateway(status=status, body=body)
    said = f"got one that ended: {status} [A-Z]"
    with serving(make(), gateway) as address, pytest.raises(WorldFault, match=said):
        asyncio.run(write_before_and_after(address, gateway, login="a key that expired"))


@pytest.mark.parametrize("status", [400, 500])
def test_an_error_that_answers_a_call_is_shown_whatever_its_status(status: int) -> None:
    gateway = Gateway(status=status, body=error_message(7))
    with serving(notes_server(), gateway) as address:
        seen_after = asyncio.run(write_before_and_after(address, gateway, login="a key that expired"))
    assert seen_after == "Error: not now"


def test_a_server_that_has_lost_the_session_is_a_fault() -> None:
    gateway = Gateway()
    said = r"got one that ended: 404 Not Found .*Session not found"
    with serving(older_server(), gateway) as address, pytest.raises(WorldFault, match=said):
        asyncio.run(write_before_and_after(address, gateway, forgets=True))


@pytest.mark.parametrize("make", [notes_server, older_server])
def test_tools_that_change_during_a_session_are_told(make: Callable[[], MCPServer[Any]]) -> None:
    # The notice comes on a stream of its own: at the latest it is there with the next answer.
    with serving(make()) as address:
        _, (traded, after, gone, sung) = play(address, "trade", 'write {"text": "tea"}', "draw", 'sing {"song": "tea"}')
    told = f"{traded.observation}{after.observation}"
    assert "\n\nThe tools have changed. No longer there: draw.\nNew, or other than before:\n- sing {" in told
    assert told.count("- ") == 1
    assert "}: Sing a song." in told
    assert gone.rejected
    assert sung.observation == "la, tea"


def test_changed_tools_that_are_not_listed_in_time_are_told_by_a_later_call(
    monkeypatch: pytest.MonkeyPatch, pass_time: Callable[[float], None]
) -> None:
    server, hangs = older_server(), threading.Event()
    list_tools, lists = server.list_tools, 0

    async def second_hangs() -> list[Tool]:
        nonlocal lists
        lists += 1
        if lists == 2:
            hangs.set()
            await asyncio.Event().wait()
        return await list_tools()

    monkeypatch.setattr(server, "list_tools", second_hangs)
    with serving(server) as address:
        found = asyncio.run(out_of_time(address, pass_time, hangs, "trade", *['write {"text": "tea"}'] * 2))
    assert "".join(found).count("No longer there: draw.") == 1
    assert found[-1].startswith("2 notes")


class Relists:
    """A client whose server lists no tool, slowly."""

    server_capabilities = ServerCapabilities()

    def __init__(self) -> None:
        self.lists, self.at_once, self.most = 0, 0, 0
        self.listing = asyncio.Event()

    async def call_tool(self, _tool: str, _arguments: object) -> CallToolResult:
        return CallToolResult(content=[])

    async def list_tools(self, *, cursor: str | None) -> ListToolsResult:
        assert cursor is None
        self.listing.set()
        self.lists += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        for _ in range(50):  # turns of the loop, in which another session gets here if it may
            await asyncio.sleep(0)
        self.at_once -= 1
        return ListToolsResult(tools=[])


def test_sessions_that_share_a_server_list_changed_tools_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Relists()

    def made(*_: object, **__: object) -> Relists:
        return client

    monkeypatch.setattr("quintet.environments.mcp.connection.Client", made)

    async def go() -> None:
        connection = ServerConnection(ToolServer("http://localhost:1"), CallLimits())

        async def told_and_calls() -> None:
            monkeypatch.setattr(connection, "_changed", True)
            await connection.call("write", {})

        first = asyncio.create_task(told_and_calls())
        await client.listing.wait()
        await asyncio.gather(first, told_and_calls(), connection.call("write", {}))

    asyncio.run(go())
    assert (client.lists, client.most) == (2, 1)


def test_a_check_of_yours_sees_the_server_and_the_task(address: str, tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text(CHECK)
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"name": "two", "goal": "write two notes", "data": {"notes": 2}}\n\n{"name": "x", "goal": "y"}\n')
    options = {"tasks": str(tasks), "check": f"{tmp_path / 'check.py'}:wrote"}
    actions = ('write {"text": "tea", "times": 2}', 'submit {"answer": "done"}')
    *_, right = play(address, *actions, task="two", **options)[1]
    assert (right.reward, right.figures) == (1.0, {"check": 1.0})
    *_, wrong = play(address, actions[-1], task="two", **options)[1]
    assert wrong.reward == 0.0
    with pytest.raises(ValueError, match=r"check: expected a score within \[0, 1\], got 'yes'"):
        play(address, actions[-1], task="two", tasks=tasks, check=f"{tmp_path / 'check.py'}:odd")


def test_the_judge_grades_tasks_with_an_answer(address: str, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.toml"
    tasks.write_text('[count]\ngoal = "count the notes"\nanswer = "none"\n')
    _, (outcome,) = play(address, 'submit {"answer": "zero"}', task="count", tasks=tasks)
    (asked,) = outcome.to_grade
    assert (asked.question, asked.target, asked.answer) == ("count the notes", "none", "zero")
    assert McpWorld(address, tasks=tasks).needs_judge


def test_a_copy_repeats_the_calls_and_is_refused_where_they_are_answered_otherwise(address: str) -> None:
    async def go() -> str:
        world = McpWorld(address, goal="write", repeats=True)
        state = await world.open(Task(name="goal", seed=0))
        await state.step('read_resource {"uri": "note://tea"}')
        copy = await state.fork()
        await copy.close()
        await state.step('write {"text": "tea"}')
        try:
            with pytest.raises(WorldFault, match="expected the answer that it had before, got another; tools that do"):
                await state.fork()
        finally:
            await state.close()
        return f"{world.forks} {world.repeats}"

    assert asyncio.run(go()) == "replay True"
    once = McpWorld(address, goal="write")
    assert (once.forks, once.repeats) == ("none", False)


@pytest.mark.parametrize(
    ("name", "schema", "why"),
    [
        ("two words", {"type": "object"}, "expected names of tools without spaces, got 'two words'"),
        (
            "lies",
            {"type": "object", "properties": {"song": {"type": "tune"}}},
            "lies: expected a JSON Schema, got 'tune' is not valid",
        ),
    ],
)
def test_a_server_that_lies_about_a_tool_is_a_fault(
    name: str, schema: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = notes_server()

    async def list_tools() -> list[Tool]:
        return [Tool(name=name, input_schema=schema)]

    monkeypatch.setattr(server, "list_tools", list_tools)
    with serving(server) as address, pytest.raises(WorldFault, match=why):
        play(address)


PLAIN = """
import json, sys

version, kind = sys.argv[1:]
tool = {"name": "write", "inputSchema": {"type": kind}}
begun = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
answers = {"initialize": {"result": begun}, "tools/list": {"result": {"tools": [tool]}}}
for line in sys.stdin:
    if "id" in (asked := json.loads(line)):
        answer = answers.get(asked["method"], {"error": {"code": -32601, "message": "unknown"}})
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
"""
"""A server that the protocol's package would not let be: its version and its tool's form are arguments."""


@pytest.mark.parametrize(
    ("version", "kind", "why"),
    [
        ("1999-01-01", "object", r"the server: 1999-01-01; expected one of 2024-11-05, .*, 2026-07-28$"),
        (
            "2025-11-25",
            "string",
            r"a message of another form, at tools\.0\.inputSchema\.type: Input should be 'object'$",
        ),
    ],
)
def test_what_does_not_fit_the_protocol_is_told_with_what_was_expected(
    version: str, kind: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    with pytest.raises(WorldFault, match=f"expected a server that answers by MCP, got .*{why}"):
        play(f"{sys.executable} {tmp_path / 'plain.py'} {version} {kind}")


def test_a_server_that_speaks_none_of_our_versions_is_told_what_they_are() -> None:
    server = notes_server()

    async def refused(_: object, __: object) -> NoReturn:
        data = {"supported": ["2030-01-01"], "requested": "2026-07-28"}
        raise MCPError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)

    server._lowlevel_server.add_request_handler("server/discover", RequestParams, refused)  # pyright: ignore[reportPrivateUsage]
    with serving(server) as address, pytest.raises(WorldFault, match=r"'2030-01-01'.*; expected one of 2024-11-05, "):
        play(address)


def test_two_tools_of_one_name_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()

    async def list_tools() -> list[Tool]:
        return [Tool(name="write", description=each, input_schema={"type": "object"}) for each in "ab"]

    monkeypatch.setattr(server, "list_tools", list_tools)
    with serving(server) as address, pytest.raises(WorldFault, match=r"of different names, got 2 named 'write'$"):
        play(address)


def test_tools_that_are_too_many_for_the_prompt_are_refused_with_the_setting(address: str) -> None:
    expected = r"expected tools that 500 characters describe \(environment.listed\), got 9 that need 725$"
    with pytest.raises(UsageError, match=expected):
        asyncio.run(McpWorld(address, goal="write", listed=500).get_ready(["goal"]))


def endless_server(method: str) -> MCPServer[Any]:
    """One with a list without a last page."""
    server = notes_server()

    async def tools(_: object, __: object) -> ListToolsResult:
        return ListToolsResult(tools=[], next_cursor="further")

    async def resources(_: object, __: object) -> ListResourcesResult:
        return ListResourcesResult(resources=[Resource(name="tea", uri="note://tea")], next_cursor="further")

    answer = tools if method == "tools/list" else resources
    server._lowlevel_server.add_request_handler(method, PaginatedRequestParams, answer)  # pyright: ignore[reportPrivateUsage]
    return server


def test_a_list_of_tools_without_an_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.mcp.connection._PAGES", 3)
    with (
        serving(endless_server("tools/list")) as address,
        pytest.raises(WorldFault, match=r"expected a list of tools that ends, got more than 3 pages$"),
    ):
        play(address)


def test_a_list_of_resources_without_an_end_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.mcp.connection._PAGES", 3)
    with serving(endless_server("resources/list")) as address:
        _, (listed,) = play(address, "list_resources")
    assert listed.observation == "note://tea (tea)\n" * 3 + "(Those after the first 3 pages are left out.)"


@pytest.mark.parametrize("name", ["submit", "read_resource"])
def test_a_tool_with_a_name_of_ours_is_played_by_another(name: str) -> None:
    server = notes_server()
    for each in (name, f"server_{name}"):
        server.add_tool(f"this is {each}".title, name=each)
    with serving(server) as address:
        state, outcomes = play(
            address,
            f"server_server_{name}",
            f"server_{name}",
            'read_resource {"uri": "note://tea"}',
            'submit {"answer": "3"}',
        )
    assert f"\n- server_server_{name} {{" in state.opening.setting
    assert seen(outcomes) == [
        f"This Is {name.title()}",
        f"This Is Server_{name.title()}",
        "note://tea:\nGreen is best.",
        "Submitted.",
    ]


ENDLESS = {"type": "string", "pattern": r"^(a+)+$|\p{Lu}"}


def lists_write(server: MCPServer[Any], monkeypatch: pytest.MonkeyPatch, text: object, result: object) -> None:
    """Let a server state other schemas of what its tool `write` takes and answers."""
    taken = {"type": "object", "properties": {"text": text}}
    answered = {"type": "object", "properties": {"result": result}}

    async def list_tools() -> list[Tool]:
        return [Tool(name="write", input_schema=taken, output_schema=answered)]

    monkeypatch.setattr(server, "list_tools", list_tools)


def test_patterns_are_shown_and_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()
    lists_write(server, monkeypatch, ENDLESS, ENDLESS)
    with serving(server) as address:
        state, outcomes = play(address, f'write {{"text": "{"a" * 64}!"}}', 'write {"text": 3}')
    assert r'"pattern":"^(a+)+$|\\p{Lu}"' in state.opening.setting
    assert outcomes[0].observation == "1 notes"
    assert "$.text: 3 is not of type 'string'" in outcomes[1].observation


def test_an_answer_that_breaks_its_tools_schema_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()
    lists_write(server, monkeypatch, {}, {"type": "integer"})
    why = r"write: expected an answer of its schema, got \$.result: '1 notes' is not of type 'integer'$"
    with serving(server) as address, pytest.raises(WorldFault, match=why):
        play(address, 'write {"text": "tea"}')


def test_schemas_are_read_in_a_thread_while_the_loop_goes_on(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def note(_: StatedSchema) -> None:
        threads.append(threading.current_thread())

    monkeypatch.setattr(StatedSchema, "__post_init__", note)
    play(address)
    assert threads
    assert threading.main_thread() not in threads


def test_an_answer_whose_check_does_not_end_is_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()
    lists_write(server, monkeypatch, {}, {"$ref": "#/properties/result"})
    with serving(server) as address:
        assert play(address, 'write {"text": "tea"}')[1][0].observation == "1 notes"


def test_a_number_that_no_schema_can_check_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()

    async def list_tools() -> list[Tool]:
        return [Tool(name="pay", input_schema={"type": "object", "properties": {"sum": {"multipleOf": 0.1}}})]

    monkeypatch.setattr(server, "list_tools", list_tools)
    with serving(server) as address:
        _, (outcome,) = play(address, f'pay {{"sum": 1{"0" * 400}}}')
    assert outcome.rejected
    assert "expected other numbers, got one that " in outcome.observation


def test_a_schema_refers_to_nothing_outside_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes_server()

    async def list_tools() -> list[Tool]:
        return [Tool(name="far", input_schema={"type": "object", "$ref": "http://127.0.0.1:9/schema"})]

    monkeypatch.setattr(server, "list_tools", list_tools)
    expected = "far: expected a schema that is whole, got a reference to http://127.0.0.1:9/schema"
    with serving(server) as address, pytest.raises(WorldFault, match=expected):
        play(address, "far {}")


def test_an_address_without_a_server_is_refused_before_a_run() -> None:
    with pytest.raises(UsageError, match=r"^mcp:http://127.0.0.1:9/mcp: expected a server that answers by MCP, got "):
        asyncio.run(McpWorld("http://127.0.0.1:9/mcp", goal="x").get_ready(["goal"]))


def test_a_run_plays_it_and_its_end_says_that_nothing_was_checked(address: str) -> None:
    texts = ['Action: write {"text": "tea"}', 'Action: submit {"answer": "1"}']
    (end,) = evaluate("react", f"mcp:{address}", model=Scripted(texts), settings={"environment": {"goal": "write tea"}})
    assert (end.state, end.reward, end.figures) == ("solved", 0.0, {"reward known": 0.0})


def test_without_the_package_the_error_has_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_module: str) -> None:
        """What is found where nothing is installed."""

    monkeypatch.setattr(extras, "find_spec", nothing)
    with pytest.raises(PackageMissing, match=r"install it with pip install 'quintet-agents\[mcp\]'$"):
        catalogue.world("mcp", server="x", goal="y")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, r"^environment.goal: expected a goal, or else a file of tasks \(environment.tasks\), got neither$"),
        ({"goal": "x", "tasks": "y.toml"}, "got both$"),
        ({"goal": " . "}, "^environment.goal: expected words, got ' . '"),
        ({"goal": "x", "seconds": 0}, "^environment.seconds: expected > 0, got 0$"),
        ({"goal": "x", "shown": 0}, "^shown: expected >= 1, got 0"),
        ({"goal": "x", "listed": 0}, "^listed: expected >= 1, got 0"),
        ({"goal": "x", "repeats": True, "shared": True}, "^environment.repeats: expected sessions with a server each"),
        ({"goal": "x", "check": "check.txt"}, "^environment.check: expected FILE.py:F, got 'check.txt'$"),
        ({"goal": "x", "check": "none.py:f"}, "^no such file: .*none.py$"),
        ({"goal": "x", "check": "CHECK:wrot"}, "^environment.check: expected 'wrote' in "),
        ({"goal": "x", "check": "CHECK:not_a_function"}, "^environment.check: expected a function of a ServerSession"),
        ({"goal": "x", "headers": {"Authorization": "UNSET_FOR_TEST"}}, "^environment.headers: expected the name of"),
        ({"goal": "x", "variables": ["INK"]}, "^environment.variables: expected a command that is given them"),
    ],
)
def test_a_wrong_option_is_refused(
    options: dict[str, Any], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INK", "blue-black-ink")
    (tmp_path / "check.py").write_text(CHECK)
    given = json.loads(json.dumps(options).replace("CHECK", str(tmp_path / "check.py")))
    with pytest.raises(UsageError, match=why):
        McpWorld("http://127.0.0.1:9/mcp", **given)
