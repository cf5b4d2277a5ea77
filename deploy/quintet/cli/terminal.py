"""Escapes text for terminals: line breaks and tabs stay, every other control character is written out.

Texts of models, worlds and plug-ins reach a person's terminal. There a control character could rename the window, fill
the clipboard, delete earlier output, or show letters in another order.
"""

import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO, cast

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""C0 but for tab and newline, DEL, C1, what directs the order of letters, and halves of a surrogate pair."""


def escape(text: str) -> str:
    r"""`text` with its controls written as `\u001b`: in JSON that is the same text, so JSON may be escaped too."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class EscapedStream:
    """A text stream that escapes control characters, and reports that it is not a terminal."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write it escaped."""
        self.beneath.write(escape(text))
        return len(text)

    def isatty(self) -> bool:
        """False: the styles that a program sends to a terminal would be escaped too."""
        return False

    def __getattr__(self, name: str) -> object:
        return getattr(self.beneath, name)


def unescaped_stream(stream: TextIO | None) -> TextIO | None:
    """The stream beneath all escaping ones, for a caller that escapes texts itself and adds styles."""
    while stream is not None:
        # `rich` has the second name for what is beneath a stream of its own.
        beneath = stream.beneath if isinstance(stream, EscapedStream) else getattr(stream, "rich_proxied_file", None)
        if beneath is None:
            break
        stream = beneath
    return stream


@contextmanager
def escaped_streams() -> Generator[None, None, None]:
    """Escape text printed in the context, and the traceback of an uncaught error in it."""
    before = sys.stdout, sys.stderr
    # A process may begin without its streams; Python has None for them then.
    sys.stdout, sys.stderr = (stream and cast("TextIO", EscapedStream(stream)) for stream in before)
    yield
    sys.stdout, sys.stderr = before
