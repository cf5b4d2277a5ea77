"""A night of schedules goes on where it was stopped, and sums up what it found."""

import msgspec

from tests.soak.schedules.night import BATCH, Batch, left_of, sum_up


def batch(number: int, **found: object) -> Batch:
    values: dict[str, object] = {
        "seconds": 4.0,
        "cpu_seconds": 2.0,
        "deaths": 3,
        "calls": 50,
        "repeated": 0,
        "broken": {},
        **found,
    }
    return msgspec.convert({"number": number, **values}, Batch)


def test_the_batches_that_are_left_cover_the_seeds_that_are_asked_for() -> None:
    assert left_of([], 1) == [0]
    assert left_of([batch(1)], 3 * BATCH - 1) == [0, 2]


def test_a_summary_shares_the_seconds_by_the_processes_and_names_the_seeds() -> None:
    found = sum_up([batch(0), batch(1, broken={107: ("calls: got 1", "ends: got 2")})], workers=2)
    assert (found.schedules, found.seconds, found.cpu_seconds, found.deaths) == (2 * BATCH, 4.0, 2.0, 6)
    assert found.broken == ("seed 107: calls: got 1",)
    assert "50.0 a second in 2 workers, 20 ms of CPU each." in str(found)
