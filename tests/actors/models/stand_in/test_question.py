"""What is left of a goal that is a part of the task's, or the task's own."""

import pytest

from quintet.models.stand_in.copies import Way
from quintet.models.stand_in.question import left_of, part_of

WAY = ("get log", "craft planks", "get string", "craft planks", "craft beehive")


@pytest.mark.parametrize(
    ("goal", "part"),
    [
        ("craft it", 0),
        ("get log", 1),
        ("get log, then craft planks", 2),
        ("get string", 3),
        ("get string, then craft planks", 4),
        ("craft beehive", 5),
    ],
)
def test_a_goal_that_names_actions_ends_with_the_first_of_them_in_a_row(goal: str, part: int) -> None:
    assert part_of(goal, Way(WAY)) == part


def test_a_part_is_reached_once_the_way_is_as_short_as_it_leaves_it() -> None:
    begun = Way(WAY)
    assert left_of("get log, then craft planks", begun, begun) == WAY[:2]
    assert left_of("get log, then craft planks", begun, Way(WAY[1:])) == WAY[1:2]
    assert left_of("get log, then craft planks", begun, Way(WAY[2:])) == ()
    astray = ("go back", *WAY[1:])
    assert left_of("get log, then craft planks", begun, Way(astray)) == astray[:2], "the way back belongs to it"


def test_any_other_goal_is_the_tasks_own() -> None:
    assert left_of("do as you like", Way(WAY), Way(WAY[3:])) == WAY[3:]
    assert left_of("do as you like", Way(WAY), Way(None)) is None
