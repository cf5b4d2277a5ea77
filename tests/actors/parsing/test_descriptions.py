"""Alignments and observations in short as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.descriptions import Alignment, read_alignment, read_condensed
from tests.actors.parsing.styles import Style, styles

ALIGNMENTS, CONDENSED = [*styles("alignment")], [*styles("condensed")]
REASONING = "<think>\nThe action is to wait.\nYES? NO? Short description: a wall.\n</think>\n\n"
WORDS = st.lists(
    st.sampled_from(["take", "the", "mug", "1", "from", "shelf", "2", "and", "hold", "it"]), min_size=1
).map(" ".join)


@pytest.mark.parametrize("style", ALIGNMENTS, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_an_alignment_is_read(style: Style) -> None:
    assert read_alignment(style.text) == Alignment(**style.expected)
    assert read_alignment(REASONING + style.text) == Alignment(**style.expected)


@pytest.mark.parametrize("style", CONDENSED, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_an_observation_in_short_is_read(style: Style) -> None:
    assert read_condensed(style.text) == style.expected["condensed"]
    assert read_condensed(REASONING + style.text) == style.expected["condensed"]


@given(WORDS, st.booleans(), st.sampled_from(["\n", "\n\n", " ", ".\n", ". ", " - "]))
def test_an_answer_in_the_form_is_read_as_it_is_meant(action: str, aligned: bool, between: str) -> None:
    read = read_alignment(f"The action is to {action}{between}{'YES' if aligned else 'NO'}")
    assert read.aligned is aligned
    assert read.description.rstrip(".") == f"The action is to {action}"


@given(st.text())
def test_a_description_is_one_line(text: str) -> None:
    for said in (text, f"The action is to {text}", f"{text}\nYES", f"{text} NO {text}"):
        description = read_alignment(said).description
        assert description == " ".join(description.split())


@given(st.text())
def test_an_observation_in_short_is_never_empty(text: str) -> None:
    for said in (text, f"Short description: {text}"):
        condensed = read_condensed(said)
        assert condensed is None or condensed.strip()
