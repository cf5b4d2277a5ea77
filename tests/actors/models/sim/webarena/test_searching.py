import pytest

from quintet.models.sim.webarena.searching import names_something, searches, words_to_search
from quintet.models.sim.webarena.task import read_web_goal


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


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("What is the price of the Tall Copper Kettle", ("Tall Copper Kettle", "Copper Kettle", "Kettle")),
        ("Open the newest post of the forum knitting", ("knitting",)),
        ('Answer the message of wool_fan with "Yes"', ("wool_fan",)),
    ],
)
def test_after_a_search_for_all_words_come_searches_for_fewer(goal: str, words: tuple[str, ...]) -> None:
    assert searches(read_web_goal(goal)) == words
