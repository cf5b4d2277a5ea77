"""The tokens of a call, as the endpoint read and drew them: ids and log-probabilities, packed."""

import struct
from collections.abc import Sequence

from msgspec import Struct

ID_BYTES = 3
"""Of a token id, the lowest byte first."""
LOGPROB_BYTES = 2
"""Of a log-probability: half precision, so that it is off by at most one part in 2,048."""


class CallTokens(Struct, frozen=True, kw_only=True):
    """The tokens of a call. Those of the completion may go on after its text, which ends before a stop sequence.

    Raises:
        ValueError: the bytes are no whole ids, or there is not one log-probability for each token of the completion.
    """

    prompt: bytes
    """Ids, `ID_BYTES` each."""
    completion: bytes
    """Ids, `ID_BYTES` each."""
    logprobs: bytes
    """Of each token of the completion, `LOGPROB_BYTES` each: natural logarithms, as the endpoint reports them."""

    def __post_init__(self) -> None:
        tokens, rest = divmod(len(self.completion), ID_BYTES)
        if rest or len(self.prompt) % ID_BYTES or len(self.logprobs) != tokens * LOGPROB_BYTES:
            raise ValueError(
                f"tokens: expected {ID_BYTES} bytes an id and {LOGPROB_BYTES} a log-probability of the completion, got "
                f"{len(self.prompt)}, {len(self.completion)} and {len(self.logprobs)} bytes"
            )


def pack_ids(ids: Sequence[int]) -> bytes:
    """Pack token ids; an `OverflowError` if one is not in [0, 2**24)."""
    try:
        packed = bytearray(struct.pack(f"<{len(ids)}I", *ids))
    except struct.error as error:
        raise OverflowError(f"token ids: {error}") from error
    if packed[ID_BYTES::4].strip(b"\0"):
        raise OverflowError(f"token ids: expected each below {1 << 8 * ID_BYTES:,}, got {max(ids):,}")
    del packed[ID_BYTES::4]
    return bytes(packed)


def unpack_ids(packed: bytes) -> list[int]:
    """The ids that were packed."""
    wide = bytearray(len(packed) // ID_BYTES * 4)
    for place in range(ID_BYTES):
        wide[place::4] = packed[place::ID_BYTES]
    return list(struct.unpack(f"<{len(wide) // 4}I", wide))


def pack_logprobs(logprobs: Sequence[float]) -> bytes:
    """Pack log-probabilities; an `OverflowError` below -65,504."""
    return struct.pack(f"<{len(logprobs)}e", *logprobs)


def unpack_logprobs(packed: bytes) -> list[float]:
    """The log-probabilities that were packed."""
    return list(struct.unpack(f"<{len(packed) // LOGPROB_BYTES}e", packed))
