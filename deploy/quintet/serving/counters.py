"""What an endpoint was asked and what it answered, as `/status` shows it."""

from collections.abc import Generator
from contextlib import contextmanager

from msgspec import Struct, field

RECORDED = 1_000_000
"""Different requests that are told apart; those that come after are only counted."""


class Tally(Struct):
    """How often one request came, and how often it was answered with a completion."""

    asked: int = 0
    answered: int = 0


class Counters(Struct):
    """Counts since the endpoint began, all of them of requests for a completion."""

    simulated: bool = True
    requests: int = 0
    completions: int = 0
    """Answered with a completion, those of a `lost` answer among them."""
    by_status: dict[int, int] = field(default_factory=dict[int, int])
    """Answers by HTTP status."""
    faults: dict[str, int] = field(default_factory=dict[str, int])
    """Injected, by kind."""
    in_flight: int = 0
    highest_in_flight: int = 0
    abandoned: int = 0
    """Whose client was gone before the answer."""
    distinct_requests: int = 0
    repeated_requests: int = 0
    """Whose digest had come before."""
    unrecorded_requests: int = 0
    """Whose digest was new when there was no more room to record it."""
    by_request: dict[str, Tally] = field(default_factory=dict[str, Tally])
    """By digest, of every request that could be read and names a model that is served."""

    @contextmanager
    def arrived(self) -> Generator[None, None, None]:
        """A request is in flight as long as this lasts."""
        self.requests += 1
        self.in_flight += 1
        self.highest_in_flight = max(self.highest_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1

    def asked(self, digest: str) -> Tally:
        """Count a request that can be answered.

        Returns:
            Its tally; one that nobody keeps where there is no more room.
        """
        tally = self.by_request.get(digest)
        if tally is not None:
            self.repeated_requests += 1
        else:
            tally = Tally()
            if self.distinct_requests < RECORDED:
                self.by_request[digest] = tally
                self.distinct_requests += 1
            else:
                self.unrecorded_requests += 1
        tally.asked += 1
        return tally

    def answered(self, tally: Tally) -> None:
        """Count a completion that is sent, or would be if it were not to be lost."""
        tally.answered += 1
        self.completions += 1

    def ended(self, status: int) -> None:
        """Count an answer, of whatever kind."""
        self.by_status[status] = self.by_status.get(status, 0) + 1

    def met(self, fault: str) -> None:
        """Count a fault."""
        self.faults[fault] = self.faults.get(fault, 0) + 1
