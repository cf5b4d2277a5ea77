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


def command(*words: object, code: int | None = None) -> Said:
    """Run a command, with streams that take no text but UTF-8; expect the exit code, if one is given."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        ended = main([str(word) for word in words])
    said = Said(ended, *(stream.buffer.getvalue().decode() for stream in (out, err)))
    assert code in (None, ended), said
    return said


def printed(*words: object) -> str:
    """What a command prints that ends with 0."""
    return command(*words, code=0).out


def refused(*words: object) -> str:
    """What a command says that ends with 2."""
    return command(*words, code=2).err
