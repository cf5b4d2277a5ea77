"""Limits how many calls of one model are in flight, and how many start in a minute."""

import asyncio
from collections import deque
from dataclasses import dataclass

from quintet.messages.quota import Permit, PermitOutcome
from quintet.quota.overload import CountedCall, OverloadDetector

_MINUTE = 60.0

_LONGEST_CLOSED = 300.0
"""Seconds: the longest time without any call to an endpoint that asks for a pause."""

FIRST_CALLS = 16
"""Calls in flight at first, where nothing else is said."""

_DOUBLES_AFTER = 1.0
"""Seconds for which all places are taken before they double, though no call has ended."""


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
        """The part of one shard of a run, whose limits are at least `shards`; the parts of all come to the whole."""
        return RateLimits(*(_part(value, shard, shards) for value in (self.calls, self.requests, self.tokens)))

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
    load: int
    """Calls in flight when it started, itself among them."""
    counts: CountedCall
    counted: bool = False
    """Whether it is among the calls of the last minute."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    permit: Permit
    tokens: int
    entered: "asyncio.Future[None]"


class AdaptiveLimiter:
    """Adaptive concurrency under fixed limits, first come, first served.

    It starts with a few calls in flight. While all of them are used, every answer adds four, so the number quintuples
    with each round of answers, and it doubles with each second, however long calls take. The first overload ends that:
    from then on a whole round of answers adds one, and each overloaded round halves the number, down to one. After a
    `Retry-After` no call starts until that time. A refusal is an overload only if it follows the number of calls in
    flight (see `OverloadDetector`).

    Source: additive increase, multiplicative decrease after a slow start, as TCP does (RFC 5681). Differs: quintuples,
    and grows with time.
    """

    def __init__(self, limits: RateLimits, start: int = FIRST_CALLS) -> None:
        self._limits = limits
        self._most = float(start)
        self._growing = True
        self._full_since: float | None = None
        """While it grows: since when a call has waited for one of its places."""
        self._overload = OverloadDetector()
        self._answered = 0
        """The most calls that were in flight with one that was answered."""
        self._load = 0
        """The most calls that were in flight with one that was refused, since the latest decrease."""
        self._queue: deque[_Waiting] = deque()
        self._in_flight: dict[Permit, _Call] = {}
        self._recent: deque[_Call] = deque()
        """Calls of the last minute, oldest first; those that were never made are skipped when they come first."""
        self._requests = 0
        """How many of them count."""
        self._tokens = 0
        """Of those that count."""
        self._numbers = 0
        self._shrunk_at = 0
        """Number of the last call started before the latest decrease. Earlier calls do not decrease it again."""
        self._closed_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin the next run, once the one before has ended: whatever it left in flight, or waiting, is over."""
        for call in self._in_flight.values():
            call.counts.dropped()
        self._in_flight.clear()
        self._queue.clear()
        self._full_since = None
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

    def sustained(self, before: int) -> int:
        """How many calls at once the model sustains, which sustained so many before.

        Found out by the latest overload, or else as many as were in flight with one that was answered, if more.
        """
        return max(before, self._answered) if self._growing else self.most

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
            raise  # what still waits in the queue is skipped there: to find it would cost all that wait

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
            self._discount(call)
        elif call.counted:
            used = 0 if outcome in ("overloaded", "refused") else call.tokens if tokens is None else tokens
            self._tokens += used - call.tokens
            call.tokens = used
        if outcome in ("answered", "overloaded"):
            call.counts.ended(refused=outcome == "overloaded")
        else:
            call.counts.dropped()
        if outcome == "answered":
            self._answered = max(self._answered, call.load)
            self._grow()
        elif outcome == "overloaded":
            self._refused(call, retry_after)
        self._admit()

    def _grow(self) -> None:
        if len(self._in_flight) + 1 >= int(self._most):  # the call that just ended was one of them
            self._most += 4.0 if self._growing else 1.0 / self._most

    def _refused(self, call: _Call, retry_after: float | None) -> None:
        if retry_after is not None:
            closed = min(retry_after, _LONGEST_CLOSED)  # after that, calls find out whether it still holds
            self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + closed)
        self._load = max(self._load, call.load, len(self._in_flight) + 1)
        if call.number > self._shrunk_at and self._overload.is_overload(call.load):
            self._growing = False
            self._shrunk_at = self._numbers
            self._most = max(1.0, min(self._most, self._load) / 2)
            self._load = 0
            self._overload.cut()

    def _discount(self, call: _Call) -> None:
        if call.counted:
            call.counted = False
            self._requests -= 1
            self._tokens -= call.tokens

    def _admit(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._queue:
            waiting = self._queue[0]
            if waiting.entered.cancelled():
                self._queue.popleft()
                continue
            wait = self._room_in(now, waiting.tokens)
            if wait:
                self._admit_at(now + wait)
                return
            if wait is None:
                return
            self._queue.popleft()
            self._start(waiting, now)
        self._full_since = None

    def _start(self, waiting: _Waiting, now: float) -> None:
        self._numbers += 1
        load = len(self._in_flight) + 1
        call = _Call(waiting.tokens, now, self._numbers, load, self._overload.started(load))
        self._in_flight[waiting.permit] = call
        if self._limits.requests is not None or self._limits.tokens is not None:
            call.counted = True
            self._recent.append(call)
            self._requests += 1
            self._tokens += call.tokens
        waiting.entered.set_result(None)

    def _room_in(self, now: float, tokens: int) -> float | None:
        """Seconds until there may be room for a call; None: not before another call ends."""
        if len(self._in_flight) >= self.most and (wait := self._grown_in(now)) != 0.0:
            return wait
        while self._recent and not (self._recent[0].counted and self._recent[0].started + _MINUTE > now):
            self._discount(self._recent.popleft())
        if now < self._closed_until:
            return self._closed_until - now
        too_many = self._limits.requests is not None and self._requests >= self._limits.requests
        too_much = self._limits.tokens is not None and self._tokens + tokens > self._limits.tokens
        if self._recent and (too_many or too_much):
            return self._recent[0].started + _MINUTE - now
        return 0.0

    def _grown_in(self, now: float) -> float | None:
        """Seconds until the places double, which they do at 0; None: not by time alone."""
        if not self._growing or self.most == self._limits.calls:
            return None
        if self._full_since is None:
            self._full_since = now
        wait = self._full_since + _DOUBLES_AFTER - now
        if wait > 0:
            return wait
        self._full_since = None
        self._most *= 2
        return 0.0

    def _admit_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._admit)
