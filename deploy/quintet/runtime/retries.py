"""Patience: how long a model call may take, and how often and after which pauses it is attempted again."""

from dataclasses import dataclass
from random import uniform
from typing import Final

from quintet.errors import DeadlineExceeded, EndpointFailed, Fault, NoAnswer, Overloaded, Unreachable

REPEATED: Final = (Overloaded, Unreachable, EndpointFailed, NoAnswer, DeadlineExceeded)
"""The faults after which a call is attempted again."""

AWAY: Final = (Overloaded, Unreachable)
"""Those that any prompt would have met."""

_STRANGER_TRIES: Final = 4
"""Attempts to reach an endpoint that has never answered: its address is more likely wrong than its server down."""

_SHORTEST, _LONGEST = 0.5, 30.0
"""Seconds of the first pause, and of the longest that we choose ourselves."""


@dataclass(frozen=True)
class RetryPolicy:
    """With a model.

    An attempt that brought nothing (an error of the server, a broken connection, a missed deadline) is repeated
    `repeats` times; then it matters whether the endpoint answers anything else. One that is away is waited for, for
    `seconds` of pauses in all. Pauses double from half a second to thirty, and are never shorter than the endpoint
    asks for.
    """

    deadline: float | None = None
    """Seconds an attempt may take, counted from its permit; None: no limit."""
    repeats: int = 3
    seconds: float = 300.0


class RetryState:
    """How often one call was attempted, and for how long it has waited.

    Args:
        patience: with the model.
    """

    def __init__(self, patience: RetryPolicy) -> None:
        self._patience = patience
        self._failed = 0
        self._unserved = 0
        """Attempts that no endpoint was heard in, or only one that failed."""
        self._waited = 0.0
        """Seconds of pauses for an endpoint that was away."""
        self._pause = _SHORTEST
        self.paused = 0.0
        """Seconds of all pauses."""
        self.answers_others = False
        """The endpoint answered something else since it was last known to be away."""
        self._due = 0.0
        """Seconds to pause before the next attempt."""
        self._lost = 0.0
        """Seconds that the last attempt took."""

    def attempted(self, seconds: float) -> None:
        """Note how long the last attempt took; if another follows, that time brought nothing."""
        self._lost = seconds

    def take_delay(self) -> tuple[float, float]:
        """Seconds to pause before the next attempt, and seconds that the last one took. Both are handed out once."""
        delay = self._due, self._lost
        self._due = self._lost = 0.0
        return delay

    def pause_after(self, fault: Fault, *, known: bool) -> float | None:
        """Seconds until the next attempt; None: there is none.

        Args:
            fault: what the last attempt met.
            known: whether the endpoint has answered any call so far.
        """
        if not isinstance(fault, REPEATED):
            return None
        if isinstance(fault, AWAY):
            return self.wait(fault, known=known)
        self._failed += 1
        self._unserved += 1
        return self._next_pause() if self._failed <= self._patience.repeats else None

    def wait(self, fault: Fault, *, known: bool) -> float | None:
        """Seconds until an endpoint that is away is asked again; None: it was waited for long enough."""
        asked = (fault.retry_after or 0.0) if isinstance(fault, Overloaded) else 0.0
        if not isinstance(fault, Overloaded):
            self._unserved += 1
            if self._unserved >= _STRANGER_TRIES and not known:
                return None
        if self._waited >= self._patience.seconds or asked > self._patience.seconds:
            return None
        pause = self._next_pause(asked)
        self._waited += pause
        return pause

    def begin_again(self) -> None:
        """The endpoint was away and is back: what failed meanwhile says nothing of this call."""
        self._failed = 0
        self.answers_others = False

    def _next_pause(self, asked: float = 0.0) -> float:
        pause = max(asked, self._pause + uniform(0.0, self._pause))  # spread: many calls fail at once
        self._pause = min(_LONGEST, 2 * self._pause)
        self.paused += pause
        self._due = pause
        return pause
