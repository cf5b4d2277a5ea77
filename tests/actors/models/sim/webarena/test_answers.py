import pytest

from quintet.models.sim.webarena.answers import answers_on
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from quintet.models.sim.webarena.task import read_web_goal
from tests.actors.models.sim.webarena.paper_site import TASKS, PaperSite


def page(task: str) -> BrowsedPage:
    read = read_web_page(PaperSite(TASKS[task]).observation)
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("task", "question", "answer"),
    [
        ("read", "How many reviews does the Blue Mug have?", "12"),
        ("read", "What is the price of the Blue Mug?", "$4.00"),
        ("row", "What is the status of order 000000012?", "Shipped"),
        ("count", "How many orders have I placed?", "2"),
    ],
)
def test_an_answer_has_the_form_that_is_asked_for_and_stands_beside_the_questions_words(
    task: str, question: str, answer: str
) -> None:
    best = answers_on(read_web_goal(question), page(task))[0]
    assert best.value == answer
    assert best.sure


@pytest.mark.parametrize("question", ["What is the fax number of the Blue Mug?", "How many wheels does it have?"])
def test_what_the_page_does_not_say_is_no_answer(question: str) -> None:
    assert not any(each.sure for each in answers_on(read_web_goal(question), page("read")))
