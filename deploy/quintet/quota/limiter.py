"""Limits how many calls of one model are in flight, and how many start in a minute."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from quintet.errors import UsageError
from quintet.messages.quota import Permit, PermitOutcome

_MINUTE = 60.0

_LONGEST_CLOSED = 300.0
"""Seconds: the longest time without any call to an endpoint that asks for a pause."""

_FIRST = 16
"""Calls in flight before the model has answered any."""


@dataclass(frozen=True)
class RateLimits:
    """What an endpoint allows; None: no limit."""

    calls: int | None = None
    """In flight."""
    requests: int | None = None
    """Started in any 60 seconds."""
    tokens: int | None = None
    """Of calls started in any 60 seconds: their upper bound until they are answered, then what they used. A call
    that exceeds the limit by itself waits until it is alone."""

    def share(self, shard: int, shards: int) -> "RateLimits":
        """The part of one shard of a run; the parts of all come to the whole."""
        named = {"calls": self.calls, "requests_per_minute": self.requests, "tokens_per_minute": self.tokens}
        for name, value in named.items():
            if value is not None and value < shards:
                raise UsageError(f"limits.{name}: expected at least one for each of {shards} shards, got {value}")
        return RateLimits(*(_part(value, shard, shards) for value in named.values()))

    def __str__(self) -> str:
        named = {"calls": self.calls, "requests_per_minute": self.requests, "tokens_per_minute": self.tokens}
        return ", ".join(f"{name} {value}" for name, value in named.items() if value is not None) or "no limits"


def _part(limit: int | None, shard: int, shards: int) -> int | None:
    return None if limit is None else limit * (shard + 1) // shards - limit * shard // shards


@dataclass(eq=False)
class _Call:
    tokens: int
    started: float
    number: int
    counted: bool = False
    """Whether it is among the calls of the last minute."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    permit: Permit
    tokens: int
    entered: "asyncio.Future[None]"


class AdaptiveLimiter:
    """Adaptive concurrency under fixed limits, first come, first served.

    It starts with 16 calls in flight. While all of them are used, every answer adds four, so the number quintuples
    with each round of answers. The first overload ends that: from then on a whole round of answers adds one, and each
    overloaded round halves the number, down to one. After a `Retry-After` no call starts until that time.

    Source: additive increase, multiplicative decrease after a slow start, as TCP does (RFC 5681). Differs: quintuples.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._most = float(_FIRST)
        self._growing = True
        self._queue: deque[_Waiting] = deque()
        self._in_flight: dict[Permit, _Call] = {}
        self._recent: deque[_Call] = deque()
        """Calls of the last minute, oldest first."""
        self._tokens = 0
        """Of the recent calls."""
        self._numbers = 0
        self._shrunk_at = 0
        """Number of the last call started before the latest decrease. Earlier calls do not decrease it again."""
        self._closed_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin the next run, once the one before has ended: whatever it left in flight, or waiting, is over."""
        self._in_flight.clear()
        self._queue.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def change(self, limits: RateLimits) -> None:
        """Go on under other limits. Calls in flight go on; those of the last minute count if they were counted."""
        self._limits = limits
        if self._queue:
            self._admit()

    @property
    def most(self) -> int:
        """How many calls may be in flight now."""
        limit = self._limits.calls
        return int(self._most) if limit is None else min(int(self._most), limit)

    async def enter(self, permit: Permit, tokens: int) -> None:
        """Wait for room for a call of at most so many tokens."""
        waiting = _Waiting(permit, tokens, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._admit()
        try:
            await waiting.entered
        except asyncio.CancelledError:
            if permit in self._in_flight:
                self.leave(permit, "unused")
            else:
                with suppress(ValueError):  # skipped already
                    self._queue.remove(waiting)
            raise

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        """End a call. Does nothing if it is not in flight.

        Args:
            outcome: `unused`, a call that was never made, does not count.
            tokens: that it used; None: its upper bound stands, unless it cost nothing.
            retry_after: seconds for which the endpoint asks for no calls; at most five minutes are observed.
        """
        call = self._in_flight.pop(permit, None)
        if call is None:
            return
        if outcome == "unused":
            self._forget(call)
        elif call.counted:
            used = 0 if outcome in ("overloaded", "refused") else call.tokens if tokens is None else tokens
            self._tokens += used - call.tokens
            call.tokens = used
        if outcome == "answered":
            self._grow()
        elif outcome == "overloaded":
            self._shrink(call, retry_after)
        self._admit()

    def _grow(self) -> None:
        if len(self._in_flight) + 1 >= int(self._most):  # the call that just ended was one of them
            self._most += 4.0 if self._growing else 1.0 / self._most

    def _shrink(self, call: _Call, retry_after: float | None) -> None:
        self._growing = False
        if retry_after is not None:
            closed = min(retry_after, _LONGEST_CLOSED)  # after that, calls find out whether it still holds
            self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + closed)
        if call.number > self._shrunk_at:
            self._shrunk_at = self._numbers
            self._most = max(1.0, min(self._most, len(self._in_flight) + 1) / 2)

    def _forget(self, call: _Call) -> None:
        if call.counted:
            self._recent.remove(call)
            self._tokens -= call.tokens

    def _admit(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._queue:
            waiting = self._queue[0]
            wait = self._room_in(now, waiting.tokens)
            if wait:
                self._admit_at(now + wait)
                return
            if wait is None:
                return
            self._queue.popleft()
            if not waiting.entered.cancelled():
                self._start(waiting, now)

    def _start(self, waiting: _Waiting, now: float) -> None:
        self._numbers += 1
        call = _Call(waiting.tokens, now, self._numbers)
        self._in_flight[waiting.permit] = call
        if self._limits.requests is not None or self._limits.tokens is not None:
            call.counted = True
            self._recent.append(call)
            self._tokens += call.tokens
        waiting.entered.set_result(None)

    def _room_in(self, now: float, tokens: int) -> float | None:
        """Seconds until there may be room for a call; None: not before another call ends."""
        if len(self._in_flight) >= self.most:
            return None
        while self._recent and self._recent[0].started <= now - _MINUTE:
            expired = self._recent.popleft()
            expired.counted = False
            self._tokens -= expired.tokens
        if now < self._closed_until:
            return self._closed_until - now
        too_many = self._limits.requests is not None and len(self._recent) >= self._limits.requests
        too_much = self._limits.tokens is not None and self._tokens + tokens > self._limits.tokens
        if self._recent and (too_many or too_much):
            return self._recent[0].started + _MINUTE - now
        return 0.0

    def _admit_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._admit)
