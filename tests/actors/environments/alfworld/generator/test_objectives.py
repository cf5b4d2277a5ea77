"""What tasks may ask for."""

from typing import get_args

import pytest

from quintet.environments.alfworld.engine.goal_spec import task_type
from quintet.environments.alfworld.generator.objectives import (
    SHORT,
    TASK_TYPES,
    Objective,
    TaskType,
    possible,
)
from quintet.environments.alfworld.generator.rooms import lamps, receptacle_counts, scenes
from quintet.environments.alfworld.generator.tables import RoomKind, things
from tests.actors.environments.alfworld.homes import home

SCENES = [scene for kind in get_args(RoomKind) for unseen in (False, True) for scene in scenes(kind, unseen=unseen)]
SENTENCES = {
    "pick_and_place_simple": ("put a apple in fridge", "put some apple on fridge"),
    "look_at_obj_in_light": ("look at apple under the fridge", "examine the apple with the fridge"),
    "pick_clean_then_place_in_recep": ("put a clean apple in fridge", "clean some apple and put it in fridge"),
    "pick_heat_then_place_in_recep": ("put a hot apple in fridge", "heat some apple and put it in fridge"),
    "pick_cool_then_place_in_recep": ("put a cool apple in fridge", "cool some apple and put it in fridge"),
    "pick_two_obj_and_place": ("put two apple in fridge", "find two apple and put them in fridge"),
}


@pytest.mark.parametrize("kind", TASK_TYPES)
def test_an_objective_has_two_phrasings_and_a_goal_that_is_understood_as_what_it_is(kind: TaskType) -> None:
    objective = Objective(kind, "Apple", "Fridge")
    assert (objective.sentence(0), objective.sentence(1)) == SENTENCES[kind]
    target = "DeskLamp" if kind == "look_at_obj_in_light" else "Fridge"
    assert task_type(home(Objective(kind, "Apple", target).goal())) == SHORT[kind]


@pytest.mark.parametrize("kind", TASK_TYPES)
def test_what_is_asked_for_can_be_done_there(kind: TaskType) -> None:
    for scene in SCENES:
        for objective in possible(kind, scene):
            if kind == "look_at_obj_in_light":
                assert objective.target == "DeskLamp"
                assert lamps(scene) > 0
            else:
                assert objective.target in receptacle_counts(scene)
                assert objective.target in things()[objective.thing].receptacles


def test_things_are_heated_and_cooled_in_kitchens_only_and_not_for_the_appliance_itself() -> None:
    for kind, word, device in (
        ("pick_heat_then_place_in_recep", "heat", "Microwave"),
        ("pick_cool_then_place_in_recep", "cool", "Fridge"),
        ("pick_clean_then_place_in_recep", "clean", "SinkBasin"),
    ):
        for scene in SCENES:
            for objective in possible(kind, scene):
                assert word in things()[objective.thing].allows
                assert objective.target != device
                assert word == "clean" or scene <= 30
