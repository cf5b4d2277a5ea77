"""A question: its form, the names in it, and the kind of answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.models.sim.hotpotqa.question import Asked, QuestionForm, read_question
from quintet.models.sim.hotpotqa.words import meaning


@pytest.mark.parametrize(
    ("text", "form", "pair"),
    [
        ("Who was born first, Ada Lorn or Piet Hollow?", "either", ("Ada Lorn", "Piet Hollow")),
        ("Are Ada Lorn and Piet Hollow both painters?", "whether", ("Ada Lorn", "Piet Hollow")),
        ("What do Ada Lorn and Piet Hollow have in common?", "shared", ("Ada Lorn", "Piet Hollow")),
        ("Which is older, Kolb and Daughter or the Tessel Line?", "either", ("Kolb and Daughter", "Tessel Line")),
        ("Who wrote the novel Tarn House?", "open", None),
    ],
)
def test_the_form_and_what_is_compared(text: str, form: QuestionForm, pair: tuple[str, str] | None) -> None:
    question = read_question(text)
    assert (question.form, question.pair) == (form, pair)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Who wrote Tarn House?", "person"),
        ("In which town was the author of Tarn House born?", "place"),
        ("In what year was Tarn House published?", "year"),
        ("When was Tarn House published?", "date"),
        ("How many seats has the Tessel Theatre?", "number"),
        ("What is the population of Orn?", "number"),
        ("What nationality is Ada Lorn?", "nationality"),
        ("What was the occupation of Ada Lorn?", "profession"),
        ("Which river flows through Orn?", "thing"),
        ("What does the hand in the mark of Kolb hold?", "thing"),
    ],
)
def test_the_kind_of_answer(text: str, asked: Asked) -> None:
    assert read_question(text).asked == asked


def test_the_noun_that_is_asked_for_need_not_be_explained() -> None:
    question = read_question("Which river flows through the town where Ada Lorn was born?")
    assert question.noun == meaning("river")
    assert question.noun not in question.terms
    assert {"flow", "born"} <= question.terms


def test_prepositions_before_the_answer_and_before_what_leads_on() -> None:
    question = read_question("Near which strait lies the town through which Ada Lorn sailed?")
    assert (question.preposition, question.link) == ("near", "through")


@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    question = read_question(text)
    assert (question.pair is not None) >= (question.form in ("either", "shared"))
