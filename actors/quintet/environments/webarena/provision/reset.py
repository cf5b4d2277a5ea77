"""Runs the command by which a user's sites are reset."""

import asyncio
import os
import shlex
import shutil
import signal
import sys
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO, Final

from quintet.environments import guard
from quintet.errors import UsageError, WorldFault

RESET_SECONDS: Final = 1800.0
"""How long a command may take: the official sites are containers that start anew."""
_LONGEST = 300
_TAIL = 4096
"""Bytes of the output in which its last line is looked for."""


def read_reset(command: str) -> tuple[str, ...]:
    """The words of a command line. No shell reads it: `$NAME`, `|` and `>` mean nothing.

    Raises:
        UsageError: it is empty, or a quote is not closed.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"reset: expected a command, got {error}: {command!r} (webarena)") from error
    if not words:
        raise UsageError("reset: expected a command, got an empty text (webarena)")
    return words


async def run_reset(words: tuple[str, ...], *, seconds: float = RESET_SECONDS) -> None:
    """Run a command to its end; what it started is ended with it if it takes too long, or if this process ends.

    Raises:
        WorldFault: it cannot be started, failed, or took too long; with its last line.
    """
    label = f"webarena: environment.reset: {words[0]}"
    # A file, not a pipe: a server that the command leaves running keeps a pipe open, whose end would never come.
    with TemporaryFile() as output:
        code = await _run(words, output, label, seconds)
        if code:
            raise WorldFault(f"{label}: expected exit code 0, got {code}: {_last_line(output)}")


async def _run(words: tuple[str, ...], output: IO[bytes], label: str, seconds: float) -> int:
    program = shutil.which(words[0])
    if program is None:
        raise WorldFault(f"{label}: expected a command that can be started, got none of that name")
    here = (str(os.getpid()), guard.started_at(os.getpid()), "")
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", guard.__file__, *here, program, *words[1:]),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise WorldFault(f"{label}: expected a command that can be started, got {error.strerror}") from error
    try:
        return await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        raise WorldFault(f"{label}: expected its end within {seconds:g} s, got none") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def _last_line(output: IO[bytes]) -> str:
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL))
    lines = [line.strip() for line in output.read().decode(errors="replace").splitlines() if line.strip()]
    last = lines[-1] if lines else "no output"
    return "".join(sign if sign.isprintable() else "?" for sign in last[:_LONGEST])
