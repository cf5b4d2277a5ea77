"""Types and steps that are named by number, as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.indices import read_comparison, read_index
from tests.actors.parsing.styles import Style, styles

MOST = 4
REASONING = "<think>\n[1]: or 1: or type 1? or step 1?\n</think>\n\n"


@pytest.mark.parametrize("style", [*styles("index")], ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_type_is_read(style: Style) -> None:
    assert read_index(style.text, MOST) == style.expected["index"]
    assert read_index(REASONING + style.text, MOST) == style.expected["index"]


@pytest.mark.parametrize("style", [*styles("comparison")], ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_step_is_read(style: Style) -> None:
    assert read_comparison(style.text, MOST) == style.expected["comparison"]
    assert read_comparison(REASONING + style.text, MOST) == style.expected["comparison"]


@given(st.text(), st.integers(1, 50))
def test_whatever_a_text_is_the_number_is_one_of_those_there_are(text: str, most: int) -> None:
    for said in (text, f"[{text}]: x", f"Type {text}", f"{text}: x", f'{{"type": {text}, "step": {text}}}'):
        assert read_index(said, most) in (None, *range(1, most + 1))
        assert read_comparison(said, most) in (None, *range(1, most + 1))


@given(st.integers(0, 200), st.integers(1, 50), st.text("abc .,:;-", max_size=60))
def test_a_number_that_is_out_of_range_is_none(number: int, most: int, why: str) -> None:
    expected = number if 1 <= number <= most else None
    assert read_index(f"[{number}]: {why}", most) == expected
    assert read_comparison(f"{number}: {why}", most) == expected
