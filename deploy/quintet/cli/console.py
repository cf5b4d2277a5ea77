"""Output for people. No error of output ends a run."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from quintet.cli.terminal import escaped, lowest

_WIDE = 400
"""Columns of an output that is no terminal: nothing wraps there."""


class _Console(Console):
    """Escapes what it prints, and raises if the reader is gone, where rich would end the process."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render escaped text, without links."""
        if isinstance(renderable, Text):  # before it is laid out, so that columns stay columns
            renderable = renderable.copy()
            renderable.plain = escaped(renderable.plain)
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else escaped(text), style and style.update_link(None), control)


def console(file: TextIO | None = None, *, stderr: bool = False) -> Console:
    """A console for people, without markup and guessed highlights, since model text may look like either."""
    file = file or lowest(sys.stderr if stderr else sys.stdout)
    made = _Console(file=file, stderr=stderr, markup=False, highlight=False, emoji=False)
    if not made.is_terminal:
        made.width = _WIDE
    return made


def notify(text: str) -> None:
    """Print a line on standard error."""
    with suppress(OSError), flushed(sys.stderr):
        console(stderr=True).print(Text(text), soft_wrap=True)


@contextmanager
def flushed(stream: TextIO | None) -> Generator[None, None, None]:
    """Flush what is written inside.

    Args:
        stream: None if the process began without it.

    Raises:
        OSError: it cannot be flushed; the rest is dropped, or the interpreter's exit would fail on it again.
    """
    try:
        yield
    except BaseException:
        with suppress(OSError):
            _flush(stream)
        raise
    _flush(stream)


def _flush(stream: TextIO | None) -> None:
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        raise
