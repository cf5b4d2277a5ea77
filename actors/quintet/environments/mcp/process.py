"""A server's process: messages over its standard input and output, a line each.

The package's own transport keeps a line however long it gets, and does not say why a server ended
(docs/decisions/environments.md).
"""

import asyncio
import logging
import os
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
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

_log = logging.getLogger("quintet.world")

LARGEST_MESSAGE: Final = 16 * 2**20
"""Bytes of a message; a longer one ends the session."""
_KEPT: Final = 2**16
"""Characters that are kept of what it writes to its standard error."""
_SKIPPED: Final = 10_000
"""Lines in a row that are no message, such as a banner or a log; more end the session."""
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
        self._skipped = 0
        self._refused = ""
        self._process: Process | None = None

    @property
    def skipped(self) -> str:
        """What is to be said of lines that were skipped, behind another text; empty: nothing."""
        return f"; lines of its standard output that are no messages: {self._skipped:,}" if self._skipped else ""

    async def why_ended(self) -> str:
        """Why it answers no more, in words; all that is kept of its standard error is part of them."""
        if self._refused:
            return self._refused
        ended = "its output ended"
        if self._process is not None and await _ended(self._process):
            ended = f"its process ended with status {self._process.returncode}"
        said = " ".join(self._said.text().split())
        return f"{ended}{self.skipped}; its standard error: {said or 'nothing'}"

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
        """Hand on its messages, until they end or are too long; what it writes afterwards is dropped.

        Lines that are none are skipped, as the package's own transport does.
        """
        assert process.stdout is not None
        in_a_row = 0
        try:
            async with incoming:
                async for line in process.stdout:
                    if (message := _message(line)) is not None:
                        in_a_row = 0
                        await incoming.send(message)
                        continue
                    _note_skipped(*self._words)
                    self._skipped += 1
                    in_a_row += 1
                    if in_a_row > _SKIPPED:
                        expected = "expected messages in JSON-RPC on the lines of its standard output"
                        self._refused = f"{expected}, got more than {_SKIPPED:,} lines in a row that are none"
                        break
        except (BrokenResourceError, ClosedResourceError):
            pass  # the session has ended
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


def _message(line: bytes) -> SessionMessage | None:
    with suppress(pydantic.ValidationError):
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    return None


@cache
def _note_skipped(program: str, *_: str) -> None:
    """Say it once of a command, which each session starts. The line is not shown: it may have a secret."""
    _log.warning("mcp:%s: skipped a line of its standard output that is no message; others are too", Path(program).name)


async def _ended(process: Process) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(_GRACE):
            await process.wait()
            return True
    return False
