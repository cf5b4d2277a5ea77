"""Runs the command line in this process: starting Python and its imports costs more than most commands."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from quintet.cli import main


class Said(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def command(*words: object) -> Said:
    """Run a command, with streams that take no text but UTF-8."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(word) for word in words])
    return Said(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))
