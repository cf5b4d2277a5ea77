"""When and how often a model call is attempted again."""

from collections.abc import Callable
from dataclasses import dataclass
from random import uniform
from typing import Final

from quintet.errors import DeadlineExceeded, EndpointFailed, Fault, NoAnswer, Overloaded, Unreachable

RETRIED: Final = (Overloaded, Unreachable, EndpointFailed, NoAnswer, DeadlineExceeded)
"""The faults after which a call is attempted again."""

AWAY: Final = (Overloaded, Unreachable)
"""Those of them that any other prompt would have met too."""

_UNKNOWN_TRIES: Final = 4
"""Attempts to reach an endpoint that has never answered: a wrong address is more likely than a server that is down."""

_SHORTEST, _LONGEST = 0.5, 30.0
"""Seconds of the first pause, and of the longest that we choose ourselves."""


@dataclass(frozen=True)
class RetryPolicy:
    """When and how often a call is attempted again.

    An attempt that brought nothing (an error of the server, a broken connection, a missed deadline) is repeated
    `repeats` times; then it matters whether the endpoint answers anything else. An endpoint that is away is waited for.
    Pauses double from half a second to thirty, and are never shorter than the endpoint asks for.
    """

    deadline: float | None = None
    """Seconds an attempt may take, counted from its permit; None: no limit."""
    repeats: int = 3
    seconds: float = 300.0
    """Of pauses in all, for an endpoint that is away."""


class RetryState:
    """How often one call was attempted, how long it has waited, and whether the endpoint is `known` to answer."""

    def __init__(self, policy: RetryPolicy, *, known: Callable[[], bool]) -> None:
        self._policy = policy
        self._known = known
        self._failed = 0
        self._unreached = 0
        """Attempts in which no endpoint was reached, or only one that failed."""
        self._waited = 0.0
        """Seconds of pauses for an endpoint that was away."""
        self._pause = _SHORTEST
        self.paused = 0.0
        """Seconds of all pauses."""
        self.answers_others = False
        """The endpoint answered another prompt since it was last known to be away."""
        self._due = 0.0
        """Seconds to pause before the next attempt."""
        self._lost = 0.0
        """Seconds that the last attempt took."""

    def attempted(self, seconds: float) -> None:
        """Note how long the last attempt took; if another follows, that time brought nothing."""
        self._lost = seconds

    def take_delay(self) -> tuple[float, float]:
        """Seconds to pause before the next attempt, and seconds that the last one took; each is returned once."""
        delay = self._due, self._lost
        self._due = self._lost = 0.0
        return delay

    def pause_after(self, fault: Fault) -> float | None:
        """Seconds until the next attempt after one that met `fault`; None: there is none."""
        if isinstance(fault, AWAY):
            return self.wait(fault)
        if not isinstance(fault, RETRIED):
            return None
        self._failed += 1
        self._unreached += 1
        return self._next_pause() if self._failed <= self._policy.repeats else None

    def wait(self, fault: Fault) -> float | None:
        """Seconds until an endpoint that is away is asked again; None: it was waited for long enough."""
        asked = (fault.retry_after or 0.0) if isinstance(fault, Overloaded) else 0.0
        if not isinstance(fault, Overloaded):
            self._unreached += 1
            if self._unreached >= _UNKNOWN_TRIES and not self._known():
                return None
        if self._waited >= self._policy.seconds or asked > self._policy.seconds:
            return None
        pause = self._next_pause(asked)
        self._waited += pause
        return pause

    def begin_again(self) -> None:
        """The endpoint was away and is back: earlier failures say nothing about this call."""
        self._failed = 0
        self.answers_others = False

    def _next_pause(self, asked: float = 0.0) -> float:
        pause = max(asked, self._pause + uniform(0.0, self._pause))  # spread: many calls fail at once
        self._pause = min(_LONGEST, 2 * self._pause)
        self.paused += pause
        self._due = pause
        return pause
