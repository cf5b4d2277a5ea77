"""A page's own words, made safe for prompts and terminals."""

import re
from typing import Final

LONGEST_NAME: Final = 500
LONGEST_STATIC_TEXT: Final = 2_000
"""Of a StaticText: a comment or a description is read whole."""

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b.?"
)
_SPACE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of writing, and halves of characters."""


def safe_words(words: str, longest: int = LONGEST_NAME) -> str:
    """Words on one line without control characters and escape sequences, cut with `...` to `longest` characters."""
    if not words.isprintable():
        # An escape sequence is removed whole: so a page cannot hide one in what remains of another.
        words = _UNSEEN.sub("", _ESCAPE_SEQUENCE.sub("", _SPACE.sub(" ", words[: 4 * longest])))
    return words if len(words) <= longest else words[: longest - 3] + "..."
