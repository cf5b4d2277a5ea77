"""Served worlds: many sessions that step now and then, and 64 that step as fast as they are answered.

OpenEnv's own server with its echo environment stands beside it, and its own client, where the dependency group `peers`
is installed. A session's next step is due at a fixed time, and its latency counts from then, whatever was late before.
"""

import asyncio
import os
import random
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.measuring import Figure
from quintet.runs.files import allow_connections
from quintet.runtime.garbage import collect_rarely

_SESSIONS = 16_384
_CLIENTS = 64
_EVERY = 20.0
"""Seconds from a session's step to its next, as a model takes that answers beside thousands of others."""
_ROUNDS = 2
"""Steps of each of the many sessions."""
_SECONDS = 10.0
"""For which 64 sessions step."""
_OPENING = 300.0
"""Seconds in which the many sessions are opened, or as many of them as the server opens by then."""
_AT_ONCE = 64
"""Connections that are opened at a time."""
_PING = 0x89
_TICKS = os.sysconf("SC_CLK_TCK")

_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
_OURS = [sys.executable, "-c", _MAIN, "serve-world", "--port", "0"]
_THEIRS = [sys.executable, "-m", "tests.actors.environments.openenv.their_server", "echo"]


class _Metadata(Struct, frozen=True):
    admissible: tuple[str, ...] = ()


class _Data(Struct):
    done: bool
    metadata: _Metadata = _Metadata()


class _Frame(Struct):
    data: _Data


_decode = msgspec.json.Decoder(_Frame).decode


