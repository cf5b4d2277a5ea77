"""Patience: how long a model call may take, and how often and after which pauses it is attempted again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tenacity import RetryCallState, wait_exponential_jitter

from protocols.errors import DeadlineExceeded, Overloaded, Unanswered, Unreachable

REPEATED: Final = (Overloaded, Unreachable, Unanswered, DeadlineExceeded)
"""The faults after which a call is attempted again."""

_FREE: Final = (Overloaded, Unreachable)
"""Those after which an attempt cost nothing."""

_STRANGER_TRIES: Final = 4
"""Attempts to reach an endpoint that has never answered: its address is more likely wrong than its server down."""

_growing = wait_exponential_jitter(multiplier=0.5, max=30.0, jitter=0.5)


@dataclass(frozen=True)
class Patience:
    """With a model.

    An attempt that may have cost something is repeated `repeats` times, one that cost nothing for as long as `seconds`
    of pauses in all. Pauses double from half a second to thirty, and are never shorter than the endpoint asks for.
    """

    deadline: float | None = None
    """Seconds an attempt may take, counted from its permit; None: no limit."""
    repeats: int = 3
    seconds: float = 300.0

    def pause(self, state: RetryCallState) -> float:
        """Seconds until the next attempt."""
        fault = _fault(state)
        asked = fault.retry_after if isinstance(fault, Overloaded) else None
        return max(_growing(state), asked or 0.0)

    def ended(self, known: bool) -> Callable[[RetryCallState], bool]:
        """Whether there is no further attempt.

        Args:
            known: the endpoint has answered before.
        """

        def ended(state: RetryCallState) -> bool:
            fault = _fault(state)
            if not isinstance(fault, _FREE):
                return state.attempt_number > self.repeats
            if isinstance(fault, Unreachable) and not known:
                return state.attempt_number >= _STRANGER_TRIES
            asked = fault.retry_after if isinstance(fault, Overloaded) else None
            return state.idle_for >= self.seconds or (asked or 0.0) > self.seconds

        return ended


def _fault(state: RetryCallState) -> BaseException | None:
    return None if state.outcome is None else state.outcome.exception()
