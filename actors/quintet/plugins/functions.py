"""A user's function, `FILE.py:F`: where it is, what its code is, and the function itself."""

import re
from collections.abc import Callable
from hashlib import sha256
from inspect import isfunction
from pathlib import Path
from typing import Any, NamedTuple

from quintet.errors import UsageError
from quintet.plugins.members import find_member
from quintet.plugins.objects import OBJECT_IN_FILE
from quintet.plugins.sources import digests, import_root, load_module, read_sources, source_texts


class FunctionPlace(NamedTuple):
    """Where a function is, and what its code was when it was found."""

    place: str
    """`/abs/file.py:F`."""
    sha256: str
    """Of its file with those beside it that it imports."""


def find_function(named: str, label: str) -> FunctionPlace:
    """The place of a function that a person names `FILE.py:F`; nothing of it is imported.

    Args:
        label: what names it, which begins the messages.

    Raises:
        UsageError: it is named otherwise, or its file cannot be read.
    """
    if not re.fullmatch(OBJECT_IN_FILE, named):
        raise UsageError(f"{label}: expected FILE.py:F, got {named!r}")
    file, _, path = named.rpartition(":")
    found = Path(file).expanduser().absolute()
    texts = digests(source_texts(read_sources(found), import_root(found)))
    return FunctionPlace(
        f"{found}:{path}", sha256("".join(f"{name}\0{each}\n" for name, each in texts.items()).encode()).hexdigest()
    )


def load_function(place: str, label: str, of: str) -> Callable[..., Any]:
    """Import a function from its place.

    Args:
        of: what it is a function of, for messages.

    Raises:
        UsageError: its file has no such function, or cannot be imported.
    """
    file, _, path = place.rpartition(":")
    found = find_member(
        load_module(Path(file)), path, where=file, label=label, expected="a function", is_usable=isfunction
    )
    if not callable(found):
        raise UsageError(f"{label}: expected a function of {of}, got {found!r:.80} ({place})")
    return found
