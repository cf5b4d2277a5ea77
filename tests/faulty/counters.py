"""Counts of an endpoint's requests and answers."""

from collections.abc import Generator
from contextlib import contextmanager

from msgspec import Struct, field

RECORDED = 1_000_000
"""How many different requests are counted one by one; others only in total."""


class Tally(Struct):
    """How often one request came, and how often a completion answered it."""

    asked: int = 0
    answered: int = 0


class RequestCounters(Struct):
    """Counts of requests for a completion since the endpoint started."""

    requests: int = 0
    completions: int = 0
    """Requests answered with a completion, including `lost` answers."""
    by_status: dict[int, int] = field(default_factory=dict[int, int])
    """Answers by HTTP status."""
    faults: dict[str, int] = field(default_factory=dict[str, int])
    """Injected faults by kind."""
    in_flight: int = 0
    highest_in_flight: int = 0
    abandoned: int = 0
    """Requests whose client left before the answer."""
    distinct_requests: int = 0
    repeated_requests: int = 0
    """Requests whose digest had come before."""
    unrecorded_requests: int = 0
    """Requests with a new digest that came when the record was full."""
    by_request: dict[str, Tally] = field(default_factory=dict[str, Tally])
    """By digest, for every valid request that names a served model."""

    @contextmanager
    def in_progress(self) -> Generator[None, None, None]:
        """Count a request as in flight while this lasts."""
        self.requests += 1
        self.in_flight += 1
        self.highest_in_flight = max(self.highest_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1

    def count_request(self, digest: str) -> Tally:
        """Count a request that can be answered.

        Returns:
            Its tally; it is not recorded if the record is full.
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

    def count_completion(self, tally: Tally) -> None:
        """Count a completion that is sent, or dropped by the fault `lost`."""
        tally.answered += 1
        self.completions += 1

    def count_answer(self, status: int) -> None:
        """Count an answer of any kind."""
        self.by_status[status] = self.by_status.get(status, 0) + 1

    def count_fault(self, fault: str) -> None:
        """Count a fault."""
        self.faults[fault] = self.faults.get(fault, 0) + 1