class Client(asyncio.Protocol):
    """A session on a bare socket, with no more of web sockets than both servers use."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._read = bytearray()
        self._waiting: asyncio.Future[bytes] | None = None
        self._open = False
        """Whether the handshake was answered."""
        self._lost = False
        self.admissible: tuple[str, ...] = ()

    @classmethod
    async def connect(cls, address: str) -> "Client":
        host, _, port = address.removeprefix("http://").partition(":")
        loop = asyncio.get_running_loop()
        transport, client = await loop.create_connection(cls, host, int(port))
        client.transport = transport
        handshake = (
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        answer = await client._sent(handshake.encode())
        assert b" 101 " in answer, answer
        return client

    def data_received(self, data: bytes) -> None:
        self._read += data
        while (found := self._frame()) is not None:
            kind, content = found
            if kind == _PING:
                self.transport.write(bytes((0x8A, 0x80 | len(content), 0, 0, 0, 0)) + content)
            elif self._waiting is not None and not self._waiting.done():
                self._waiting.set_result(content)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError("the server closed the connection"))

    def _frame(self) -> tuple[int, bytes] | None:
        """The next frame that has come whole, at first the answer to the handshake: its first byte, and its content."""
        read = self._read
        if not self._open:
            kind, start, end = 0, 0, read.find(b"\r\n\r\n") + 4
            if end < 4:
                return None
            self._open = True
        elif len(read) < 4:
            return None
        else:
            kind, start, end = read[0], 2, read[1] + 2
            if read[1] == 126:
                (length,), start = struct.unpack_from(">H", read, 2), 4
                end = start + length
        if len(read) < end:
            return None
        content = bytes(read[start:end])
        del read[:end]
        return kind, content

    async def ask(self, message: bytes) -> None:
        """Send a message in one masked frame, whose mask is zeros, and take the answer."""
        size = len(message)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + struct.pack(">H", size)
        answer = _decode(await self._sent(head + b"\0\0\0\0" + message))
        if answer.data.done:
            await self.ask(b'{"type":"reset","data":{}}')
        else:
            self.admissible = answer.data.metadata.admissible

    async def _sent(self, data: bytes) -> bytes:
        if self._lost:
            raise ConnectionResetError("the server closed the connection")
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return await self._waiting


class _Server(NamedTuple):
    process: subprocess.Popen[str]
    address: str

    @property
    def resident(self) -> float:
        """MB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def cpu(self) -> float:
        """Seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def _serving(*words: str) -> Generator[_Server, None, None]:
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield _Server(process, process.stdout.readline().split()[-1])
        finally:
            process.kill()


class _Door(NamedTuple):
    """A kind of session: where it is, and what it is asked."""

    name: str
    words: Sequence[str]
    """Of the command that serves it."""
    step: Callable[[Client, random.Random], bytes]


def _step(field: str, text: str) -> bytes:
    return msgspec.json.encode({"type": "step", "data": {field: text}})


def _craft(_: Client, chance: random.Random) -> bytes:
    return _step("text", chance.choice(("inventory", "get 1 oak logs")))


def _keep_house(client: Client, chance: random.Random) -> bytes:
    return _step("text", chance.choice(client.admissible))


def _say(_: Client, __: random.Random) -> bytes:
    return _step("message", "hello")


_TEXTCRAFT = _Door("TextCraft", [*_OURS, "textcraft"], _craft)
_ALFWORLD = _Door("ALFWorld", [*_OURS, "alfworld"], _keep_house)
_ECHO = _Door("OpenEnv's echo", [*_THEIRS, str(_SESSIONS)], _say)


async def _open(server: _Server, count: int) -> list[Client]:
    """Sessions, as many as the server gives in time."""

    async def begin(number: int) -> Client:
        client = await Client.connect(server.address)
        await client.ask(msgspec.json.encode({"type": "reset", "data": {"seed": number}}))
        return client

    clients: list[Client] = []
    began = time.perf_counter()
    for start in range(0, count, _AT_ONCE):
        if time.perf_counter() - began > _OPENING:
            break
        numbers = range(start, min(start + _AT_ONCE, count))
        try:
            async with asyncio.timeout(30):
                clients += await asyncio.gather(*(begin(number) for number in numbers))
        except (OSError, TimeoutError, msgspec.DecodeError):
            break  # it gives no more
    return clients


async def _step_now_and_then(door: _Door, clients: Sequence[Client]) -> list[float]:
    """The latencies of steps, in seconds."""
    loop, chance, latencies = asyncio.get_running_loop(), random.Random(0), list[float]()
    began = loop.time() + 1

    async def play(client: Client, number: int) -> None:
        for round_ in range(_ROUNDS):
            due = began + (round_ + number / len(clients)) * _EVERY
            await asyncio.sleep(due - loop.time())
            await client.ask(door.step(client, chance))
            latencies.append(loop.time() - due)

    await asyncio.gather(*(play(client, number) for number, client in enumerate(clients)))
    return latencies


def _many(door: _Door) -> Generator[Figure, None, None]:
    with _serving(*door.words) as server:
        alone = server.resident

        async def measure() -> Sequence[Figure]:
            began = time.perf_counter()
            clients = await _open(server, _SESSIONS)
            seconds, cpu = time.perf_counter() - began, server.cpu
            latencies = await _step_now_and_then(door, clients)
            cpu, resident = server.cpu - cpu, server.resident
            for client in clients:
                client.transport.close()
            count, p99 = len(clients), 1_000 * quantiles(latencies, n=100)[-1]
            asked = f"a step of each every {_EVERY:g} s, {1e6 * cpu / len(latencies):.0f} us of CPU a step"
            opened = f"of {_SESSIONS:,}, opened in {seconds:.0f} s"
            each = f"{alone:.0f} MB without sessions, {1_000 * (resident - alone) / count:.0f} KB for each"
            return (
                Figure(f"{door.name}: sessions in one process", count, "", opened),
                Figure(f"{door.name}: step, p99", p99, "ms", asked),
                Figure(f"{door.name}: resident memory", resident, "MB", each),
            )

        yield from asyncio.run(measure())


def _fast(door: _Door) -> Generator[Figure, None, None]:
    with _serving(*door.words) as server:

        async def measure() -> tuple[float, float]:
            clients = await _open(server, _CLIENTS)
            loop, chance = asyncio.get_running_loop(), random.Random(0)
            began, cpu, steps = loop.time(), server.cpu, 0

            async def play(client: Client) -> None:
                nonlocal steps
                while loop.time() < began + _SECONDS:
                    await client.ask(door.step(client, chance))
                    steps += 1

            await asyncio.gather(*map(play, clients))
            return steps / (loop.time() - began), steps / (server.cpu - cpu)

        reached, of_cpu = asyncio.run(measure())
    yield Figure(f"{door.name}: steps, {_CLIENTS} clients", reached, "/s", f"{of_cpu:,.0f} for each second of its CPU")


def _with_their_client() -> Generator[Figure, None, None]:
    from openenv.core import GenericEnvClient

    with _serving(*_ALFWORLD.words) as server:

        async def play(number: int) -> int:
            chance, steps = random.Random(number), 0
            async with GenericEnvClient(base_url=server.address) as client:
                answer = await client.reset(seed=number)
                began = time.perf_counter()
                while time.perf_counter() < began + _SECONDS:
                    answer = await client.step({"text": chance.choice(answer.metadata["admissible"])})
                    steps += 1
                    if answer.done:
                        answer = await client.reset(seed=number)
            return steps

        async def measure() -> float:
            return sum(await asyncio.gather(*map(play, range(_CLIENTS)))) / _SECONDS

        reached = asyncio.run(measure())
    yield Figure(
        f"ALFWorld: steps, {_CLIENTS} of OpenEnv's clients in one process", reached, "/s", "they are what is slow"
    )


def figures() -> Generator[Figure, None, None]:
    allow_connections()
    collect_rarely()
    there = find_spec("openenv") is not None and find_spec("fastmcp") is not None
    for door in (_TEXTCRAFT, _ALFWORLD, *([_ECHO] if there else [])):
        yield from _many(door)
    for door in (_ALFWORLD, *([_ECHO] if there else [])):
        yield from _fast(door)
    if there:
        yield from _with_their_client()


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
