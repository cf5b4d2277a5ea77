"""Time left, and how a span of time is written."""

import pytest

from quintet.runs.time_left import duration, seconds_left


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1:00 min"),
        (3599.4, "59:59 min"),
        (3599.7, "1:00 h"),
        (7810, "2:10 h"),
        (4 * 86400, "4 days"),
    ],
)
def test_a_span_has_two_units_at_most(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_time_left_follows_the_pace_so_far() -> None:
    assert seconds_left(6, 3, 12.0) == 24.0
    assert seconds_left(6, 0, 12.0) is None
    assert seconds_left(0, 3, 12.0) == 0
