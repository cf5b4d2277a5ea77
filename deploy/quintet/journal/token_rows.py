"""The tokens of calls: a prompt's ids are stored from where they leave those of an earlier call."""

from collections import OrderedDict
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.journal.cells import Count, Row, RowNumber
from quintet.journal.codes import EPISODE_BITS
from quintet.ports.tokens import ID_BYTES, CallTokens

TOKENS_TABLE: Final = """
CREATE TABLE _tokens (             -- of calls whose endpoint returned them
    call INTEGER PRIMARY KEY,      -- in _calls
    base INTEGER NOT NULL,         -- the call with whose tokens, prompt and completion, the prompt begins; 0: none
    shared INTEGER NOT NULL,       -- how many of them
    prompt BLOB NOT NULL,          -- the ids of the prompt after those, three bytes each, the lowest first
    completion BLOB NOT NULL,      -- ids
    logprobs BLOB NOT NULL         -- of the completion's tokens, as floats of 16 bits
);
"""

TOKENS: Final = """
SELECT call, base, shared, prompt, completion, logprobs
FROM (
    WITH RECURSIVE chain(call) AS (
        SELECT call FROM _tokens WHERE call BETWEEN ? AND ?
        UNION SELECT _tokens.base FROM chain JOIN _tokens USING (call) WHERE _tokens.base > 0
    ) SELECT call FROM chain
) JOIN _tokens USING (call)
"""
"""The rows of an episode's calls, and of those that they are read from."""

_BLOCK: Final = 32 * ID_BYTES
_KEPT: Final = 64 * 2**20
"""Bytes of ids that the writer knows. What it forgot is stored again."""


def _count_shared(one: bytes, other: bytes, unit: int) -> int:
    """With how many whole units of so many bytes both begin."""
    same, high = 0, min(len(one), len(other)) // unit
    while same < high:
        middle = (same + high + 1) // 2
        if one[same * unit : middle * unit] == other[same * unit : middle * unit]:
            same = middle
        else:
            high = middle - 1
    return same


class _Known(NamedTuple):
    """A call's tokens, prompt and completion."""

    ids: bytes
    beginnings: list[int]
    """A hash of each beginning that is whole blocks, the shortest first."""


class TokenPrefixes:
    """Finds the call with whose tokens a prompt begins, by the hashes of its blocks, as servers find cached prefixes.

    Args:
        bound: bytes of ids that are kept. Beyond it the oldest calls are forgotten.
    """

    def __init__(self, bound: int = _KEPT) -> None:
        self._bound = bound
        self._bytes = 0
        self._calls: OrderedDict[int, _Known] = OrderedDict()
        self._first: dict[int, int] = {}
        """By the hash of a beginning, the first call that has it: so chains of bases are as long as conversations."""
        self._newest: dict[int, int] = {}
        """By episode, its newest call of those that are kept, since the next one mostly goes on from it."""

    def row(self, call: int, tokens: CallTokens) -> Row:
        """The row of a call's tokens, with which later prompts may begin."""
        prompt = tokens.prompt
        known = self._hashed(call >> EPISODE_BITS, prompt + tokens.completion)
        base, shared = self._find(prompt, known.beginnings[: len(prompt) // _BLOCK])
        new = known.beginnings[self._count_known(known.beginnings) :]
        if not new and shared and shared == len(self._calls[base].ids):
            new = known.beginnings[-1:]  # it goes on from its base by less than a block, and is the better one
        if new:
            self._keep(call, known, new)
        return call, base, shared // ID_BYTES, prompt[shared:], tokens.completion, tokens.logprobs

    def _hashed(self, episode: int, ids: bytes) -> _Known:
        """Hash the beginnings, on from those that the newest call of the episode has too."""
        beginnings = list[int]()
        if (newest := self._newest.get(episode)) is not None:
            near = self._calls[newest]
            beginnings = near.beginnings[: _count_shared(near.ids, ids, _BLOCK)]
        key = beginnings[-1] if beginnings else 0
        for begin in range(len(beginnings) * _BLOCK, len(ids) - _BLOCK + 1, _BLOCK):
            key = hash((key, ids[begin : begin + _BLOCK]))
            beginnings.append(key)
        return _Known(ids, beginnings)

    def _count_known(self, beginnings: list[int]) -> int:
        count = len(beginnings)
        while count and beginnings[count - 1] not in self._first:
            count -= 1
        return count

    def _find(self, prompt: bytes, beginnings: list[int]) -> tuple[int, int]:
        """The call with the longest of the beginnings, and how many bytes of the prompt it begins with; 0: none."""
        if not (count := self._count_known(beginnings)):
            return 0, 0
        base, begin = self._first[beginnings[count - 1]], count * _BLOCK
        ids = self._calls[base].ids
        if ids[:begin] != prompt[:begin]:  # another beginning has the same hash
            return 0, 0
        more = _count_shared(ids[begin : begin + _BLOCK], prompt[begin : begin + _BLOCK], ID_BYTES)
        return base, begin + more * ID_BYTES

    def _keep(self, call: int, known: _Known, beginnings: list[int]) -> None:
        self._first.update(dict.fromkeys(beginnings, call))
        self._calls[call] = known
        self._newest[call >> EPISODE_BITS] = call
        self._bytes += len(known.ids)
        while self._bytes > self._bound:
            oldest, forgotten = self._calls.popitem(last=False)
            self._bytes -= len(forgotten.ids)
            for key in forgotten.beginnings:
                if self._first.get(key) == oldest:
                    del self._first[key]
            if self._newest[oldest >> EPISODE_BITS] == oldest:
                del self._newest[oldest >> EPISODE_BITS]


class TokenRow(NamedTuple):
    """A row of `TOKENS`."""

    call: RowNumber
    base: Count
    shared: Annotated[int, Meta(ge=0, le=2**40)]
    prompt: bytes
    completion: bytes
    logprobs: bytes


class StoredTokens:
    """The tokens of stored calls, put together from rows."""

    def __init__(self) -> None:
        self._rows: dict[int, TokenRow] = {}
        self._prompts: dict[int, bytes] = {}

    def add(self, row: Row) -> None:
        """Add a row of `TOKENS`, in any order."""
        found = msgspec.convert(row, TokenRow, builtin_types=(bytes,))
        self._rows[found.call] = found

    def of(self, call: int) -> CallTokens | None:
        """The tokens of a call; None if it has none; a `msgspec.ValidationError` if a part is missing."""
        row = self._rows.get(call)
        if row is None:
            return None
        try:
            return CallTokens(prompt=self._prompt(row), completion=row.completion, logprobs=row.logprobs)
        except ValueError as error:
            raise msgspec.ValidationError(str(error)) from error

    def _prompt(self, row: TokenRow) -> bytes:
        chain = [row]
        while chain[-1].base and chain[-1].base not in self._prompts:
            base = self._rows.get(chain[-1].base)
            if base is None or base in chain:
                raise msgspec.ValidationError(f"expected the tokens of call {chain[-1].base}, got none")
            chain.append(base)
        for each in reversed(chain):
            before = self._prompts[each.base] + self._rows[each.base].completion if each.base else b""
            self._prompts[each.call] = before[: each.shared * ID_BYTES] + each.prompt
        return self._prompts[row.call]
