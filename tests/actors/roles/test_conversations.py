import pytest

from quintet.roles.turn_text import as_sentence


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        ("serve supper", "Goal: serve supper."),
        ("Who made it?", "Goal: Who made it?"),
        ('answer the question "Who made it?"', 'Goal: answer the question "Who made it?"'),
        ("Star it. Then stop.", "Goal: Star it. Then stop."),
    ],
)
def test_a_goal_ends_with_one_sign(goal: str, line: str) -> None:
    assert f"Goal: {as_sentence(goal)}" == line
