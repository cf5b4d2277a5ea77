"""What is read from pages of the project's own sites."""

import pytest

from quintet.models.sim.webarena.answers import answers_on
from quintet.models.sim.webarena.task import read_web_goal
from tests.actors.models.sim.webarena.recorded_pages import first_action, page_read


@pytest.mark.parametrize(
    ("page", "question", "answer"),
    [
        ("orders", "How many orders have I placed here altogether", "38"),
        ("orders", "What was the total of the last of my orders that ended up canceled", "$102.95"),
        ("orders", "What is the status of order 000000128", "Pending"),
        ("delivery", "Within how many days may I send back something that I have not used", "45"),
        ("product", "Tell me the price and the SKU of the product that is open", "$75.50, LIT-1210"),
        (
            "dashboard",
            "Which product has been sold most often, and how many times",
            "Castrey Forged Carbon Steel Pruner, 9 in, 12",
        ),
        ("dashboard", "How many reviews still wait to be approved", "14"),
        ("contributors", "Who has made the most commits to this project", "Mira Voss"),
        ("contributors", "Who has made the fewest commits to this project", "Moses Okafor"),
        ("contributors", "What is the email of the person with the second most commits", "yara.feld@fjordmail.example"),
        ("labels", "Which label has the most open issues here", "feature"),
        ("issue", "Who is assigned to this issue", "Elio Bianchi"),
        (
            "more_information",
            "For how long is the Lunden Row Glossy Koa Soprano Ukulele, 23 in guaranteed",
            "2 years",
        ),
        (
            "thread",
            "From which day on can cars use the swing bridge in Harborview again, according to somebody who works "
            "there? Answer with day and month",
            "28 July",
        ),
    ],
)
def test_an_answer_in_view_is_found(page: str, question: str, answer: str) -> None:
    best = answers_on(read_web_goal(question), page_read(page))[0]
    assert best.value == answer
    assert best.sure


@pytest.mark.parametrize(
    ("page", "question"),
    [
        ("orders", "Which order has the highest total"),
        ("orders", "What is the tracking number of my last order"),
        ("product", "What is the fax number of the maker"),
        ("delivery", "What does a gift card cost"),
    ],
)
def test_what_is_not_in_view_is_not_taken_for_an_answer(page: str, question: str) -> None:
    """A list that goes on elsewhere does not show its highest row."""
    assert not any(each.sure for each in answers_on(read_web_goal(question), page_read(page)))


@pytest.mark.parametrize(
    ("page", "goal", "action"),
    [
        ("account", "Where can I change my password? Take me there", "click [87]"),
        ("account", "Show me all my orders", "click [78]"),
        ("orders", "Open order 000000135", "click [154]"),
        ("dashboard", "Open the order 000000148 of Elias Brandt", "click [88]"),
        ("issue", "Show the members of this project", "click [64]"),
        ("product", "Open the reviews of this lamp", "click [121]"),
        ("labels", "List for me nothing but the weather", "type [16] [weather] [1]"),
    ],
)
def test_a_link_with_the_goals_words_is_opened_and_what_no_link_names_is_searched(
    page: str, goal: str, action: str
) -> None:
    assert first_action(page, goal) == action


def test_a_form_takes_the_figure_behind_its_label() -> None:
    goal = "Order 000000144 has left us with Blue Heron Post, tracking number B40417733. Enter that"
    assert first_action("shipment", goal) == "type [174] [B40417733] [0]"


def test_what_no_page_has_ends_with_the_word_for_nothing() -> None:
    assert first_action("nothing_found", "Show me the unicorn saddles").endswith(("[N/A]", "[down]", "[1]"))
