"""A server that is a command: its process, its secrets, and what is said when it ends."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.environments.mcp.world import McpWorld
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.models.scripted import Scripted
from tests.actors.environments.mcp import notes_server
from tests.actors.environments.webarena.browser.processes import below, left_of

# Each starts a process that imports the protocol's package, which takes seconds.
pytestmark = pytest.mark.slow

SERVER = f"{sys.executable} {notes_server.__file__}"
SECRET = "iron-gall-4711"


@pytest.fixture(autouse=True)
def no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setenv("INK", SECRET)
    before = below(os.getpid())
    yield
    assert left_of([each for each in below(os.getpid()) if each not in before]) == []


def play(server: str, *actions: str, **options: Any) -> list[str]:
    async def go() -> list[str]:
        world = McpWorld(server, goal="write", **options)
        state = await world.open(Task(name="goal", seed=0))
        try:
            return [(await state.step(action)).observation for action in actions]
        finally:
            await state.close()
            await world.aclose()

    return asyncio.run(go())


def test_a_server_has_only_the_variables_that_are_named_and_their_values_are_not_shown() -> None:
    actions = ('tell {"variable": "INK"}', 'tell {"variable": "PATH"}', 'tell {"variable": "XDG_STATE_HOME"}')
    assert play(SERVER, *actions, variables=["INK"]) == ["<INK>", os.environ["PATH"], "not set"]


def test_the_end_of_a_server_is_a_fault_with_its_last_words_but_no_secret() -> None:
    with pytest.raises(
        WorldFault, match=r"got one that ended: its process ended with status 3; its standard error: the ink is <INK>$"
    ):
        play(SERVER, "die", variables=["INK"])


def test_its_run_keeps_no_secret(tmp_path: Path) -> None:
    texts = ['Action: tell {"variable": "INK"}', "Action: die"]
    settings = {"environment": {"goal": "write", "variables": ["INK"]}, "runtime": {"concurrency": 1}}
    (end,) = evaluate("react", f"mcp:{SERVER}", model=Scripted(texts), settings=settings, journal=tmp_path / "run")
    assert end.fault is not None
    assert end.fault.text.endswith("the ink is <INK>")
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 2
    assert not [file for file in files if SECRET.encode() in file.read_bytes()]


def test_a_message_that_is_too_long_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.mcp.process.LARGEST_MESSAGE", 50_000)
    with pytest.raises(
        WorldFault, match=r"got one that ended: expected messages of at most 50,000 bytes, got a longer one$"
    ):
        play(SERVER, 'flood {"characters": 1000000}')


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            "echo no protocol",
            "its process ended with status 0; lines of its standard output that are no messages: 1; its standard ",
        ),
        (
            "sh -c 'yes | head -n 20000'",
            "got one that ended: expected messages in JSON-RPC on the lines of its standard output, "
            "got more than 10,000 lines in a row that are none$",
        ),
        (f"{sys.executable} -c 'raise SystemExit(4)'", "its process ended with status 4; its standard error: nothing$"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", r"answers by MCP, got none within 0\.5 s$"),
        (
            "sh -c 'echo ready; sleep 60'",
            r"got none within 0\.5 s; lines of its standard output that are no messages: 1$",
        ),
    ],
)
def test_what_is_no_server_is_refused_before_a_run(command: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        asyncio.run(
            McpWorld(command, goal="write", start_seconds=0.5 if "sleep" in command else 60).get_ready(["goal"])
        )


def test_lines_that_are_no_messages_are_skipped_and_noted_once(caplog: pytest.LogCaptureFixture) -> None:
    command = f"sh -c 'echo Starting; echo {{}}; echo; exec {SERVER}'"
    for _ in range(2):
        assert play(command, 'write {"text": "tea"}') == ["1 notes"]
    (noted,) = caplog.messages
    assert noted == "mcp:sh: skipped a line of its standard output that is no message; others are too"


def test_a_program_that_is_missing_is_named() -> None:
    world = McpWorld("no-such-server --fast", goal="write")
    assert world.lacking() == "environment.server: expected a program on the PATH, got 'no-such-server'"
    with pytest.raises(UsageError, match="expected a program on the PATH"):
        asyncio.run(world.get_ready(["goal"]))


@pytest.mark.parametrize(("shared", "answers"), [(False, ["1 notes", "1 notes"]), (True, ["1 notes", "2 notes"])])
def test_sessions_have_a_server_each_or_share_one(shared: bool, answers: list[str]) -> None:
    async def go() -> list[str]:
        world = McpWorld(SERVER, goal="write", shared=shared)
        states = [await world.open(Task(name="goal", seed=0)) for _ in answers]
        seen = [(await state.step('write {"text": "tea"}')).observation for state in states]
        for state in states:
            await state.close()
        await world.aclose()
        return seen

    assert asyncio.run(go()) == answers


def test_a_shared_server_that_ended_is_started_anew_for_the_next_session() -> None:
    async def go() -> str:
        world = McpWorld(SERVER, goal="write", shared=True)
        broken = await world.open(Task(name="goal", seed=0))
        with pytest.raises(WorldFault, match="ended with status 3"):
            await broken.step("die")
        await broken.close()
        state = await world.open(Task(name="goal", seed=0))
        seen = (await state.step('write {"text": "tea"}')).observation
        await state.close()
        await world.aclose()
        return seen

    assert asyncio.run(go()) == "1 notes"


def test_a_killed_run_leaves_no_server() -> None:
    with subprocess.Popen([sys.executable, "-m", __name__], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"1 notes\n"
        children = below(run.pid)
        assert any(notes_server.__file__ in each.command for each in children)
        run.kill()
    assert left_of(children) == []


async def hold() -> None:
    """Open a session, say so, and wait to be killed."""
    state = await McpWorld(SERVER, goal="write").open(Task(name="goal", seed=0))
    print((await state.step('write {"text": "tea"}')).observation, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold())
