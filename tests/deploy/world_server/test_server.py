"""Served worlds over real sockets: what sessions are answered, and what ends one without ending others."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import aiohttp
import msgspec
import pytest

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.plugins import catalogue
from quintet.ports.world import World
from quintet.world_server.server import WorldServer
from quintet.world_server.sessions import SessionLimits
from tests.deploy.world_server.serving import Blocking, Fragile, Waiting, connected, fetched, served, unread

pytestmark = pytest.mark.real_time

BEEHIVE = ("get 2 oak logs", "craft 4 oak planks using 1 oak logs", "get 3 honeycomb")
_LAST = "craft 1 beehive using 3 honeycomb, 6 oak planks"


async def test_a_session_is_answered_as_the_world_answers() -> None:
    world = catalogue.world("textcraft")
    state = world.open(Task(name="beehive", seed=7))
    async with served("textcraft") as (address, _), connected(address) as client:
        kind, begun = await client.ask("reset", task="beehive", seed=7, episode_id="e")
        assert (kind, begun["reward"], begun["done"]) == ("observation", None, False)
        assert begun["observation"]["text"] == state.observation
        assert begun["metadata"] == begun["observation"]["metadata"]
        opening = state.opening
        assert begun["metadata"] == {
            "score": 0.0,
            "task": "beehive",
            "seed": 7,
            "goal": opening.goal,
            "setting": opening.setting,
        }
        for action in (*BEEHIVE, BEEHIVE[1], "sing"):
            expected = state.step(action)
            _, data = await client.ask("step", text=action)
            assert data["observation"]["text"] == expected.observation
            assert data["metadata"]["score"] == data["reward"] == expected.reward == 0.0
            assert data["metadata"].get("rejected", False) == expected.rejected
        _, data = await client.ask("step", text=_LAST)
        assert (data["reward"], data["done"], data["metadata"]["score"]) == (1.0, True, 1.0)
        _, where = await client.ask("state")
        assert where.items() >= {"episode_id": "e", "step_count": 6, "task": "beehive", "score": 1.0}.items()


async def test_admissible_actions_stand_in_the_metadata() -> None:
    world = catalogue.world("alfworld")
    task = world.tasks(world.splits[0])[1]
    async with served("alfworld") as (address, _), connected(address) as client:
        _, begun = await client.ask("reset", split=world.splits[0], index=1)
        assert begun["metadata"]["task"] == task
        assert begun["metadata"]["admissible"] == list(world.open(Task(name=task, seed=0)).admissible() or ())


@pytest.mark.parametrize("name", ["textcraft", "alfworld", "hotpotqa", "webshop"])
async def test_every_world_goes_on_alike_from_a_snapshot_and_in_a_fork(name: str) -> None:
    async with served(name) as (address, _), connected(address) as client, connected(address) as other:
        await client.ask("reset", seed=1)
        world = catalogue.world(name)
        advised = world.open(Task(name=world.tasks(world.splits[0])[1], seed=1)).expert() or ()
        first, second, *_ = *advised, "help", "help"
        await client.text(first)
        kind, taken = await client.ask("snapshot")
        assert kind == "snapshot"
        kind, copy = await client.ask("fork")
        assert kind == "fork"
        seen = await client.text(second)
        kind, back = await other.ask("restore", snapshot=taken["snapshot"])
        assert kind == "observation"
        assert await other.text(second) == seen
        async with connected(f"{address}?session_id={copy['session_id']}") as forked:
            _, there = await forked.ask("state")
            assert (there["step_count"], there["text"]) == (1, back["observation"]["text"])
            assert await forked.text(second) == seen


async def test_a_copy_is_taken_once() -> None:
    async with served("textcraft") as (address, server), connected(address) as client:
        await client.ask("reset")
        _, copy = await client.ask("fork")
        assert len(server.sessions) == 2
        place = f"{address}?session_id={copy['session_id']}"
        async with connected(place) as forked:
            assert (await forked.ask("state"))[0] == "state"
        async with connected(place) as again:
            kind, error = await again.answer()
            assert (kind, error["code"]) == ("error", "SESSION_ERROR")


async def test_copies_that_nobody_took_end_with_the_connection_that_made_them() -> None:
    async with served("textcraft", limits=SessionLimits(client_sessions=3)) as (address, server):
        async with connected(address) as client:
            await client.ask("reset", task="beehive")
            names = [(await client.ask("fork"))[1]["session_id"] for _ in range(2)]
            taken = connected(f"{address}?session_id={names[0]}")
            forked = await taken.__aenter__()
            assert (await forked.ask("state"))[1]["task"] == "beehive"
            await client.socket.send_json({"type": "close"})
            assert (await client.socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert len(server.sessions) == 1
        assert (await forked.ask("state"))[1]["task"] == "beehive"
        async with connected(f"{address}?session_id={names[1]}") as late:
            assert (await late.answer())[1]["code"] == "SESSION_ERROR"
        await taken.__aexit__(None, None, None)


@pytest.mark.parametrize(
    ("kind", "data", "code", "says"),
    [
        ("step", {"text": "look"}, "EXECUTION_ERROR", "expected a reset first"),
        ("snapshot", {}, "EXECUTION_ERROR", "expected a reset first"),
        ("reset", {"task": "behive"}, "VALIDATION_ERROR", "such as beehive"),
        ("reset", {"task": "beehive", "index": 1}, "VALIDATION_ERROR", "got several"),
        ("reset", {"index": 10_000}, "VALIDATION_ERROR", "index: expected 0 to"),
        ("reset", {"split": "none"}, "VALIDATION_ERROR", "'none'"),
        ("reset", {"seed": -1}, "VALIDATION_ERROR", "$.data.seed"),
        ("reset", {"seed": 2**64}, "VALIDATION_ERROR", "$.data.seed"),
        ("reset", {"difficulty": 3}, "VALIDATION_ERROR", "unknown field `difficulty`"),
        ("restore", {"snapshot": "AAAA"}, "VALIDATION_ERROR", "expected one of this server"),
        ("step", {"action": "look"}, "VALIDATION_ERROR", "unknown field `action`"),
        ("step", {}, "VALIDATION_ERROR", "missing required field `data`"),
        ("dance", {}, "VALIDATION_ERROR", "dance"),
    ],
)
async def test_a_message_that_does_not_fit_is_refused_in_words_and_the_session_goes_on(
    kind: str, data: dict[str, Any], code: str, says: str
) -> None:
    async with served("textcraft") as (address, _), connected(address) as client:
        got, error = await client.ask(kind, **data)
        assert (got, error["code"]) == ("error", code)
        assert says in error["message"]
        assert (await client.ask("reset"))[0] == "observation"


async def test_what_is_no_json_is_refused_in_words() -> None:
    async with served("textcraft") as (address, _), connected(address) as client:
        for send in (client.socket.send_str("{"), client.socket.send_str("\x00"), client.socket.send_bytes(b"{}")):
            await send
            assert (await client.answer())[1]["code"] == "INVALID_JSON"


async def test_a_snapshot_is_of_its_world_and_its_server() -> None:
    async with (
        served("textcraft", "alfworld") as (address, _),
        served("textcraft") as (elsewhere, _),
        connected(address) as client,
        connected(f"{address}/alfworld") as other,
        connected(elsewhere) as far,
    ):
        await client.ask("reset")
        _, taken = await client.ask("snapshot")
        for refuses in (other, far):
            _, error = await refuses.ask("restore", snapshot=taken["snapshot"])
            assert error["code"] == "VALIDATION_ERROR"


async def test_a_token_keeps_snapshots_beyond_the_server() -> None:
    bearer = {"Authorization": "Bearer sesame"}
    async with served("textcraft", token="sesame") as (address, _), connected(address, **bearer) as client:
        await client.ask("reset")
        _, taken = await client.ask("snapshot")
    async with served("textcraft", token="sesame") as (address, _), connected(address, **bearer) as client:
        assert (await client.ask("restore", snapshot=taken["snapshot"]))[0] == "observation"


async def test_a_refused_reset_leaves_the_session_as_it_was() -> None:
    async with served("textcraft") as (address, _), connected(address) as client:
        await client.ask("reset", task="beehive")
        seen = await client.text(BEEHIVE[0])
        assert (await client.ask("reset", task="behive"))[1]["code"] == "VALIDATION_ERROR"
        _, where = await client.ask("state")
        assert (where["task"], where["step_count"], where["text"]) == ("beehive", 1, seen)


async def test_what_a_token_signed_and_no_session_wrote_is_refused_in_words() -> None:
    bearer = {"Authorization": "Bearer sesame"}
    async with served("textcraft", token="sesame") as (address, _), connected(address, **bearer) as client:
        for content in (b"\xc1", msgspec.msgpack.encode((("beehive",), b"")), msgspec.msgpack.encode(1)):
            signature = blake2b(b"textcraft\0" + content, key=b"sesame", digest_size=16).digest()
            snapshot = b64encode(signature + content).decode()
            assert (await client.ask("restore", snapshot=snapshot))[1]["code"] == "VALIDATION_ERROR"
        assert (await client.ask("reset"))[0] == "observation"


async def test_a_world_that_fails_ends_its_session_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    world = Fragile()
    async with served(world) as (address, server), connected(address) as other, connected(address) as client:
        await other.ask("reset")
        await client.ask("reset")
        _, error = await client.ask("step", text="kick")
        assert error == {"message": "fragile: step: RuntimeError: it is glass", "code": "SESSION_ERROR"}
        assert (await client.socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert await other.text("leave") == "It opens."
        assert (world.closed, len(server.sessions)) == (1, 1)
    assert "it is glass" in caplog.text


async def test_places_of_a_world_bound_its_sessions() -> None:
    async with (
        served(Fragile()) as (address, _),
        connected(address) as one,
        connected(address) as two,
        connected(address) as three,
    ):
        await one.ask("reset")
        await two.ask("reset")
        _, error = await three.ask("reset")
        assert error["message"] == "fragile: expected one of its 2 places, got none free"
        _, error = await one.ask("fork")
        assert error["message"] == "fragile: expected a world that copies its states, got one that cannot"


async def test_a_slow_world_stops_no_fast_one() -> None:
    waiting, blocking = Waiting(), Blocking()
    async with (
        served("textcraft", waiting, blocking) as (address, _),
        connected(address) as fast,
        connected(f"{address}/waiting") as waits,
        connected(f"{address}/blocking") as blocks,
    ):
        for client in (fast, waits, blocks):
            await client.ask("reset")
        slow = [asyncio.create_task(client.text("leave")) for client in (waits, blocks)]
        await waiting.asked.wait()
        for _ in range(20):
            await fast.text("inventory")
        assert not any(task.done() for task in slow)
        waiting.go_on.set()
        blocking.go_on.set()
        assert await asyncio.gather(*slow) == ["It opens.", "It opens."]


async def test_a_session_ends_with_its_connection_also_within_a_step() -> None:
    world = Waiting()
    async with served(world) as (address, server):
        async with connected(address) as client:
            await client.ask("reset")
            await client.socket.send_json({"type": "step", "data": {"text": "leave"}})
            await world.asked.wait()
        await world.closed.wait()
        assert len(server.sessions) == 0


async def test_a_call_that_takes_too_long_ends_its_session() -> None:
    world = Waiting()
    async with served(world, limits=SessionLimits(call_seconds=0.01)) as (address, _), connected(address) as client:
        await client.ask("reset")
        _, error = await client.ask("step", text="leave")
        assert error["message"] == "waiting: step: expected an answer within 0.01 s, got none"
        await world.closed.wait()


async def test_an_idle_session_is_told_and_ends() -> None:
    limits = SessionLimits(idle_seconds=0.05)
    async with served("textcraft", limits=limits) as (address, _), connected(address) as client:
        _, error = await client.answer()
        assert error == {"message": "expected a message within 0.05 s, got none", "code": "SESSION_ERROR"}


async def test_a_session_within_a_step_is_not_idle(pass_time: Callable[[float], None]) -> None:
    world = Waiting()
    limits = SessionLimits(idle_seconds=60.0)
    async with served(world, limits=limits) as (address, _), connected(address) as client:
        await client.ask("reset")
        stepping = asyncio.create_task(client.text("leave"))
        await world.asked.wait()
        pass_time(120.0)
        assert (await fetched(f"{address}/health"))[0] == 200  # by now the timers that are due have expired
        world.go_on.set()
        assert await stepping == "It opens."


@pytest.mark.parametrize("kind", ["close", "reset"])
async def test_a_state_whose_connection_is_lost_while_it_closes_is_closed(kind: str) -> None:
    class Slow(Waiting):
        async def open(self, task: Task) -> Any:
            state = await super().open(task)
            vars(state)["close"] = self.slowly
            return state

        async def slowly(self) -> None:
            self.asked.set()
            await self.go_on.wait()
            self.closed.set()

    world = Slow()
    async with served(world) as (address, _):
        async with connected(address) as client:
            await client.ask("reset")
            await client.socket.send_json({"type": kind})
            await world.asked.wait()
        assert (await fetched(f"{address}/health"))[0] == 200  # by now the server knows that the connection is lost
        world.go_on.set()
        async with asyncio.timeout(60):
            await world.closed.wait()


async def test_an_idle_session_ends_also_if_its_client_reads_nothing(pass_time: Callable[[float], None]) -> None:
    world = Waiting(seen="x" * 2**25)
    limits = SessionLimits(idle_seconds=60.0)
    async with served(world, limits=limits) as (address, server), unread(address, b'{"type":"reset"}'):
        await world.opened.wait()
        assert (await fetched(f"{address}/health"))[0] == 200  # by now the answer is being written
        pass_time(60.0)
        await world.closed.wait()
        assert len(server.sessions) == 0


async def test_sessions_are_limited_in_all_and_of_a_client() -> None:
    for limits, says in ((SessionLimits(sessions=1), "1 sessions,"), (SessionLimits(client_sessions=1), "a client,")):
        async with served("textcraft", limits=limits) as (address, _):
            async with connected(address) as client, connected(address) as refused:
                _, error = await refused.answer()
                assert (error["code"], error["max_sessions"]) == ("CAPACITY_REACHED", 1)
                assert says in error["message"]
                await client.ask("reset")
                assert (await client.ask("fork"))[1]["code"] == "CAPACITY_REACHED"
            async with connected(address) as next_one:
                assert (await next_one.ask("reset"))[0] == "observation"


async def test_an_oversized_message_ends_its_connection_which_the_client_and_the_log_are_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = "expected a message of at most 1000 bytes (--frame-bytes), got a larger one"
    async with served("textcraft", limits=SessionLimits(frame_bytes=1_000)) as (address, server):
        async with connected(address) as client:
            await client.socket.send_str('{"type":"state"}'.ljust(1_000))
            assert (await client.answer())[0] == "state"
            await client.socket.send_str('{"type":"state"}'.ljust(1_001))
            closed = await client.socket.receive()
            assert (closed.data, closed.extra) == (aiohttp.WSCloseCode.MESSAGE_TOO_BIG, said)
        status, refused = await fetched(f"{address}/step", {"action": {"text": "x" * 1_000}})
        assert (status, "1000 exceeded" in refused["detail"]) == (413, True)
        assert refused["detail"].endswith("(--frame-bytes)")
        assert len(server.sessions) == 0
    assert caplog.messages == [f"127.0.0.1: {said}; its session ends"]


async def test_without_its_token_nothing_is_answered_and_no_page_is() -> None:
    async with served("textcraft", token="sesame") as (address, _):
        for headers in ({}, {"Authorization": "Bearer other"}):
            assert (await fetched(f"{address}/health", **headers))[0] == 401
            with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
                async with connected(address, **headers):
                    pass
        assert (await fetched(f"{address}/health", Authorization="Bearer sesame"))[0] == 200
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            async with connected(address, Authorization="Bearer sesame", Origin=address):
                pass


async def test_a_page_whose_name_was_made_to_lead_here_reads_nothing() -> None:
    async with served("textcraft") as (address, _):
        port = address.rpartition(":")[2]
        for name, status in (("rebound.example", 403), ("", 403), ("[", 403), ("localhost", 200), ("[::1]", 200)):
            assert (await fetched(f"{address}/metadata", Host=f"{name}:{port}"))[0] == status
    async with served("textcraft", token="sesame") as (address, _):
        headers = {"Host": "gateway.example", "Authorization": "Bearer sesame"}
        assert (await fetched(f"{address}/health", **headers))[0] == 200


async def test_tasks_and_single_answers_are_there_over_http() -> None:
    async with served("textcraft", "alfworld") as (address, server):
        assert await fetched(f"{address}/list_environments") == (200, ["textcraft", "alfworld"])
        assert await fetched(f"{address}/alfworld/list_environments") == (200, ["alfworld"])
        tasks = catalogue.world("textcraft").tasks("test")
        below = f"{address}/textcraft"
        assert (await fetched(f"{below}/splits"))[1][0] == {"name": "test", "type": "test"}
        assert await fetched(f"{below}/num_tasks", {"split": "test"}) == (200, {"num_tasks": len(tasks)})
        assert await fetched(f"{below}/task", {"split": "test", "index": 1}) == (200, {"task": {"task": tasks[1]}})
        ranged = await fetched(f"{below}/task_range", {"split": "test", "start": 1, "stop": 3})
        assert ranged[1]["tasks"] == [{"task": task} for task in tasks[1:3]]
        assert (await fetched(f"{below}/tasks", {"split": "test"}))[1]["tasks"][0] == {"task": tasks[0]}
        assert (await fetched(f"{below}/tasks", {"split": "none"}))[0] == 422
        assert (await fetched(f"{below}/task", {"split": "test", "index": -1}))[0] == 422
        status, reset = await fetched(f"{below}/reset", {"task": "beehive"})
        assert (status, reset["metadata"]["task"]) == (200, "beehive")
        assert (await fetched(f"{below}/step", {"action": {"text": "inventory"}}))[1]["done"] is False
        assert (await fetched(f"{below}/step", {"action": {"texts": ""}}))[0] == 422
        assert await fetched(f"{below}/state") == (200, {"episode_id": None, "step_count": 0})
        assert (await fetched(f"{address}/nowhere"))[0] == 404
        assert len(server.sessions) == 0


def test_what_cannot_be_served_is_refused_in_words() -> None:
    class Judged(Fragile):
        needs_judge = True

    class Lacking(Fragile):
        def lacking(self) -> str:
            return "needs a browser"

    cases: list[tuple[list[World], str]] = [
        ([], "got none"),
        ([Fragile(), Fragile()], "got fragile, fragile"),
        ([Judged()], "expected one that is played without a judge"),
        ([Lacking()], "needs a browser"),
    ]
    for worlds, says in cases:
        with pytest.raises(UsageError, match=says):
            WorldServer(worlds, limits=SessionLimits())
    with pytest.raises(UsageError, match="idle_seconds: expected above 0, got 0"):
        SessionLimits(idle_seconds=0)
