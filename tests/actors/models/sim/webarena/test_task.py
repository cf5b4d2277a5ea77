import pytest

from quintet.models.sim.webarena.task import AnswerType, WebPurpose, names_something, read_web_goal, words_to_search


@pytest.mark.parametrize(
    ("goal", "purpose", "asked", "part"),
    [
        ("How many reviews does the Blue Mug have?", "answer", "number", False),
        ("Tell me the email address of Nora", "answer", "email", False),
        ("When was the last order placed", "answer", "date", False),
        ("What does the Copper Kettle cost?", "answer", "money", False),
        ("Show me my orders", "show", "text", False),
        ("Add the Blue Mug to the cart", "change", "text", False),
        ("open: the page of the Blue Mug", "show", "text", True),
        ("find out: how many reviews it has", "answer", "number", True),
        ("do: write a comment", "change", "text", True),
        ("finish: Show me my orders", "show", "text", False),
    ],
)
def test_a_goal_is_read_by_plain_english(goal: str, purpose: WebPurpose, asked: AnswerType, part: bool) -> None:
    read = read_web_goal(goal)
    assert (read.purpose, read.asked, read.part) == (purpose, asked, part)


@pytest.mark.parametrize(
    ("goal", "words", "named"),
    [
        ("What is the price of the Copper Kettle", "Copper Kettle", True),
        ('Search the shop for "walnut"', "walnut", True),
        ("Show me the blankets", "blankets", False),
        ("Which gloves did I buy in March 2022", "buy", False),
    ],
)
def test_what_is_named_is_searched_for(goal: str, words: str, named: bool) -> None:
    read = read_web_goal(goal)
    assert words_to_search(read) == words
    assert names_something(read) == named
