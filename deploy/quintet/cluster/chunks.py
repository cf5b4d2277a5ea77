"""Pieces: batches cut to what one Ray call carries well, and put together again where they arrive. No Ray."""

import itertools
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from quintet.errors import Undecodable
from quintet.ports.transport import Batch, HostName

LARGEST = 90_000
"""Bytes in a call. Arguments over 100 KB go through Ray's object store, at many times the cost."""

_SHARE = 128
"""Envelopes in a call. With 500 in one, two hosts took turns instead of working at once, and did a third less."""


class Chunk(Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """A part of an encoded batch, mostly all of it."""

    sender: HostName
    batch: int
    """Unique among its sender's batches."""
    last: bool
    data: bytes


_pieces = msgspec.msgpack.Decoder(Chunk)
_batches = msgspec.msgpack.Decoder(list[bytes])


class Cutter:
    """Cuts one sender's batches."""

    def __init__(self, sender: HostName) -> None:
        self._sender = sender
        self._numbers = itertools.count(1)

    def cut(self, batch: Batch) -> Iterator[bytes]:
        """The batch, encoded, in pieces of about `LARGEST` bytes at most. Each is to arrive before the next is sent."""
        for first in range(0, len(batch), _SHARE):
            share = msgspec.msgpack.encode(batch[first : first + _SHARE])
            number = next(self._numbers)
            for start in range(0, len(share), LARGEST):
                end = start + LARGEST
                piece = Chunk(sender=self._sender, batch=number, last=end >= len(share), data=share[start:end])
                yield msgspec.msgpack.encode(piece)


class Reassembler:
    """Joins the pieces of many senders. Several batches of one sender may be on their way at once."""

    def __init__(self) -> None:
        self._begun: dict[HostName, dict[int, bytearray]] = {}
        self._gone: set[HostName] = set()

    def join(self, data: bytes) -> Batch | None:
        """Take a piece; the batch it completes, if it does.

        Raises:
            Undecodable: the bytes are no piece, or the pieces no batch.
        """
        try:
            piece = _pieces.decode(data)
            begun = self._begun.get(piece.sender, {}).pop(piece.batch, None)
            if begun is None and piece.last:
                return _batches.decode(piece.data)
            begun = (begun or bytearray()) + piece.data
            if piece.last:
                return _batches.decode(begun)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Undecodable(f"expected a piece of a batch: {error}") from error
        if piece.sender not in self._gone:
            self._begun.setdefault(piece.sender, {})[piece.batch] = begun
        return None

    def forget(self, sender: HostName) -> None:
        """The sender died: what it began to send is never completed."""
        self._gone.add(sender)
        self._begun.pop(sender, None)

    def __len__(self) -> int:
        """Batches of which something is missing."""
        return sum(map(len, self._begun.values()))
