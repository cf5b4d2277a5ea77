"""The one draw by which an answer goes wrong."""

import pytest

from quintet.messages.environment import Task
from quintet.models.stand_in.slips import Slips, says, thing_of

TASK = Task(name="beehive", seed=7)
THINGS = [f"get {number} log" for number in range(400)]


def wrong(slips: Slips, goal: str = "craft beehive") -> set[str]:
    return {thing for thing in THINGS if slips.go_wrong(thing, goal)}


def test_a_thing_goes_wrong_at_the_rate_and_at_every_higher_one() -> None:
    few, many = (wrong(Slips(rate, "goal", TASK, None)) for rate in (0.1, 0.3))
    assert few < many
    assert 20 <= len(few) <= 60
    assert not wrong(Slips(0.0, "goal", TASK, None))
    assert len(wrong(Slips(1.0, "goal", TASK, None))) == len(THINGS)


def test_other_words_of_a_goal_are_a_new_draw_or_none() -> None:
    for draw, same in (("goal", False), ("thing", True)):
        slips = Slips(0.2, draw, TASK, None)  # type: ignore[arg-type]
        assert (wrong(slips) == wrong(slips, "fetch what a beehive needs")) is same


@pytest.mark.parametrize("other", [Slips(0.2, "thing", TASK, 3), Slips(0.2, "thing", Task(name="rail", seed=7), None)])
def test_another_seed_or_task_is_a_new_draw(other: Slips) -> None:
    assert wrong(other) != wrong(Slips(0.2, "thing", TASK, None))
    assert wrong(other) == wrong(other)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Next time I do this: get 2 oak logs; craft a beehive.", True),
        ("Get 2 Oak\nlogs first.", True),
        ("get 12 oak logs", False),
        ("get 2 oak logstack", False),
        ("", False),
    ],
)
def test_a_text_names_an_action_by_its_words_in_a_row(text: str, named: bool) -> None:
    assert says(text, "get 2 oak logs") is named


def test_no_text_names_an_action_without_words() -> None:
    assert not says("anything", "...")


@pytest.mark.parametrize(
    ("action", "thing"),
    [("get 2 Oak logs", "get oak logs"), ("go to desk 1", "go to desk"), ("click [12]", "click 12"), ("look", "look")],
)
def test_a_thing_has_no_numbers_unless_they_are_all_that_it_has(action: str, thing: str) -> None:
    assert thing_of(action) == thing
