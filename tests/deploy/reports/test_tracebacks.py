"""Tracebacks as `show` prints them."""

import traceback

import pytest

from quintet.reports.tracebacks import innermost_first


def _fail() -> None:
    raise KeyError("lost")


def _chained() -> None:
    try:
        _fail()
    except KeyError as error:
        raise ValueError("two\nlines") from error


def test_what_was_raised_comes_first_and_its_cause_after_it_each_with_the_innermost_call_first() -> None:
    with pytest.raises(ValueError, match="two") as caught:
        _chained()
    caught.value.add_note("a note")
    text = "".join(traceback.format_exception(caught.value))
    told = [line.strip() for line in innermost_first(text).splitlines() if "^" not in line]
    heads = [line.rpartition(", ")[2] if line.startswith("File ") else line for line in told]
    assert heads == [
        *("ValueError: two", "lines", "a note"),
        *("in _chained", 'raise ValueError("two\\nlines") from error'),
        *(
            "in test_what_was_raised_comes_first_and_its_cause_after_it_each_with_the_innermost_call_first",
            "_chained()",
        ),
        *("caused by:", "KeyError: 'lost'"),
        *("in _fail", 'raise KeyError("lost")', "in _chained", "_fail()"),
    ]


def test_any_other_text_stays_as_it_is() -> None:
    for text in ("", "no traceback", "before\nTraceback (most recent call last):\n  File x\nError"):
        assert innermost_first(text) == text
