"""The server: answers, on the loop of the run, whoever may write in its folder. No client can harm it or another."""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import msgspec

from quintet.control.messages import SOCKET, Command, Refused, Reply, commands, line, short_name

log = logging.getLogger("quintet.control")

_LONGEST = 64 * 1024
"""Bytes of a line."""

_PATIENCE = 60.0
"""Seconds for which a client may say nothing, or not listen."""

_GRACE = 1.0
"""Seconds for which the end of a run waits for answers that are under way."""

Answer: TypeAlias = Callable[[Command], Awaitable[Reply]]


@asynccontextmanager
async def listening(folder: Path, answer: Answer) -> AsyncGenerator[None, None]:
    """Take commands through a socket in a run's folder, of which this process is the one writer.

    A folder in which there can be no socket is said in the log; the run goes on without control.
    """
    path = folder / SOCKET
    clients = _Clients(answer)
    server: asyncio.Server | None = None
    try:
        with short_name(path) as name:
            server = await asyncio.start_unix_server(clients.accept, sock=_bound(name), limit=_LONGEST)
    except OSError as error:
        log.warning("the run cannot be controlled: %s: %s", path, error)
    try:
        yield
    finally:
        if server is not None:
            with suppress(OSError):
                path.unlink()
            server.close()
            await clients.end()


def _bound(name: str) -> socket.socket:
    path = Path(name)
    if path.is_socket():
        path.unlink()  # left by a run that was killed
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(name)
        path.chmod(0o600)  # nobody can connect before it listens
    except BaseException:
        listener.close()
        raise
    return listener


class _Clients:
    """Those that are connected, each served by a task of its own."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._serving: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.Task[None] | None] = set()
        """Of those, the ones whose client has asked nothing."""
        self._ending = False

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer), name="control")
        self._serving.add(task)
        task.add_done_callback(self._left)

    async def end(self) -> None:
        """Send everybody away, those who have asked something with an answer; the last episode may be its subject."""
        self._ending = True
        _cancel(self._serving & self._idle)
        if self._serving:
            await asyncio.wait(self._serving, timeout=_GRACE)
        _cancel(self._serving)
        if self._serving:
            await asyncio.wait(self._serving)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._serving.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            log.error("a command failed", exc_info=bug)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not self._ending:
                said = await self._next_line(reader)
                writer.write(line(await self._reply(said)))
                async with asyncio.timeout(_PATIENCE):
                    await writer.drain()
            writer.close()
        except asyncio.IncompleteReadError:
            writer.close()  # there is nothing more to say
        except asyncio.LimitOverrunError:
            writer.write(line(Refused(reason=f"expected a line of at most {_LONGEST} bytes, got a longer one")))
            writer.close()
        except OSError:
            pass  # whoever it was is gone, or was silent for too long
        finally:
            if not writer.is_closing():
                writer.transport.abort()

    async def _next_line(self, reader: asyncio.StreamReader) -> bytes:
        task = asyncio.current_task()
        self._idle.add(task)
        try:
            async with asyncio.timeout(_PATIENCE):
                return await reader.readuntil(b"\n")
        finally:
            self._idle.discard(task)

    async def _reply(self, said: bytes) -> Reply:
        try:
            command = commands.decode(said)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            return Refused(reason=f"expected a command, got {said[:80]!r}: {error}")
        return await self._answer(command)


def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
