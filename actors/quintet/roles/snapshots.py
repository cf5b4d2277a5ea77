"""The snapshot that a method holds: a world's bytes, of which task and version, and what was seen then."""

from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec

from quintet.errors import WorldFault, one_line
from quintet.messages.environment import Task

_DIGEST: Final = 8
"""Bytes of the digest that a snapshot begins with."""


class SessionSnapshot(NamedTuple):
    """A session, written down."""

    task: Task
    version: str
    """Of the world."""
    seen: str
    """The observation when it was written."""
    state: bytes
    """What the world wrote."""


def encode_snapshot(snapshot: SessionSnapshot) -> bytes:
    """A snapshot as bytes. Text that is no valid Unicode is kept."""
    task, version, seen, state = snapshot
    content = msgspec.msgpack.encode((task, version, seen.encode(errors="surrogatepass"), state))
    return _digest(content) + content


def decode_snapshot(data: bytes, task: Task, version: str) -> SessionSnapshot:
    """What `encode_snapshot` wrote; a `WorldFault` if it is damaged, or of another task, world or version."""
    content = data[_DIGEST:]
    if data[:_DIGEST] != _digest(content):
        raise WorldFault(f"snapshot: expected what a session wrote, got {len(data)} bytes of something else")
    try:
        of, wrote, seen, state = msgspec.msgpack.decode(content, type=tuple[Task, str, bytes, bytes])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise WorldFault(f"snapshot: expected what a session wrote, got {one_line(error)}") from error
    for what, got, expected in (("version", wrote, version), ("task", of, task)):
        if got != expected:
            raise WorldFault(f"snapshot: expected one of {what} {expected}, got one of {got}")
    return SessionSnapshot(of, wrote, seen.decode(errors="surrogatepass"), state)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()
