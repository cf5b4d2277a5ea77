"""What goals ask for."""

from quintet.environments.alfworld.engine.goal_spec import goal_spec_of, task_type
from quintet.environments.alfworld.engine.household import Household
from tests.actors.environments.alfworld.homes import CLEAN, COOL, HEAT, LOOK, NEVER, PICK, TWO, home


def test_a_goal_tells_the_type_of_the_task() -> None:
    kinds = {PICK: "pick", LOOK: "look", CLEAN: "clean", HEAT: "heat", COOL: "cool", TWO: "pick two", NEVER: None}
    assert {goal: task_type(home(goal)) for goal in kinds} == kinds


def names(house: Household) -> tuple[set[str], set[str]]:
    wish = goal_spec_of(house)
    assert wish is not None
    owners = house.objects if wish.looking else house.receptacles
    return {house.objects[each] for each in wish.things}, {owners[each] for each in wish.targets}


def test_only_things_that_can_become_what_is_asked_for_are_wanted_and_a_lamp_to_look_at_something() -> None:
    assert names(home(HEAT)) == ({"apple 1", "apple 2"}, {"fridge 1"})
    assert names(home(CLEAN)) == ({"apple 2"}, {"fridge 1"})
    assert names(home(LOOK)) == ({"knife 1"}, {"desklamp 1"})
