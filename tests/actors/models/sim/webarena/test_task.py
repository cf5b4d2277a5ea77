import pytest

from quintet.models.sim.webarena.asking import AnswerType
from quintet.models.sim.webarena.task import WebPurpose, read_web_goal


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


def test_what_a_change_enters_is_not_where_it_leads() -> None:
    goal = read_web_goal('Add the Blue Mug to the cart and use the coupon SPRING7, with the note "Thank You"')
    assert goal.values == ("Thank You", "SPRING7")
    assert not goal.given & goal.words
    assert frozenset(("blu", "mug")) in goal.names
