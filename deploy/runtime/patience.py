"""Patience: how long a model call may take, and how often and after which pauses it is attempted again."""

from collections.abc import Callable
from dataclasses import dataclass
from random import uniform
from typing import Final

from protocols.errors import DeadlineExceeded, Fault, Overloaded, Unanswered, Unreachable

REPEATED: Final = (Overloaded, Unreachable, Unanswered, DeadlineExceeded)
"""The faults after which a call is attempted again."""

_FREE: Final = (Overloaded, Unreachable)
"""Those after which an attempt cost nothing."""

_STRANGER_TRIES: Final = 4
"""Attempts to reach an endpoint that has never answered: its address is more likely wrong than its server down."""

_SHORTEST, _LONGEST = 0.5, 30.0
"""Seconds of the first pause, and of the longest that we choose ourselves."""


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


class Trials:
    """How often one call was attempted, by what it cost.

    Args:
        patience: with the model.
        known: whether its endpoint has answered any call so far.
    """

    def __init__(self, patience: Patience, known: Callable[[], bool]) -> None:
        self._patience = patience
        self._known = known
        self._costly = 0
        self._unreached = 0
        self._waited = 0.0
        """Seconds of pauses after attempts that cost nothing."""
        self._pause = _SHORTEST

    def pause_after(self, fault: Fault) -> float | None:
        """Seconds until the next attempt; None: there is none."""
        asked = (fault.retry_after or 0.0) if isinstance(fault, Overloaded) else 0.0
        pause = max(asked, self._pause + uniform(0.0, self._pause))  # spread: many calls fail at once
        self._pause = min(_LONGEST, 2 * self._pause)
        if not isinstance(fault, _FREE):
            self._costly += 1
            return pause if self._costly <= self._patience.repeats else None
        if isinstance(fault, Unreachable):
            self._unreached += 1
            if self._unreached >= _STRANGER_TRIES and not self._known():
                return None
        if self._waited >= self._patience.seconds or asked > self._patience.seconds:
            return None
        self._waited += pause
        return pause
