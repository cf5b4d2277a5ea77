"""Environments of servers as worlds: ours, which copies its sessions, and others, which may do anything."""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from aiohttp import WSCloseCode, web

from quintet.environments.openenv.world import OpenEnvWorld
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.plugins import catalogue, extras
from tests.actors.environments.openenv.servers import (
    MOVE,
    TEXT,
    Session,
    count,
    error,
    observation,
    strange_server,
    world_at,
)
from tests.actors.environments.test_missing_packages import nothing
from tests.deploy.world_server.serving import Fragile, served

pytestmark = pytest.mark.real_time

MUG = "pick_heat_then_place_in_recep-Mug-None-DiningTable-5.trial_T20250102_085412_815114"
SEED_3 = Task(name="seed-3", seed=9)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("textcraft", Task(name="beehive", seed=7)),
        (
            "alfworld",
            Task(name="pick_heat_then_place_in_recep-Mug-None-DiningTable-5.trial_T20250102_085412_815114", seed=0),
        ),
    ],
)
async def test_a_world_of_ours_is_the_same_through_the_door(name: str, task: Task) -> None:
    near = catalogue.world(name)
    async with served(name) as (address, server):
        far = await world_at(f"{address}/{name}")
        assert (far.splits, far.forks, far.repeats) == (near.splits, "copy", True)
        assert far.tasks(far.splits[0]) == near.tasks(near.splits[0])
        here, there = near.open(task), await far.open(task)
        assert (there.opening, there.observation) == (here.opening, here.observation)
        for action in ("sing", *(here.expert() or ())):
            expected = here.step(action)
            got = await there.step(action)
            assert (got.observation, got.reward, got.done, got.rejected) == (
                expected.observation,
                expected.reward,
                expected.done,
                expected.rejected,
            )
            assert await there.admissible() == here.admissible()
            assert there.observation == here.observation
        assert here.reward == 1.0
        assert (await there.step("sing")).rejected
        await there.close()
    assert len(server.sessions) == 0


async def test_figures_come_through_the_door() -> None:
    near = catalogue.world("hotpotqa")
    task = Task(name=near.tasks(near.splits[0])[0], seed=0)
    expected = near.open(task).step("finish[nowhere]")
    async with served("hotpotqa") as (address, _):
        state = await (await world_at(address)).open(task)
        assert (await state.step("finish[nowhere]")).figures == expected.figures != {}
        await state.close()


async def test_a_session_of_ours_is_copied_by_the_server() -> None:
    task = Task(name="beehive", seed=7)
    async with served("textcraft") as (address, _):
        world = await world_at(address)
        state = await world.open(task)
        await state.step("get 2 oak logs")
        fork, taken = await state.fork(), await state.snapshot()
        await state.step("get 3 honeycomb")
        back = await world.restore(task, taken)
        assert fork.observation == back.observation
        seen = [(await each.step("inventory")).observation for each in (fork, back, state)]
        assert seen[0] == seen[1] != seen[2]
        for each in (fork, back, state):
            await each.close()


async def test_a_world_of_ours_that_copies_no_states_has_no_forks_here_either() -> None:
    async with served(Fragile()) as (address, _):
        world = await world_at(address)
        assert (world.forks, world.repeats) == ("none", False)


async def test_a_server_without_tasks_has_seeds_and_repeats_them() -> None:
    async with strange_server() as address:
        world = await world_at(address, tasks=5)
        assert world.tasks("train") == tuple(f"seed-{seed}" for seed in range(5, 10))
        assert (world.forks, world.version.startswith("1+counter+2+")) == ("replay", True)
        await world.get_ready(["seed-3"])
        state = await world.open(SEED_3)
        assert state.opening.observation == "At 3.\n\nGoal: complete the task."
        assert await state.admissible() is None
        assert (await state.step("hi")).observation == "hi"
        assert await state.admissible() == ("a", "b")
        bad = await state.step("bad")
        assert (bad.observation, bad.rejected) == ("Not carried out: no such move", True)
        fork = await state.fork()
        assert fork.observation == "hi"
        for each in (state, fork):
            outcomes = [await each.step("on") for _ in range(6)]
            assert (outcomes[-1].reward, outcomes[-1].done) == (1.0, True)
            assert await each.admissible() == ()
            await each.close()


