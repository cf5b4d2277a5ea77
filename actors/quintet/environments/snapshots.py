"""Snapshots of a world's states: for which task, in which version, and what the state held."""

from hashlib import blake2b
from typing import Generic, TypeVar

import msgspec
from msgspec import Raw, Struct

from quintet.errors import WorldFault
from quintet.messages.environment import Task

_HeldT = TypeVar("_HeldT")

_CHECKED = 8
"""Bytes of the digest that a snapshot begins with."""


class _Written(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    task: Task
    version: str
    held: Raw
    """Decoded once task and version are known to fit: another version may hold something else."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Written).decode


class SnapshotCodec(Generic[_HeldT]):
    """Writes the snapshots of one world, and refuses all others.

    A snapshot is a digest of 8 bytes, and in MessagePack the task, the world's version and what the state held. So a
    world need not check what it reads back: it wrote just that.

    Args:
        world: its name, for errors.
        held: the type of what a state holds beside its task, a Struct.
    """

    def __init__(self, world: str, held: type[_HeldT]) -> None:
        self._world = world
        self._decode_held = msgspec.msgpack.Decoder(held).decode

    def encode(self, task: Task, version: str, held: _HeldT) -> bytes:
        """A snapshot."""
        content = _encode(_Written(task, version, Raw(_encode(held))))
        return _digest(content) + content

    def decode(self, task: Task, version: str, snapshot: bytes) -> _HeldT:
        """What the state held that wrote a snapshot.

        Raises:
            WorldFault: the bytes are damaged, or something else, or of another task or version.
        """
        content = snapshot[_CHECKED:]
        if snapshot[:_CHECKED] != _digest(content):
            raise WorldFault(f"snapshot: expected one of {self._world}, got other or damaged bytes")
        try:
            written = _decode(content)
            for what, got, expected in (("version", written.version, version), ("task", written.task, task)):
                if got != expected:
                    raise WorldFault(f"snapshot: expected one of {what} {expected}, got one of {got} ({self._world})")
            return self._decode_held(written.held)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"snapshot: expected one of {self._world}, got other bytes: {error}") from error


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKED).digest()
