"""What is read of a refusal's headers; the faults themselves are tested with the model."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.endpoint.failures import retry_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def http(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 -0000", "date": http(NOW)}, 7.0),
        ({"retry-after": http(NOW), "date": http(NOW + timedelta(seconds=9))}, 0.0),
        ({"retry-after": "Mon, 01 Jan 9999999999 00:00:00 GMT"}, None),
        ({"x-should-retry": "false"}, None),
    ],
)
def test_seconds_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.integers(0, 10**7))
def test_a_date_is_compared_with_the_servers_own(seconds: int) -> None:
    headers = {"retry-after": http(NOW + timedelta(seconds=seconds)), "date": http(NOW)}
    assert retry_after(headers) == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text() | st.floats().map(str)))
def test_any_headers_make_a_finite_wait_or_none(headers: dict[str, str]) -> None:
    seconds = retry_after(headers)
    assert seconds is None or 0 <= seconds < float("inf")


@given(st.from_regex(r"\w{0,3},? ?\d{0,3} \w{0,3} \d{0,5} \d{0,3}:\d{0,3}:\d{0,3} [+-]?\w{0,5}", fullmatch=True))
def test_anything_like_a_date_is_read_or_not(text: str) -> None:
    seconds = retry_after({"retry-after": text})
    assert seconds is None or seconds >= 0
