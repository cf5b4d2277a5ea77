"""Chunks: batches split to a size that one Ray call carries well, and reassembled where they arrive. No Ray."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from quintet.errors import Undecodable
from quintet.ports.transport import Batch, HostName

MAX_CALL_BYTES = 90_000
"""Ray sends arguments over 100 KB through its object store, at many times the cost."""

_MAX_ENVELOPES = 128
"""In one call. With 500, two hosts took turns instead of working at once, and handled a third less."""


class Chunk(Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """A part of an encoded batch, usually all of it."""

    sender: HostName
    batch: int
    """Unique among its sender's batches."""
    last: bool
    data: bytes


_chunks = msgspec.msgpack.Decoder(Chunk)
_batches = msgspec.msgpack.Decoder(list[bytes])


def split(batch: Batch, sender: HostName, numbers: Iterator[int]) -> Iterator[bytes]:
    """Encode a batch in chunks of about `MAX_CALL_BYTES`. Send each only after the one before it has arrived."""
    for first in range(0, len(batch), _MAX_ENVELOPES):
        encoded = msgspec.msgpack.encode(batch[first : first + _MAX_ENVELOPES])
        number = next(numbers)
        for start in range(0, len(encoded), MAX_CALL_BYTES):
            end = start + MAX_CALL_BYTES
            chunk = Chunk(sender=sender, batch=number, last=end >= len(encoded), data=encoded[start:end])
            yield msgspec.msgpack.encode(chunk)


class Reassembler:
    """Rebuilds the batches of many senders. Several batches of one sender may be incomplete at once."""

    def __init__(self) -> None:
        self._incomplete: dict[HostName, dict[int, bytearray]] = {}
        self._dead: set[HostName] = set()

    def add(self, data: bytes) -> Batch | None:
        """Add a chunk, and return the batch that it completes, if any; an `Undecodable` if it is none."""
        try:
            chunk = _chunks.decode(data)
            received = self._incomplete.get(chunk.sender, {}).pop(chunk.batch, None)
            if received is None and chunk.last:
                return _batches.decode(chunk.data)
            received = received or bytearray()
            received += chunk.data
            if chunk.last:
                return _batches.decode(received)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Undecodable(f"expected a chunk of a batch: {error}") from error
        if chunk.sender not in self._dead:
            self._incomplete.setdefault(chunk.sender, {})[chunk.batch] = received
        return None

    def forget(self, sender: HostName) -> None:
        """Drop the incomplete batches of a sender that died."""
        self._dead.add(sender)
        self._incomplete.pop(sender, None)

    def __len__(self) -> int:
        return sum(map(len, self._incomplete.values()))
