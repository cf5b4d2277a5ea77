"""Marks and choices as models write them: the styles were written down before the readers were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.verdicts import HIGHEST_MARK, LOWEST_MARK, read_choice, read_mark
from tests.actors.parsing.styles import Style, styles

OPTIONS = 3
REASONING = "<think>\nMark: 2? Choice: 1? Rather not: 9/10.\n</think>\n\n"
MARKS, CHOICES = [*styles("mark")], [*styles("choice")]


@pytest.mark.parametrize("style", MARKS, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_mark_is_read(style: Style) -> None:
    assert read_mark(style.text) == style.expected["mark"]
    assert read_mark(REASONING + style.text) == style.expected["mark"]


@pytest.mark.parametrize("style", CHOICES, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_choice_is_read(style: Style) -> None:
    assert read_choice(style.text, OPTIONS) == style.expected["choice"]
    assert read_choice(REASONING + style.text, OPTIONS) == style.expected["choice"]


@given(st.text())
def test_whatever_a_text_is_its_mark_lies_on_the_scale_and_its_choice_among_the_options(text: str) -> None:
    for said in (
        text,
        f"Mark: {text}",
        f"Choice: {text}",
        f"I give it a {text}",
        f'{{"mark": {text}, "choice": {text}}}',
    ):
        mark, choice = read_mark(said), read_choice(said, OPTIONS)
        assert mark is None or LOWEST_MARK <= mark <= HIGHEST_MARK
        assert choice in (None, 1, 2, 3)


@given(st.floats())
def test_a_number_is_the_mark_if_it_lies_on_the_scale_and_else_none(number: float) -> None:
    number = float(f"{number:.3f}")
    on_scale = LOWEST_MARK <= number <= HIGHEST_MARK
    assert read_mark(f"Mark: {number:.3f}") == (number if on_scale else None)


@given(st.integers(), st.integers(1, 12))
def test_a_number_is_the_choice_if_it_is_an_option_and_else_none(number: int, options: int) -> None:
    assert read_choice(f"Choice: {number}", options) == (number if 1 <= number <= options else None)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200), st.integers(1, 10))
def test_whatever_the_reasons_are_the_last_line_counts(reasons: str, mark: int) -> None:
    plain = (
        reasons.replace("<", "").replace("{", "").replace("[", "").replace("◁", "").replace("`", "").replace("~", "")
    )
    assert read_mark(f"{plain}\nMark: {mark}") == mark
    assert read_choice(f"{plain}\nChoice: {mark}", 10) == mark
