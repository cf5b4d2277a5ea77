"""Counts of requests and answers."""

import pytest

from tests.faulty import counters
from tests.faulty.counters import RequestCounters, Tally


def test_a_repeated_request_is_counted_under_its_digest() -> None:
    counts = RequestCounters()
    counts.count_request("a")
    counts.count_request("b")
    counts.count_completion(counts.count_request("a"))
    assert counts.by_request == {"a": Tally(asked=2, answered=1), "b": Tally(asked=1)}
    assert (counts.distinct_requests, counts.repeated_requests, counts.completions) == (2, 1, 1)


def test_beyond_its_bound_new_requests_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "RECORDED", 1)
    counts = RequestCounters()
    for digest in ("a", "b", "b", "a"):
        counts.count_completion(counts.count_request(digest))
    assert counts.by_request == {"a": Tally(asked=2, answered=2)}
    assert (counts.distinct_requests, counts.repeated_requests, counts.unrecorded_requests) == (1, 1, 2)
    assert counts.completions == 4


def test_the_highest_number_in_flight_is_remembered() -> None:
    counts = RequestCounters()
    with counts.in_progress(), counts.in_progress():
        assert counts.in_flight == 2
    with counts.in_progress():
        pass
    assert (counts.requests, counts.in_flight, counts.highest_in_flight) == (3, 0, 2)
