"""Worlds that are served to tests, and a client that speaks the protocol and no more."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from quintet.environments.adapters.plain import as_world
from quintet.messages.environment import Task
from quintet.plugins import catalogue
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import CallsIn, Opening, Outcome, World, WorldState
from quintet.serving.server import serve
from quintet.world_server.server import WorldServer
from quintet.world_server.sessions import SessionLimits

_OPENING = Opening(observation="A door.\n\nGoal: leave.", setting="A door.", goal="leave")


class Fragile(World):
    """A world whose state breaks at one action, and writes no snapshots."""

    name = "fragile"
    forks = "none"
    places = 2

    def __init__(self) -> None:
        self.closed = 0

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return ("door",)

    def open(self, task: Task) -> "_Door":
        self.check_task(task.name)
        return _Door(self)


class _Door(WorldState):
    def __init__(self, world: Fragile) -> None:
        super().__init__(_OPENING)
        self._world = world

    def step(self, action: str) -> Outcome:
        if action == "kick":
            raise RuntimeError("it is glass")
        return self.accept("It opens.", 1.0, done=True) if action == "leave" else self.reject("It is a door.")

    def close(self) -> None:
        self._world.closed += 1


class Waiting(AsyncWorld):
    """A world that waits until a test lets it go on."""

    name = "waiting"

    def __init__(self, seen: str = _OPENING.observation) -> None:
        self.seen = seen
        self.opened = asyncio.Event()
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.closed = asyncio.Event()

    def tasks(self, split: str) -> tuple[str, ...]:
        return ("door",)

    async def open(self, task: Task) -> "_WaitingDoor":
        self.opened.set()
        return _WaitingDoor(self)


class _WaitingDoor(AsyncState):
    opening = _OPENING

    def __init__(self, world: Waiting) -> None:
        self._world = world
        self.observation = world.seen

    async def step(self, action: str) -> Outcome:
        self._world.asked.set()
        await self._world.go_on.wait()
        return Outcome(observation="It opens.", reward=1.0, done=True, rejected=False)

    async def close(self) -> None:
        self._world.closed.set()


class Blocking(World):
    """A world that blocks its thread until a test lets it go on."""

    name = "blocking"
    blocking: CallsIn | None = "thread"

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def tasks(self, split: str) -> tuple[str, ...]:
        return ("door",)

    def open(self, task: Task) -> "_BlockedDoor":
        return _BlockedDoor(self)


class _BlockedDoor(WorldState):
    def __init__(self, world: Blocking) -> None:
        super().__init__(_OPENING)
        self._world = world

    def step(self, action: str) -> Outcome:
        self._world.go_on.wait(60)
        return self.accept("It opens.", 1.0, done=True)


class PlainClient:
    """One session. Each question has one answer: the type of its frame, and its data."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def ask(self, kind: str, **data: Any) -> tuple[str, dict[str, Any]]:
        await self.socket.send_json({"type": kind, "data": data} if data else {"type": kind})
        return await self.answer()

    async def answer(self) -> tuple[str, dict[str, Any]]:
        frame = await self.socket.receive()
        assert frame.type is aiohttp.WSMsgType.TEXT, frame
        read = json.loads(frame.data)
        return read["type"], read["data"]

    async def text(self, action: str) -> str:
        kind, data = await self.ask("step", text=action)
        assert kind == "observation", data
        return str(data["observation"]["text"])


@asynccontextmanager
async def served(
    *worlds: str | World | AsyncWorld, limits: SessionLimits | None = None, token: str | None = None
) -> AsyncGenerator[tuple[str, WorldServer], None]:
    """A server of worlds, on any free port."""
    made = [catalogue.world(world) if isinstance(world, str) else as_world(world) for world in worlds]
    server = WorldServer(made, limits=limits or SessionLimits(), token=token)
    try:
        async with serve(server.application()) as address:
            yield address, server
    finally:
        await server.aclose()


@asynccontextmanager
async def connected(address: str, **headers: str) -> AsyncGenerator[PlainClient, None]:
    """A session at an address."""
    place, _, query = address.partition("?")
    # A server within a step answers no farewell.
    impatient = aiohttp.ClientWSTimeout(ws_close=0.1)  # pyright: ignore[reportCallIssue]  made by attrs
    async with (
        aiohttp.ClientSession() as http,
        http.ws_connect(f"{place}/ws?{query}", headers=headers, timeout=impatient) as socket,
    ):
        yield PlainClient(socket)


@asynccontextmanager
async def unread(address: str, message: bytes) -> AsyncGenerator[None, None]:
    """A session that is sent one short message, and whose answer nobody reads."""
    host, _, port = address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=2**10)
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    writer.write(b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(bytes((0x81, 0x80 | len(message))) + bytes(4) + message)
    try:
        yield
    finally:
        writer.close()


async def fetched(url: str, body: Sequence[str] | dict[str, Any] | None = None, **headers: str) -> tuple[int, Any]:
    """The status and the JSON of an answer: to a GET, or to a POST of a body."""
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.request("GET" if body is None else "POST", url, json=body) as answer,
    ):
        return answer.status, await answer.json()
