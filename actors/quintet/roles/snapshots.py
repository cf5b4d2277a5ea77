"""The snapshot that a method holds: a world's bytes, and what was seen when they were written."""

from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec

from quintet.errors import WorldFault, one_line

_DIGEST: Final = 8
"""Bytes of the digest that a snapshot begins with."""


class SessionSnapshot(NamedTuple):
    """A session, written down."""

    seen: str
    """The observation when it was written."""
    state: bytes
    """What the world wrote."""


def encode_snapshot(snapshot: SessionSnapshot) -> bytes:
    """A snapshot as bytes. Text that is no valid Unicode is kept."""
    content = msgspec.msgpack.encode((snapshot.seen.encode(errors="surrogatepass"), snapshot.state))
    return _digest(content) + content


def decode_snapshot(data: bytes) -> SessionSnapshot:
    """The snapshot that `encode_snapshot` wrote.

    Raises:
        WorldFault: the bytes are something else, or damaged.
    """
    content = data[_DIGEST:]
    if data[:_DIGEST] != _digest(content):
        raise WorldFault(f"snapshot: expected what a session wrote, got {len(data)} bytes of something else")
    try:
        seen, state = msgspec.msgpack.decode(content, type=tuple[bytes, bytes])
        return SessionSnapshot(seen.decode(errors="surrogatepass"), state)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise WorldFault(f"snapshot: expected what a session wrote, got {one_line(error)}") from error


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()
