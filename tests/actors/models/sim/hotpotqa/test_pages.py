"""What is known of pages after some steps, in the words of each release."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.sim.hotpotqa.pages import mentions, names_same, notebook_after, sentences_in
from quintet.models.sim.hotpotqa.task import read_reading_exchange
from quintet.models.sim.transcript import Exchange


def known(*steps: tuple[str, str]) -> list[Exchange]:
    return [read_reading_exchange(f"Action: {action}", said) for action, said in steps]


@pytest.mark.parametrize(
    "said",
    [
        "Could not find Orn. Similar: ['Orn (town)', \"St. Orn's\"].",
        'Could not find exact match of "Orn". Available entities in the database: "Orn (town)", "St. Orn\'s". Mind it.',
        "Could not find [Orn]. Similar: ['Orn (town)', \"St. Orn's\"]",
    ],
)
def test_what_is_not_found_offers_similar_titles(said: str) -> None:
    book = notebook_after(known(("search[Orn]", said)))
    assert book.missing == {"orn": ("Orn (town)", "St. Orn's")}
    assert book.tried("Orn")
    assert not book.pages


def test_a_page_grows_by_what_is_looked_up() -> None:
    book = notebook_after(
        known(
            ("search[Orn]", "Orn is a town. It has a port."),
            ("lookup[mill]", "(Result 1 / 2) A mill stands there."),
            ("lookup[mill]", "(Result 2 / 2) The mill is old."),
            ("lookup[ship]", "No more results."),
        )
    )
    assert book.pages["orn"].sentences == [
        "Orn is a town.",
        "It has a port.",
        "A mill stands there.",
        "The mill is old.",
    ]
    assert book.pages["orn"].looked_up == {"mill", "ship"}


def test_dates_behind_a_name_are_birth_and_death() -> None:
    book = notebook_after(known(("search[Ada Lorn]", "Ada Lorn (4 March 1931 - 19 July 2002) was a painter.")))
    assert book.pages["ada lorn"].sentences == ["Ada Lorn (born 4 March 1931, died 19 July 2002) was a painter."]


@pytest.mark.parametrize("blank", ["", "Invalid action: search[Orn]"])
def test_nothing_is_known_of_what_was_not_answered(blank: str) -> None:
    book = notebook_after(known(("search[Orn]", blank)))
    assert not book.pages
    assert not book.tried("Orn")


def test_the_answer_that_was_given_is_known() -> None:
    assert notebook_after(known(("finish[Orn]", "The task has ended."))).answer == "Orn"


def test_sentences_do_not_end_at_initials_and_abbreviations() -> None:
    assert sentences_in("J. R. Lorn met Dr. Hollow in St. Orn. They left.") == (
        "J. R. Lorn met Dr. Hollow in St. Orn.",
        "They left.",
    )


def test_brackets_at_the_end_only_tell_namesakes_apart() -> None:
    assert names_same("Tidewater", "Tidewater (opera)")
    assert names_same("The Salt Road", "Salt Road")
    assert not names_same("Tidewater (opera)", "Tidewater (film)")
    assert mentions("It passes the Salt Road twice.", "The Salt Road (novel)")
    assert not mentions("It passes Saltroad.", "Salt Road")


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_answer_to_any_action_is_read(said: str, action: str) -> None:
    notebook_after(known((f"search[{action}]", said), (f"lookup[{action}]", said), (action, said)))
