"""Names, titles, dates and numbers in a text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.sim.hotpotqa.names import TextSpanKind, name_spans_in, spans_in


def of_kind(kind: TextSpanKind, text: str) -> list[str]:
    return [span.text for span in spans_in(text) if span.kind == kind]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The film was directed by Ada Lorn and shot in Port Tessel.", ["Ada Lorn", "Port Tessel"]),
        ('Who wrote "The Long Way to Orn"?', ["The Long Way to Orn"]),
        ("She taught at the University of Orn.", ["University of Orn"]),
        ("Under Captain Ada Lorn it sailed north.", ["Ada Lorn"]),
        ("His first play, Nine Ways to Fold a Map, ran for years.", ["Nine Ways to Fold a Map"]),
        ("Was Orn's mayor a painter?", ["Orn"]),
        ("Concerts are given in summer.", []),
        ("In 1950 it was sold.", []),
        ("The Tessel Bridge (1908) and St. Orn Church", ["Tessel Bridge", "St. Orn Church"]),
    ],
)
def test_names_are_capitalized_words_with_what_joins_them(text: str, names: list[str]) -> None:
    assert [span.text.removeprefix("The ") for span in name_spans_in(text)] == [
        name.removeprefix("The ") for name in names
    ]


def test_a_nationality_is_no_name() -> None:
    assert of_kind("adjective", "He was a Velmarian painter.") == ["Velmarian"]
    assert name_spans_in("He was a Velmarian painter.") == ()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("born 2 March 1972 in Orn", ["2 March 1972"]),
        ("opened on March 2, 1972", ["March 2, 1972"]),
        ("from May 1903 to 1911", ["May 1903", "1911"]),
        ("it seats 1,140 people", []),
    ],
)
def test_dates(text: str, dates: list[str]) -> None:
    assert of_kind("date", text) == dates


def test_numbers_in_digits_and_words() -> None:
    assert of_kind("number", "Forty-four bridges, nine of which can be raised, and 1,140 seats") == [
        "Forty-four",
        "nine",
        "1,140",
    ]


@given(st.text(max_size=80))
def test_spans_stand_in_the_text_one_after_the_other(text: str) -> None:
    spans = spans_in(text)
    assert all(span.text in text for span in spans)
    assert all(one.end <= other.first for one, other in pairwise(spans))
