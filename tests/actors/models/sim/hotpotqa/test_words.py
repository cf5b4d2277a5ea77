"""Plain English word by word: what means the same, and which words are numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.sim.hotpotqa.words import meaning, meanings_in, number_in, scale_of, word_stem


@pytest.mark.parametrize(
    "alike",
    [
        "directed director",
        "wrote author written",
        "capital capitals",
        "founded founder",
        "born birthplace",
        "violinist violin",
        "breeds breed",
    ],
)
def test_forms_and_groups_of_words_mean_the_same(alike: str) -> None:
    assert len({meaning(word) for word in alike.split()}) == 1


@pytest.mark.parametrize("apart", ["born died", "first largest", "river lake", "directed produced"])
def test_other_words_do_not(apart: str) -> None:
    one, other = apart.split()
    assert meaning(one) != meaning(other)


def test_function_words_and_marks_mean_nothing() -> None:
    assert meanings_in("Which of the two was it, and why?") == {"two"}


@pytest.mark.parametrize(
    ("word", "number"),
    [("1,140", 1140), ("six", 6), ("forty-six", 46), ("900", 900), ("3rd", 3), ("a", None), ("", None)],
)
def test_numbers_are_read_from_digits_and_words(word: str, number: float | None) -> None:
    assert number_in(word) == number


def test_a_scale_multiplies() -> None:
    assert (scale_of("Million"), scale_of("metres")) == (1e6, 1.0)


@given(st.text())
def test_any_word_has_a_stem(word: str) -> None:
    assert word.startswith(word_stem(word)[:-1]) or word_stem(word) in word + "y"
