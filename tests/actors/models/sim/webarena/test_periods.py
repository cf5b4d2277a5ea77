from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.models.sim.webarena.periods import Period, period_in


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did I buy in March 2022?", date(2022, 3, 1), date(2022, 3, 31)),
        ("Sales in December 2022 and January 2023 together", date(2022, 12, 1), date(2023, 1, 31)),
        ("the last two months of 2021", date(2021, 11, 1), date(2021, 12, 31)),
        ("the second quarter of 2022", date(2022, 4, 1), date(2022, 6, 30)),
        ("on February 9, 2024", date(2024, 2, 9), date(2024, 2, 9)),
        ("all orders of 2020", date(2020, 1, 1), date(2020, 12, 31)),
    ],
)
def test_days_are_read_from_plain_english(text: str, first: date, last: date) -> None:
    assert period_in(text) == Period(first, last)


@pytest.mark.parametrize(
    "text", ["the mug of 12 parts", "on February 30, 2024", "order 2022", "the first 13 months of 2021"]
)
def test_what_names_no_days_has_no_period(text: str) -> None:
    assert period_in(text) is None


@settings(max_examples=30)
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_any_day_is_read_as_itself(day: date) -> None:
    assert period_in(f"on {day:%B} {day.day}, {day.year}") == Period(day, day)
