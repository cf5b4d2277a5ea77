import pytest

from quintet.models.sim.alfworld.beliefs import beliefs_after
from quintet.models.sim.alfworld.picture import Picture
from quintet.models.sim.alfworld.plans import house_plan
from quintet.models.sim.alfworld.scene import Scene
from quintet.models.sim.alfworld.task import HouseTask, read_house_goal
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG
from quintet.ports.model import Sampling

ROOM = ("desk 1", "shelf 1", "fridge 1", "microwave 1", *(f"cabinet {number}" for number in range(1, 11)))


def made(task: HouseTask, *, misled: bool) -> list[str]:
    mind = Mind(STRONG, Chance((), Sampling()), Misreading(0))
    return list(house_plan(Scene(task, Picture(), beliefs_after([], misled=misled), mind, puts=False)).steps)


def steps(goal: str, *, misled: bool = False) -> list[str]:
    read = read_house_goal(goal)
    assert read is not None
    return made(HouseTask(goal, read, ROOM), misled=misled)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("put some egg on desk", ["find and take a egg", "put the egg in/on the desk"]),
        ("look at pen under the desklamp", ["find and take a pen", "find and use the desklamp"]),
        (
            "heat some egg and put it in desk",
            ["find and take a egg", "heat the egg with the microwave", "put the hot egg in/on the desk"],
        ),
        (
            "put two egg in desk",
            ["find and take a egg, not from the desk", "put the egg in/on the desk",
             "find and take another egg, not from the desk", "put the egg in/on the desk"],
        ),
        ("heat the egg", ["find and take a egg", "heat the egg with the microwave"]),
    ],
)  # fmt: skip
def test_a_goal_becomes_its_parts(goal: str, expected: list[str]) -> None:
    assert steps(goal) == expected


def test_a_goal_is_planned_by_its_meaning_not_by_its_words() -> None:
    assert steps("put the hot egg in/on the desk") == steps("heat some egg and put it in desk")


def test_every_step_is_a_goal_that_can_be_read() -> None:
    for goal in ("put two egg in desk", "put a cool egg in desk", "find and take a egg", "find and use the desklamp"):
        assert all(read_house_goal(step) for step in steps(goal))


def test_what_is_to_be_found_is_looked_for_kind_by_kind_and_many_places_by_number() -> None:
    assert steps("find and take a mug, not from the desk")[-2:] == [
        "find and take a mug from the cabinet 1 to 8, not from the desk",
        "find and take a mug from the cabinet 9 to 10, not from the desk",
    ]
    assert not any("from the desk," in step for step in steps("find and take a mug, not from the desk"))


def test_places_that_are_named_are_split_again() -> None:
    assert steps("find and take a mug from the cabinet 1 to 4") == [
        "find and take a mug from the cabinet 1 to 2",
        "find and take a mug from the cabinet 3 to 4",
    ]


def test_a_misled_reader_plans_with_what_it_believes() -> None:
    assert steps("heat the egg", misled=True)[-1] == "heat the egg with the microwave"
    room = (*ROOM, "toaster 1")
    goal = read_house_goal("heat the egg")
    assert goal is not None
    assert made(HouseTask("heat the egg", goal, room), misled=True)[-1] == "heat the egg with the toaster"
