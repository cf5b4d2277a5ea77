"""The server: answers clients on the run's event loop. A client cannot harm the run or other clients.

Anyone who may write to the run's folder may connect.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import msgspec

from quintet.control.messages import (
    CommandRefused,
    ControlCommand,
    ControlReply,
    command_decoder,
    encode_line,
    short_name,
)
from quintet.runs.folder import SOCKET

_log = logging.getLogger("quintet.control")

_LONGEST = 64 * 1024
"""Maximum bytes of a line."""

_IDLE_SECONDS = 60.0
"""How long a client may be silent, or not read."""

_GRACE_SECONDS = 1.0
"""How long the end of a run waits for answers in progress."""

CommandHandler: TypeAlias = Callable[[ControlCommand], Awaitable[ControlReply]]


@asynccontextmanager
async def listen(folder: Path, answer: CommandHandler) -> AsyncGenerator[None, None]:
    """Accept commands through a socket in a run's folder. This process is the folder's only writer.

    If the folder cannot hold a socket, that is logged, and the run continues without control.
    """
    path = folder / SOCKET
    clients = _Clients(answer)
    server: asyncio.Server | None = None
    try:
        with short_name(path) as name:
            server = await asyncio.start_unix_server(clients.accept, sock=_bound(name), limit=_LONGEST)
    except OSError as error:
        _log.warning("the run cannot be controlled: %s: %s", path, error)
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
        path.chmod(0o600)  # before it listens, so that no other user can connect
    except BaseException:
        listener.close()
        raise
    return listener


class _Clients:
    """The connected clients, each served by its own task."""

    def __init__(self, answer: CommandHandler) -> None:
        self._answer = answer
        self._serving: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.Task[None] | None] = set()
        """Tasks whose client has no command in progress."""
        self._ending = False

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer), name="control")
        self._serving.add(task)
        task.add_done_callback(self._on_end)

    async def end(self) -> None:
        """Disconnect all clients. Commands in progress are answered first: one may concern the last episode."""
        self._ending = True
        _cancel(self._serving & self._idle)
        if self._serving:
            await asyncio.wait(self._serving, timeout=_GRACE_SECONDS)
        _cancel(self._serving)
        if self._serving:
            await asyncio.wait(self._serving)

    def _on_end(self, task: asyncio.Task[None]) -> None:
        self._serving.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            _log.error("a command failed", exc_info=bug)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not self._ending:
                text = await self._next_line(reader)
                writer.write(encode_line(await self._reply(text)))
                async with asyncio.timeout(_IDLE_SECONDS):
                    await writer.drain()
            writer.close()
        except asyncio.IncompleteReadError:
            writer.close()  # the client closed the connection
        except asyncio.LimitOverrunError:
            writer.write(
                encode_line(CommandRefused(reason=f"expected a line of at most {_LONGEST} bytes, got a longer one"))
            )
            writer.close()
        except OSError:
            pass  # the client is gone, or was silent for too long
        finally:
            if not writer.is_closing():
                writer.transport.abort()

    async def _next_line(self, reader: asyncio.StreamReader) -> bytes:
        task = asyncio.current_task()
        self._idle.add(task)
        try:
            async with asyncio.timeout(_IDLE_SECONDS):
                return await reader.readuntil(b"\n")
        finally:
            self._idle.discard(task)

    async def _reply(self, text: bytes) -> ControlReply:
        try:
            command = command_decoder.decode(text)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            return CommandRefused(reason=f"expected a command, got {text[:80]!r}: {error}")
        return await self._answer(command)


def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
