"""Tuples and notes that say nothing, in place of what was recalled: a control for the length of a prompt alone."""

from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.memory import StoredTuple
from quintet.messages.notes import StoredNote

_T = TypeVar("_T", bound=Struct)

_SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
_LONGEST = 4
"""Syllables of a word."""


def random_tuple(found: StoredTuple, seed: int) -> StoredTuple:
    """A tuple whose texts have as many bytes, of made-up words; the same for a seed and an id."""
    fields = ("goal", "evaluation", "summary", "observation", "action")
    return replace(found, tuple=_reworded(found.tuple, _drawn(found.id, seed), *fields))


def random_note(found: StoredNote, seed: int) -> StoredNote:
    """The same of a note."""
    return replace(found, note=_reworded(found.note, _drawn(found.id, seed), "title", "description", "text"))


def _drawn(identifier: int, seed: int) -> Random:
    return Random(f"{seed} {identifier}")


def _reworded(content: _T, drawn: Random, *fields: str) -> _T:
    return replace(content, **{field: _words(len(getattr(content, field).encode()), drawn) for field in fields})


def _words(size: int, drawn: Random) -> str:
    """Made-up words of so many bytes together."""
    words: list[str] = []
    length = 0
    while length < size:
        words.append("".join(drawn.choices(_SYLLABLES, k=drawn.randint(1, _LONGEST))))
        length += len(words[-1]) + 1
    return " ".join(words)[:size].ljust(size, "a")
