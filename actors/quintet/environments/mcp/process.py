"""A server's process: messages over its standard input and output, a line each.

The package's own transport keeps a line however long it gets, and does not say why a server ended
(docs/decisions/environments.md).
"""

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import pydantic
from anyio import BrokenResourceError, CancelScope, ClosedResourceError, create_memory_object_stream, create_task_group
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams as TransportStreams  # what a client takes has no public name
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from quintet.environments.guard import NUMBER_FILE, guarded
from quintet.environments.head_and_tail import HeadAndTail

LARGEST_MESSAGE: Final = 16 * 2**20
"""Bytes of a message; a longer one ends the session."""
_KEPT: Final = 2**16
"""Characters that are kept of what it writes to its standard error."""
_PART: Final = 2**16
_GRACE: Final = 2.0
"""Seconds in which it may end by itself when its input is closed, and in which it ends when it is killed."""


class ServerProcess:
    """A server's process, below a guard: it ends with its session, and with this process even if that is killed.

    Args:
        words: its command.
        environment: its variables, all of them.
    """

    def __init__(self, words: Sequence[str], environment: dict[str, str]) -> None:
        self._words = words
        self._environment = environment
        self._said = HeadAndTail(_KEPT)
        self._refused = ""
        self._process: Process | None = None

    async def why_ended(self) -> str:
        """Why it answers no more, in words; all that is kept of its standard error is part of them."""
        if self._refused:
            return self._refused
        ended = "its output ended"
        if self._process is not None and await _ended(self._process):
            ended = f"its process ended with status {self._process.returncode}"
        said = " ".join(self._said.text().split())
        return f"{ended}; its standard error: {said or 'nothing'}"

    @asynccontextmanager
    async def streams(self) -> AsyncGenerator[TransportStreams]:
        """Start it; the streams that a client of the package takes. It is ended with the context.

        Raises:
            OSError: it cannot be started.
        """
        folder = Path(mkdtemp(prefix="quintet-mcp-"))
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *guarded(*self._words, folder=folder),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=self._environment,
                limit=LARGEST_MESSAGE,
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        incoming, read = create_memory_object_stream[SessionMessage | Exception](0)
        write, outgoing = create_memory_object_stream[SessionMessage](0)
        async with create_task_group() as group:
            group.start_soon(self._receive, process, incoming)
            group.start_soon(self._send, process, outgoing)
            group.start_soon(self._keep_said, process)
            try:
                yield read, write
            finally:
                with CancelScope(shield=True):
                    read.close()
                    write.close()
                    await self._end(process, folder)
                group.cancel_scope.cancel()

    async def _receive(self, process: Process, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand on its messages, until one cannot be read; what it writes afterwards is dropped."""
        assert process.stdout is not None
        try:
            async with incoming:
                async for line in process.stdout:
                    await incoming.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
        except (BrokenResourceError, ClosedResourceError):
            pass  # the session has ended
        except pydantic.ValidationError:  # whose text has the line
            self._refused = "expected a message in JSON-RPC on each line of its standard output, got something else"
        except ValueError:
            self._refused = f"expected messages of at most {LARGEST_MESSAGE:,} bytes, got a longer one"
        while await process.stdout.read(_PART):
            pass

    async def _send(self, process: Process, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        assert process.stdin is not None
        async with outgoing:
            async for each in outgoing:
                line = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                with suppress(ConnectionError):  # it has ended, as its output says
                    process.stdin.write(f"{line}\n".encode())
                    await process.stdin.drain()

    async def _keep_said(self, process: Process) -> None:
        assert process.stderr is not None
        while part := await process.stderr.read(_PART):
            self._said.add(part)

    async def _end(self, process: Process, folder: Path) -> None:
        """Close its input, and kill it if it does not end by that; the guard then ends what it started."""
        assert process.stdin is not None
        process.stdin.close()
        if not await _ended(process):
            with suppress(OSError, ValueError):
                _, server = (folder / NUMBER_FILE).read_text().splitlines()[0].split()
                os.kill(int(server), signal.SIGKILL)
            if not await _ended(process):
                process.kill()
                shutil.rmtree(folder, ignore_errors=True)


async def _ended(process: Process) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(_GRACE):
            await process.wait()
            return True
    return False