async def test_a_server_that_does_not_repeat_is_found_out() -> None:
    steps = 0

    async def drift(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
        nonlocal steps
        steps += message["type"] == "step"
        await socket.send_str(observation(f"step {steps}"))

    async with strange_server(drift) as address:
        world = await world_at(address)
        state = await world.open(SEED_3)
        await state.step("go")
        with pytest.raises(WorldFault, match="action 1, b'go': expected the answer that it had before, got another"):
            await state.fork()
        with pytest.raises(WorldFault, match="snapshot: expected one of a session"):
            await world.restore(SEED_3, b"nonsense")
        await state.close()


async def test_a_server_with_one_session_or_another_beginning_each_time_has_no_forks() -> None:
    begun = 0

    async def other(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
        nonlocal begun
        begun += 1
        await socket.send_str(observation(f"beginning {begun}"))

    async with strange_server(sessions=1) as one, strange_server(other) as two:
        for address in (one, two):
            assert (await world_at(address)).forks == "none"


async def test_actions_with_fields_are_json_that_the_schema_takes() -> None:
    async with strange_server(action=MOVE) as address:
        world = await world_at(address)
        state = await world.open(SEED_3)
        assert '"minimum":1' in state.opening.setting
        assert "metadata" not in state.opening.setting
        assert state.opening.observation == f"{state.opening.setting}\n\nGoal: complete the task."
        for action, says in (
            ("move", "expected one JSON object"),
            ("[1]", "expected one JSON object"),
            ("{}", "'by' is a required property"),
            (f'{{"by": 1{"0" * 400}}}', "too large"),
            ('{"by": 0}', "0 is less than the minimum of 1"),
            ('{"by": 1, "to": 2}', "'to' was unexpected"),
        ):
            outcome = await state.step(action)
            assert outcome.rejected
            assert says in outcome.observation
        assert (await state.step('{"by": 2}')).observation == "At 5."
        await state.close()


async def test_a_schema_that_is_too_long_to_show_says_what_is_left_out() -> None:
    long = {**MOVE, "description": "far " * 10_000}
    async with strange_server(action=long) as address:
        state = await (await world_at(address)).open(SEED_3)
        shown = state.opening.setting
        assert re.search(r"\n\.\.\. 20,\d\d\d characters left out \.\.\.\n", shown)
        assert len(shown) < 21_000
        await state.close()


async def test_a_schema_that_refers_elsewhere_is_a_fault_and_fetches_nothing() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x.json"}, "b": {"type": "string"}}}
    async with strange_server(action=schema) as address:
        state = await (await world_at(address)).open(SEED_3)
        with pytest.raises(WorldFault, match="actions: expected a schema that is whole, got a reference to http"):
            await state.step('{"a": 1}')
        await state.close()


def _sends(*frames: str) -> Any:
    async def send(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
        if message["type"] == "reset":
            return await count(socket, session, message)
        for frame in frames:
            await socket.send_str(frame)
        return None

    return send


async def _die(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
    if message["type"] == "reset":
        return await count(socket, session, message)
    await socket.close()
    return None


async def _takes_no_more(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
    if message["type"] == "reset":
        return await count(socket, session, message)
    await socket.close(code=WSCloseCode.MESSAGE_TOO_BIG, message=b"expected 9 bytes")
    return None


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (_die, "the server closed the connection"),
        (_takes_no_more, "the server closed the connection: 'expected 9 bytes'"),
        (_sends("so?"), "expected a frame of JSON, got 'so\\?'"),
        (_sends("[]"), "expected a frame of JSON"),
        (_sends('{"type": "state"}'), "expected a frame of type observation, got 'state'"),
        (_sends('{"type": "observation", "data": {}}'), "expected an observation as the schema has it"),
        (_sends(observation("hi", reward="much")), "expected an observation as the schema has it"),
        (_sends(observation(None)), "expected an observation with a text 'echoed', got None"),
        (_sends(observation("x" * 5_000)), "expected a frame of at most 2,000 bytes, got a larger one"),
        (_sends(error("SESSION_ERROR", "it fell over")), "got SESSION_ERROR: it fell over"),
    ],
)
async def test_a_server_that_breaks_down_is_a_fault_in_words(answer: Any, says: str) -> None:
    async with strange_server(answer) as address:
        world = await world_at(address, frame_bytes=2_000)
        state = await world.open(SEED_3)
        with pytest.raises(WorldFault, match=says):
            await state.step("go")
        await state.close()


async def test_a_server_that_does_not_answer_is_a_fault_in_words(pass_time: Callable[[float], None]) -> None:
    asked = asyncio.Event()

    async def hang(socket: web.WebSocketResponse, session: Session, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "reset":
                await count(socket, session, message)
            case "step":
                asked.set()
            case _:
                await socket.close()

    async with strange_server(hang) as address:
        state = await (await world_at(address)).open(SEED_3)
        step = asyncio.create_task(state.step("go"))
        await asked.wait()
        pass_time(60.0)
        with pytest.raises(WorldFault, match="expected an answer to step within 60 s, got none"):
            await step
        await state.close()


async def test_an_answer_that_nobody_asked_for_ends_the_session() -> None:
    async with strange_server(_sends(observation("one"), observation("two"))) as address:
        state = await (await world_at(address)).open(SEED_3)

        async def go_on() -> None:
            while True:
                await state.step("go")

        with pytest.raises(WorldFault, match=r"the server sent what nobody asked for: .*echoed"):
            await go_on()
        await state.close()


async def test_a_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOR_KEY", "open-sesame-please")
    async with served("textcraft", token="open-sesame-please") as (address, _):
        world = await world_at(address, key="DOOR_KEY")
        state = await world.open(Task(name="beehive", seed=1))
        await state.close()
        with pytest.raises(UsageError, match="expected an OpenEnv server's /metadata, got ClientResponseError: 401"):
            await world_at(address)
    async with strange_server(_sends(error("SESSION_ERROR", "you said open-sesame-please"))) as address:
        state = await (await world_at(address, key="DOOR_KEY")).open(SEED_3)
        with pytest.raises(WorldFault, match="you said <DOOR_KEY>"):
            await state.step("go")
        await state.close()


async def test_what_is_no_server_is_refused_in_words() -> None:
    for address, got in (
        ("ftp://somewhere", "another scheme, or no host"),
        ("http://:secret@somewhere", "a user name or a password"),
        ("http://somewhere?key=secret", "a query"),
        ("http://somewhere:99999", "port 99999"),
    ):
        with pytest.raises(UsageError, match=rf"^environment.address: expected http\(s\)://.*, got {got}") as raised:
            OpenEnvWorld(address)
        assert "secret" not in str(raised.value)
    with pytest.raises(UsageError, match="expected an OpenEnv server's /metadata, got ClientConnectorError"):
        await world_at("http://127.0.0.1:9")
    async with strange_server(healthy=False) as address:
        with pytest.raises(UsageError, match="expected an OpenEnv server's /metadata, got none"):
            await world_at(f"{address}/below")
        world = await world_at(address)
        with pytest.raises(UsageError, match="expected /health, got none"):
            await world.get_ready([])
        with pytest.raises(UsageError, match="observation: expected one of echoed, got 'text'"):
            await world_at(address, observation="text")
        with pytest.raises(UsageError, match="task"):
            await world.open(Task(name="seed-1000", seed=0))
    async with strange_server(sessions=0) as address:
        with pytest.raises(UsageError, match="Server at capacity"):
            await world_at(address)
    async with strange_server(action={"type": 7, "properties": {}}) as address:
        with pytest.raises(UsageError, match="actions: expected a JSON Schema, got"):
            await world_at(address)


async def test_without_the_package_json_actions_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", nothing)
    async with strange_server(action=MOVE) as moves, strange_server(action=TEXT) as texts:
        with pytest.raises(UsageError, match=r"expected jsonschema, got none; install it with .*\[openenv\]"):
            await world_at(moves)
        assert (await world_at(texts)).name == "openenv"
