import pytest

from quintet.models.sim.alfworld.goal import Goal, Place, read_goal

DESK = Place("desk")


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("put a mug in desk", Goal("mug", target=DESK)),
        ("put some mug on desk.", Goal("mug", target=DESK)),
        ("put a clean mug in desk", Goal("mug", treatment="clean", target=DESK)),
        ("clean some mug and put it in desk", Goal("mug", treatment="clean", target=DESK)),
        ("put a hot mug in desk", Goal("mug", treatment="heat", target=DESK)),
        ("heat some mug and put it in desk", Goal("mug", treatment="heat", target=DESK)),
        ("put a cool mug in desk", Goal("mug", treatment="cool", target=DESK)),
        ("cool some mug and put it in desk", Goal("mug", treatment="cool", target=DESK)),
        ("put two mug in desk", Goal("mug", target=DESK, count=2, shunned=DESK)),
        ("find two mug and put them in desk", Goal("mug", target=DESK, count=2, shunned=DESK)),
        ("look at mug under the desklamp", Goal("mug", lamp="desklamp")),
        ("examine the mug with the desklamp", Goal("mug", lamp="desklamp")),
    ],
)
def test_both_phrasings_of_every_objective_are_read(text: str, goal: Goal) -> None:
    assert read_goal(text) == goal


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("find and take a mug", Goal("mug")),
        ("find and take an apple from the fridge", Goal("apple", sought=Place("fridge"))),
        ("find and take a mug from cabinet 1 to 6", Goal("mug", sought=Place("cabinet", 1, 6))),
        ("Find and take another mug, not from the desk.", Goal("mug", shunned=DESK)),
        ("take mug 1 from shelf 2", Goal("mug", sought=Place("shelf", 2, 2))),
        ("heat the mug with the microwave", Goal("mug", treatment="heat", appliance="microwave")),
        ("clean mug", Goal("mug", treatment="clean")),
        ("put the mug in/on the desk", Goal("mug", target=DESK)),
        ("put the hot mug in/on the desk 1", Goal("mug", treatment="heat", target=Place("desk", 1, 1))),
        ("find and use the desklamp", Goal(None, lamp="desklamp")),
        ("find and use the desklamp on the desk", Goal(None, lamp="desklamp", sought=DESK)),
    ],
)
def test_the_parts_of_a_plan_are_read(text: str, goal: Goal) -> None:
    assert read_goal(text) == goal


@pytest.mark.parametrize("text", ["", "craft beehive", "be kind", "put", "put a mug", "find", "put two", "look at"])
def test_other_texts_are_no_goals(text: str) -> None:
    assert read_goal(text) is None


def test_a_place_covers_its_kind_and_numbers() -> None:
    assert [Place("cabinet", 2, 3).covers(f"cabinet {number}") for number in (1, 2, 3, 4)] == [False, True, True, False]
    assert Place("cabinets").covers("cabinet 9")
    assert not Place("cabinet").covers("drawer 1")
