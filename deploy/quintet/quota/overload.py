"""Detects overload: refusals that follow the number of calls in flight, not those that come at any number."""

import math
from collections import defaultdict
from dataclasses import dataclass

_TOLERATED = 0.25
"""The share of refusals from which they always count as overload, whatever concurrency changes."""
_LEAST = 8
"""Calls before that share is looked at."""
_LATEST = 64
_COMPARED = 256
"""Ended calls, or twice those in flight, after which what was counted weighs half: an endpoint may change."""
_CERTAIN = 4.0
"""Standard errors. A run of a hundred thousand calls looks so often that three would be met by chance."""


@dataclass(eq=False)
class _Share:
    keep: int
    in_flight: int = 0
    ended: float = 0.0
    refused: float = 0.0

    @property
    def calls(self) -> float:
        """Those in flight too, as if answered: a refusal comes sooner than an answer."""
        return self.in_flight + self.ended


class CountedCall:
    """A call that counts."""

    __slots__ = ("_shares",)

    def __init__(self, *shares: _Share) -> None:
        self._shares = shares
        for share in shares:
            share.in_flight += 1

    def ended(self, *, refused: bool) -> None:
        """It was made."""
        self.dropped()
        for share in self._shares:
            if share.ended >= max(share.keep, 2 * share.in_flight):
                share.ended, share.refused = share.ended / 2, share.refused / 2
            share.ended += 1
            share.refused += refused

    def dropped(self) -> None:
        """No call was made, or nobody knows what became of it."""
        for share in self._shares:
            share.in_flight -= 1


class OverloadDetector:
    """Counts what becomes of the calls to one model, by how many were in flight."""

    def __init__(self) -> None:
        self._latest = _Share(_LATEST)
        """Of calls since the last cut."""
        self._by_load: defaultdict[int, _Share] = defaultdict(lambda: _Share(_COMPARED))
        """By the binary digits of the number in flight."""

    def started(self, load: int) -> CountedCall:
        """Count a call; so many are in flight with it."""
        return CountedCall(self._latest, self._by_load[load.bit_length()])

    def is_overload(self, load: int) -> bool:
        """Whether fewer calls in flight than these would be refused less.

        They would if most of the latest are refused, or if clearly more are with so many in flight than with fewer. Of
        a rate a minute that is spent all are refused, with any number in flight; nothing but fewer calls helps.
        """
        latest = self._latest
        spread = 2 * math.sqrt(latest.calls * _TOLERATED * (1 - _TOLERATED))
        if latest.calls >= _LEAST and latest.refused > latest.calls * _TOLERATED + spread:
            return True
        digits = load.bit_length()
        fewer = [share for other, share in self._by_load.items() if other < digits]
        here = self._by_load[digits]
        return _clearly_more(
            here.refused, here.calls, sum(share.refused for share in fewer), sum(share.calls for share in fewer)
        )

    def cut(self) -> None:
        """Begin to count the latest anew: fewer calls are in flight from now on."""
        self._latest = _Share(_LATEST)


def _clearly_more(refused: float, calls: float, refused_before: float, before: float) -> bool:
    """Two shares compared by their pooled standard error."""
    if not before:
        return False
    pooled = (refused + refused_before) / (calls + before)
    error = math.sqrt(pooled * (1 - pooled) * (1 / calls + 1 / before))
    return refused / calls - refused_before / before > _CERTAIN * error
