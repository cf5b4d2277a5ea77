"""Whole runs whose answers are calls of tools, the world's own among them, over both dialects on loopback."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from atif import Trajectory

from quintet.api import evaluate
from quintet.environments.tool_world.world import ToolWorld
from quintet.events import CallMade, StepTaken
from quintet.ports.world import WorldState
from quintet.runs.run_folder import RunFolder
from tests.actors.environments.bfcl import installed as bfcl
from tests.actors.environments.by_calls import as_call
from tests.actors.environments.tau2 import installed as tau2
from tests.command import printed, refused
from tests.deploy.export.exported import table

pytestmark = pytest.mark.real_time

ACTIONS = ("get 1 log", "get 2 log", "task failed")


class CallsTools:
    """A server whose model calls the tool that it is offered: one action after the other, in each conversation."""

    url: str
    heard: list[dict[str, Any]]

    def __init__(self) -> None:
        self.heard = []
        self.calls: tuple[tuple[str, str, str], ...] = ()
        """By turn what is called in place of the one tool: a text beside it, its name and its arguments."""

    def answer(self, path: str, body: dict[str, Any]) -> Mapping[str, Any]:
        self.heard.append(body)
        sent = body["messages"] if path.endswith("/chat/completions") else body["input"]
        turn = sum(item.get("role") == "assistant" or item.get("type") == "function_call" for item in sent)
        offered = [each.get("function", each) for each in body["tools"]]
        if self.calls:
            said, name, arguments = self.calls[turn]
        else:
            arguments = json.dumps({"thought": f"Turn {turn}.", "action": ACTIONS[turn]})
            said, name = None, offered[0]["name"]
        if path.endswith("/chat/completions"):
            calls = [{"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}]
            return {"choices": [{"message": {"content": said, "tool_calls": calls}, "finish_reason": "tool_calls"}]}
        call = {"type": "function_call", "call_id": f"call_{turn}", "name": name, "arguments": arguments}
        reasoning: dict[str, Any] = {
            "type": "reasoning",
            "id": f"rs_{turn}",
            "summary": [],
            "encrypted_content": f"secret {turn}",
        }
        message = {"type": "message", "content": [{"type": "output_text", "text": said or ""}]}
        return {"status": "completed", "output": [reasoning, message, call]}


@contextmanager
def tool_server() -> Generator[CallsTools, None, None]:
    state = CallsTools()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = json.dumps(state.answer(self.path, body)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

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


def run(server: CallsTools, out: Path, *words: object) -> None:
    model = ("--model", "gpt-5-mini", "--model-url", server.url, "--set", "model.answers=tools")
    printed("eval", "react", "textcraft", "--tasks", 1, *model, *words, "--out", out)


def events(folder: Path) -> Iterator[Any]:
    with RunFolder.open_to_read(folder).read_journals() as read:
        ((_, reader),) = read.journals
        yield from (record.event for record in reader.records())


@pytest.mark.parametrize("dialect", ["chat", "responses"])
def test_an_action_is_a_call_of_act(tmp_path: Path, dialect: str) -> None:
    with tool_server() as server:
        run(server, tmp_path / "run", "--set", f"model.dialect={dialect}")
    found = list(events(tmp_path / "run"))
    assert [event.action for event in found if isinstance(event, StepTaken)] == [*ACTIONS[:2]]
    assert [event.thought for event in found if isinstance(event, StepTaken)] == ["Turn 0.", "Turn 1."]
    assert len(server.heard) == len(ACTIONS)
    assert {event.completion.finish for event in found if isinstance(event, CallMade)} == {"stop"}


def test_reasoning_and_calls_go_back_with_what_the_world_said_and_are_in_the_journal(tmp_path: Path) -> None:
    with tool_server() as server:
        run(server, tmp_path / "run", "--set", "model.dialect=responses")
        assert len(server.heard) == len(ACTIONS)
    found = list(events(tmp_path / "run"))
    kept = [json.loads(event.completion.reasoning) for event in found if isinstance(event, CallMade)]
    assert [[item["type"] for item in items] for items in kept] == [["reasoning", "message", "function_call"]] * len(
        ACTIONS
    )
    observations = [event.observation for event in found if isinstance(event, StepTaken)]
    sent = server.heard[-1]["input"][2:]
    results = [
        {"type": "function_call_output", "call_id": f"call_{turn}", "output": observation}
        for turn, observation in enumerate(observations)
    ]
    assert sent == [*kept[0], results[0], *kept[1], results[1]]


def shelf(sample: str) -> dict[str, Callable[..., Any]]:
    def search(query: str, most: int = 3) -> str:
        """Search the shelves."""
        tools["read"] = read
        return f"{query!r:.80}: {most} found"

    def read(page: int) -> str:
        """Read a page."""
        return f"page {page} is about {sample}"

    tools: dict[str, Callable[..., Any]] = {"search": search}
    return tools


SHELVES = ToolWorld(
    "shelves",
    {"tea": "green tea"},
    question=lambda _: "The shelves hold tea.",
    goal=lambda _: "name the tea",
    tools=shelf,
    rubric={"found": lambda sample, answer: float(answer == f"Action: {sample} is completed.")},
)


CALLED = (
    ("Thought: I look\nfirst.", "search", '{"query":"Action:  look\\nThought: {}"}'),
    ("", "read", '{\n "page": 2\n}'),
    ("No such tool.", "burn", "{}"),
    ("Half.", "search", '{"query": '),
    ("I know.", "submit", '{"answer": "Action: green tea is completed."}'),
)


@pytest.mark.parametrize("dialect", ["chat", "responses"])
def test_an_action_is_a_call_of_the_worlds_own_tool(tmp_path: Path, dialect: str) -> None:
    with tool_server() as server:
        server.calls = CALLED
        model = {"url": server.url, "dialect": dialect, "answers": "tools"}
        (end,) = evaluate("react", SHELVES, model="gpt-5-mini", journal=tmp_path / "run", settings={"model": model})
    assert (end.reward, end.state) == (1.0, "solved")
    found = list(events(tmp_path / "run"))
    steps = [(event.thought, event.action, event.rejected) for event in found if isinstance(event, StepTaken)]
    assert steps == [
        ("I look first.", 'search {"query": "Action:  look\\nThought: {}"}', False),
        ("", 'read {"page": 2}', False),
        ("No such tool.", "burn {}", True),
        ("Half.", 'search {"query":', True),
        ("I know.", 'submit {"answer": "Action: green tea is completed."}', False),
    ]
    offered = [[each.get("function", each) for each in heard["tools"]] for heard in server.heard]
    assert [[each["name"] for each in tools] for tools in offered] == [
        ["search", "submit"],
        *[["search", "read", "submit"]] * 4,
    ]
    assert offered[0][0]["parameters"]["required"] == ["query"]
    assert {heard["tool_choice"] for heard in server.heard} == {"auto"}
    assert "one call of a tool that is offered" in str(server.heard[0])
    assert not any(event.sampling.tools for event in found if isinstance(event, CallMade))
    completions = [event.completion for event in found if isinstance(event, CallMade)]
    answers = [each.tool_answer for each in completions if each.tool_answer is not None]
    written = [json.loads(answer.message) for answer in answers]
    functions = [each["tool_calls"][0]["function"] for each in written]
    assert [
        (each["content"], function["name"], function["arguments"])
        for each, function in zip(written, functions, strict=True)
    ] == [*CALLED]
    assert [[each["function"]["name"] for each in json.loads(answer.tools)] for answer in answers] == [
        [each["name"] for each in tools] for tools in offered
    ]
    numbers = [event.path.rpartition("/")[2] for event in found if isinstance(event, CallMade | StepTaken)]
    assert numbers == [str(number) for number in range(1, 11)]  # as without an offer, so seeds are the same


def test_a_run_by_tools_is_a_trajectory_with_tool_calls_and_the_same_run_again(tmp_path: Path) -> None:
    with tool_server() as server:
        server.calls = CALLED
        model = {"url": server.url, "answers": "tools"}
        evaluate("react", SHELVES, model="gpt-5-mini", journal=tmp_path / "run", settings={"model": model})
    printed("export", tmp_path / "run", "--atif", tmp_path / "files")
    (file,) = (tmp_path / "files").glob("*.atif.json")
    trajectory = Trajectory.model_validate_json(file.read_bytes())
    defined = [each["function"]["name"] for each in trajectory.agent.tool_definitions or ()]
    assert defined == ["shelves", "search", "submit", "read"]
    made = [call for step in trajectory.steps if step.metrics for call in step.tool_calls or ()]
    assert [call.function_name for call in made] == ["search", "read", "burn", "shelves", "submit"]
    assert made[1].arguments == {"page": 2}
    printed("import", tmp_path / "files", "--out", tmp_path / "again")
    pytest.importorskip("pyarrow", minversion="19", reason="it has a type of JSON")
    for name in ("run", "again"):
        printed("export", tmp_path / name, "--training", "sft", tmp_path / f"{name}-rows")
    first, again = (table(tmp_path / f"{name}-rows" / "train") for name in ("run", "again"))
    assert [{**row, "run": ""} for row in again] == [{**row, "run": ""} for row in first]
    assert len(first) == len(CALLED)


def played_by_calls(tmp_path: Path, state: WorldState, world: str, task: str, **settings: Any) -> list[list[str]]:
    """The names of what was offered, turn by turn, while ReAct's model made the calls of a state's expert."""
    calls = list[tuple[str, str, str]]()
    for action in state.expert() or ():
        calls.append(("", *as_call(action, state.offered)))
        assert not state.step(action).rejected
    with tool_server() as server:
        server.calls = tuple(calls)
        model = {"url": server.url, "answers": "tools"}
        (end,) = evaluate(
            "react",
            world,
            model="gpt-5-mini",
            tasks=[task],
            journal=tmp_path / "run",
            settings={"model": model, "method": {"max_steps": len(calls)}, **settings},
        )
    assert (end.reward, len(server.heard)) == (1.0, len(calls))
    assert not any(event.rejected for event in events(tmp_path / "run") if isinstance(event, StepTaken))
    return [[each["function"]["name"] for each in heard["tools"]] for heard in server.heard]


@bfcl.needs_package
def test_bfcls_missing_tool_is_offered_once_the_user_describes_it(tmp_path: Path) -> None:
    task = "multi_turn_miss_func_0"
    offered = played_by_calls(tmp_path, bfcl.opened(task), "bfcl", task)
    given = ["sort" in names for names in offered]
    assert given == sorted(given)
    assert set(given) == {False, True}
    assert {names[-1] for names in offered} == {"reply"}


@tau2.needs_package
def test_a_customers_phone_is_not_offered_and_used_by_what_is_said(tmp_path: Path) -> None:
    state = tau2.opened("telecom_3", "user")
    offered = played_by_calls(tmp_path, state, "tau2", "telecom_3", environment={"telecom": "user"})
    assert {("toggle_roaming" in names, "reply" in names) for names in offered} == {(False, True)}


def test_a_model_that_calls_no_tools_is_refused() -> None:
    assert "model.answers: expected a model that calls tools" in refused(
        "eval", "react", "textcraft", "--set", "model.answers=tools"
    )
