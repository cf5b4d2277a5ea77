"""Answers to questions of yes or no as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.judgements import last_statement, read_verdict
from tests.actors.parsing.styles import Style, styles

STYLES = [*styles("verdict")]
LETTERS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=120)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_verdict_is_read(style: Style) -> None:
    assert read_verdict(style.text) is style.expected["verdict"]
    assert read_verdict(f"<think>\nIs it? YES. NO.\n</think>\n\n{style.text}") is style.expected["verdict"]


@given(LETTERS, st.booleans())
def test_whatever_the_reasons_are_the_last_line_counts(reasons: str, answer: bool) -> None:
    plain = "".join(" " if character in "<{[◁`~|" else character for character in reasons)
    assert read_verdict(f"{plain}\n{'YES' if answer else 'NO'}") is answer


@given(st.booleans(), st.sampled_from([" or ", "/", " / ", " OR ", ", ", " and ", " | ", " "]), st.booleans())
def test_two_words_of_which_one_is_to_be_chosen_say_nothing(first: bool, between: str, small: bool) -> None:
    one, other = ("YES", "NO") if first else ("NO", "YES")
    offered = f"{one}{between}{other}"
    assert read_verdict(offered.lower() if small else offered) is None
    assert read_verdict(f"{offered}\n\n{one}") is first


@given(st.text())
def test_a_statement_stands_where_it_says(text: str) -> None:
    for said in (text, f"{text}\nYES", f"The answer is {text}", f'{{"completed": "{text}"}}'):
        found = last_statement(said)
        assert found is None or 0 <= found.start < len(said)
        assert read_verdict(said) in (True, False, None)
