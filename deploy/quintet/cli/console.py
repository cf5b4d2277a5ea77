"""Output for people. An output error never ends a run."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from quintet.cli.terminal import escape, unescaped_stream

_WIDE = 400
"""Columns without a terminal: so many that nothing wraps."""


class _Console(Console):
    """Escapes what it prints, and raises if the reader is gone; rich would end the process."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render escaped text, without links."""
        if isinstance(renderable, Text):  # before the layout, so that columns stay aligned
            renderable = renderable.copy()
            renderable.plain = escape(renderable.plain)
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else escape(text), style and style.update_link(None), control)


def console(file: TextIO | None = None, *, stderr: bool = False) -> Console:
    """A console for people, without markup and guessed highlights, since model text may look like either."""
    file = file or unescaped_stream(sys.stderr if stderr else sys.stdout)
    made = _Console(file=file, stderr=stderr, markup=False, highlight=False, emoji=False)
    if not made.is_terminal:
        made.width = _WIDE
    return made


def notify(text: str) -> None:
    """Print a line on standard error."""
    with suppress(OSError), flush_at_end(sys.stderr):
        console(stderr=True).print(Text(text), soft_wrap=True)


@contextmanager
def flush_at_end(stream: TextIO | None) -> Generator[None, None, None]:
    """Flush the stream at the end of the context; None if the process began without it.

    Raises:
        OSError: flushing failed; the rest is dropped, or the interpreter would fail on it again at exit.
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
