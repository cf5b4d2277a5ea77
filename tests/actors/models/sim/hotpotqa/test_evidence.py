"""Evidence: the sentence that answers, on the page that a name or another page leads to."""

import pytest

from quintet.models.sim.hotpotqa.compare import compared
from quintet.models.sim.hotpotqa.evidence import evidence_in, leads_in
from quintet.models.sim.hotpotqa.pages import Notebook, notebook_after
from quintet.models.sim.hotpotqa.question import read_question
from quintet.models.sim.hotpotqa.task import read_reading_exchange

FILM = "The Kite is a 1998 drama film directed by Ada Lorn and written by Piet Hollow. It was shot near Tessel."
DIRECTOR = "Ada Lorn (born 2 March 1950) is a Velmarian film director. She was born in Orn, a port. She keeps bees."
WRITER = "Piet Hollow (5 May 1941 - 1 June 2003) was a Velmarian writer and painter. He lived in Tessel."
BRIDGE = "Kell Bridge is a bridge of 310 metres over the Tessel. It was opened in 1911."
VIADUCT = "Ostry Viaduct is a bridge of 290 metres in Orn. It was opened in 1902."


def read(**pages: str) -> Notebook:
    return notebook_after(
        read_reading_exchange(f"Action: search[{title.replace('_', ' ')}]", text) for title, text in pages.items()
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In which town was the director of the film The Kite born?", "Orn"),
        ("In what year was the director of The Kite born?", "1950"),
        ("What does the director of The Kite keep?", "bees"),
        ("What is the nationality of the director of The Kite?", "Velmarian"),
    ],
)
def test_the_answer_stands_beside_the_words_that_the_way_does_not_explain(question: str, answer: str) -> None:
    best = evidence_in(read_question(question), read(The_Kite=FILM, Ada_Lorn=DIRECTOR))[0]
    assert (best.answer, best.title, best.hops) == (answer, "Ada Lorn", 2)


def test_one_page_leads_to_the_name_beside_the_words_of_the_question() -> None:
    book = read(The_Kite=FILM)
    names = {"director": "Ada Lorn", "writer": "Piet Hollow"}
    for role, name in names.items():
        assert leads_in(read_question(f"Where was the {role} of The Kite born?"), book)[0].name == name


def test_a_page_that_no_way_leads_to_counts_least() -> None:
    question = read_question("In which town was the director of The Kite born?")
    found = evidence_in(question, read(Ada_Lorn=DIRECTOR))
    assert found
    assert not any(each.complete for each in found)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which was opened first, Kell Bridge or Ostry Viaduct?", "Ostry Viaduct"),
        ("Which bridge is longer, Kell Bridge or Ostry Viaduct?", "Kell Bridge"),
        ("Which was opened later, Kell Bridge or Ostry Viaduct?", "Kell Bridge"),
        ("Who was born first, Ada Lorn or Piet Hollow?", "Piet Hollow"),
        ("Are Ada Lorn and Piet Hollow both painters?", "no"),
        ("Are Ada Lorn and Piet Hollow both Velmarian?", "yes"),
        ("Are Ada Lorn and Piet Hollow of the same nationality?", "yes"),
        ("Which of Ada Lorn or Piet Hollow was a writer?", "Piet Hollow"),
    ],
)
def test_two_things_are_compared_by_what_their_pages_say(question: str, answer: str) -> None:
    book = read(Kell_Bridge=BRIDGE, Ostry_Viaduct=VIADUCT, Ada_Lorn=DIRECTOR, Piet_Hollow=WRITER)
    found = compared(read_question(question), book)
    assert found is not None
    assert found.answer == answer


def test_nothing_is_compared_with_a_page_that_was_not_read() -> None:
    assert compared(read_question("Are Ada Lorn and Piet Hollow both painters?"), read(Ada_Lorn=DIRECTOR)) is None
