"""A contract of whole numbers."""

import pytest

from quintet.testing.expectations import expect


def test_it_is_even(case: int) -> None:
    if case == 0:
        pytest.skip("there is nothing")
    expect(case % 2 == 0, "an even number", case)


def test_it_divides_twelve(case: int) -> None:
    if case > 12:
        raise SystemExit("too large")
    if case == 9:
        raise KeyboardInterrupt
    assert 12 // (case - 2) >= 0
