"""What goals ask for."""

import pytest

from quintet.environments.alfworld.engine.goal_spec import goal_spec_of, task_type
from quintet.environments.alfworld.engine.household import Household
from tests.actors.environments.alfworld.engine.goals import CLEAN, COOL, PICK
from tests.actors.environments.alfworld.homes import HEAT, LOOK, NEVER, TWO, home


@pytest.mark.parametrize(
    ("goal", "kind"),
    [
        (PICK, "pick"),
        (LOOK, "look"),
        (CLEAN, "clean"),
        (HEAT, "heat"),
        (COOL, "cool"),
        (TWO, "pick two"),
        (NEVER, None),
    ],
)
def test_a_goal_tells_the_type_of_the_task(goal: str, kind: str | None) -> None:
    assert task_type(home(goal)) == kind


def names(house: Household) -> tuple[set[str], set[str]]:
    wish = goal_spec_of(house)
    assert wish is not None
    owners = house.objects if wish.looking else house.receptacles
    return {house.objects[each] for each in wish.things}, {owners[each] for each in wish.targets}


def test_only_things_that_can_become_what_is_asked_for_are_wished() -> None:
    assert names(home(HEAT)) == ({"apple 1", "apple 2"}, {"fridge 1"})
    assert names(home(CLEAN)) == ({"apple 2"}, {"fridge 1"})


def test_to_look_at_something_is_to_wish_for_it_and_a_lamp() -> None:
    assert names(home(LOOK)) == ({"knife 1"}, {"desklamp 1"})
