"""Pace: how many calls of one model may be in flight, and how many may begin a minute."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from quintet.messages.quota import Permit, PermitOutcome

_MINUTE = 60.0

_LONGEST_CLOSED = 300.0
"""Seconds for which an endpoint is left alone without being asked again."""

_FIRST = 16
"""Calls in flight that a model is trusted with before it has answered any."""


@dataclass(frozen=True)
class RateLimits:
    """What an endpoint allows; None: no ceiling."""

    calls: int | None = None
    """In flight."""
    requests: int | None = None
    """Begun in any 60 seconds."""
    tokens: int | None = None
    """Of calls begun in any 60 seconds: their upper bound until they are answered, then what they used. A call
    that is larger by itself waits until it is alone."""

    def __str__(self) -> str:
        named = {"calls": self.calls, "requests_per_minute": self.requests, "tokens_per_minute": self.tokens}
        return ", ".join(f"{name} {value}" for name, value in named.items() if value is not None) or "no ceilings"


@dataclass(eq=False)
class _Call:
    tokens: int
    began: float
    number: int
    counted: bool = False
    """Among the calls of the last minute."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    permit: Permit
    tokens: int
    entered: "asyncio.Future[None]"


class AdaptiveLimiter:
    """Adaptive concurrency under ceilings. Who came first goes first.

    It starts with 16 calls in flight; while these are used up, every answer adds two, so the number triples with every
    round of answers. The first sign of overload ends that: from then on a whole round of answers adds one, and each
    overloaded round halves the number, down to one. An endpoint that says when to come back is left alone until then.

    Source: additive increase, multiplicative decrease after a slow start, as TCP does (RFC 5681). Differs: triples.
    """

    def __init__(self, ceilings: RateLimits) -> None:
        self._ceilings = ceilings
        self._most = float(_FIRST)
        self._growing = True
        self._queue: deque[_Waiting] = deque()
        self._in_flight: dict[Permit, _Call] = {}
        self._begun: deque[_Call] = deque()
        """Calls of the last minute, oldest first."""
        self._tokens = 0
        """Of those."""
        self._numbers = 0
        self._shrunk_at = 0
        """The number of the last call begun before the latest decrease: those do not decrease it again."""
        self._closed_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def most(self) -> int:
        """Calls that may be in flight now."""
        ceiling = self._ceilings.calls
        return int(self._most) if ceiling is None else min(int(self._most), ceiling)

    @property
    def in_flight(self) -> int:
        """Permits that were granted and have not returned."""
        return len(self._in_flight)

    @property
    def waiting(self) -> int:
        """Calls that wait for a permit."""
        return len(self._queue)

    async def enter(self, permit: Permit, tokens: int) -> None:
        """Wait for room.

        Args:
            permit: whose call it is.
            tokens: that it may use, an upper bound.
        """
        waiting = _Waiting(permit, tokens, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._admit()
        try:
            await waiting.entered
        except asyncio.CancelledError:
            if permit in self._in_flight:
                self.leave(permit, "unused")
            else:
                with suppress(ValueError):  # passed over already
                    self._queue.remove(waiting)
            raise

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        """A call is over.

        Args:
            permit: one that is not in flight changes nothing.
            outcome: what became of it; one that was never made counts for nothing.
            tokens: that it used; None: its upper bound stands, unless it cost nothing.
            retry_after: seconds in which the endpoint wants to be left alone; at most five minutes are granted.
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
        if len(self._in_flight) + 1 >= int(self._most):  # the call that has just ended was one of them
            self._most += 2.0 if self._growing else 1.0 / self._most

    def _shrink(self, call: _Call, retry_after: float | None) -> None:
        self._growing = False
        if retry_after is not None:
            closed = min(retry_after, _LONGEST_CLOSED)  # others are to find out for themselves what an hour is about
            self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + closed)
        if call.number > self._shrunk_at:
            self._shrunk_at = self._numbers
            self._most = max(1.0, min(self._most, len(self._in_flight) + 1) / 2)

    def _forget(self, call: _Call) -> None:
        if call.counted:
            self._begun.remove(call)
            self._tokens -= call.tokens

    def _admit(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._queue:
            waiting = self._queue[0]
            wait = self._room_in(now, waiting.tokens)
            if wait:
                self._look_again(now + wait)
                return
            if wait is None:
                return
            self._queue.popleft()
            if not waiting.entered.cancelled():
                self._begin(waiting, now)

    def _begin(self, waiting: _Waiting, now: float) -> None:
        self._numbers += 1
        call = _Call(waiting.tokens, now, self._numbers)
        self._in_flight[waiting.permit] = call
        if self._ceilings.requests is not None or self._ceilings.tokens is not None:
            call.counted = True
            self._begun.append(call)
            self._tokens += call.tokens
        waiting.entered.set_result(None)

    def _room_in(self, now: float, tokens: int) -> float | None:
        """Seconds until there may be room for a call; None: not before another one ends."""
        if len(self._in_flight) >= self.most:
            return None
        while self._begun and self._begun[0].began <= now - _MINUTE:
            past = self._begun.popleft()
            past.counted = False
            self._tokens -= past.tokens
        if now < self._closed_until:
            return self._closed_until - now
        too_many = self._ceilings.requests is not None and len(self._begun) >= self._ceilings.requests
        too_much = self._ceilings.tokens is not None and self._tokens + tokens > self._ceilings.tokens
        if self._begun and (too_many or too_much):
            return self._begun[0].began + _MINUTE - now
        return 0.0

    def _look_again(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._admit)
