"""The log of what a scenario's model is asked and answers. It survives the processes that write it."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

_LOG = "requests.log"


class Entry(Struct, frozen=True, kw_only=True):
    """A line of the log, written before anything is answered."""

    digest: str
    """Of the request, which has the call's seed in it."""
    answered: bool
    """Whether a completion was made of it; else it was asked."""
    tokens: int = 0
    """Of the completion and its prompt."""


def open_log(folder: Path) -> int:
    """Open the log of a scenario to append to it; its file descriptor."""
    return os.open(folder / _LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def write_entry(log: int, entry: Entry) -> None:
    """Append an entry."""
    os.write(log, msgspec.json.encode(entry) + b"\n")


def read_log(folder: Path) -> Sequence[Entry]:
    """All entries so far, in order."""
    file = folder / _LOG
    return [_decode(line) for line in file.read_bytes().splitlines()] if file.exists() else []


_decode = msgspec.json.Decoder(Entry).decode


def asked(entries: Sequence[Entry]) -> Counter[str]:
    """How often each request came."""
    return Counter(entry.digest for entry in entries if not entry.answered)
