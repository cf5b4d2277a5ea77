"""The expert, from anywhere."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import admissible, carry_out
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.environments.alfworld.games.dialect import CLASSIC
from tests.actors.environments.alfworld.homes import CLEAN, COOL, FACTS, HEAT, LOOK, NEVER, TWO, home

HOMES = {goal: home(goal) for goal in (HEAT, LOOK, TWO, CLEAN, COOL)}
_CHANGING = ("go", "open", "take", "move", "clean", "heat", "cool", "use")


def after(house: Household, *actions: str) -> HouseholdState:
    now = house.begin
    for action in actions:
        done = carry_out(house, now, action)
        assert done is not None, action
        now = done.now
    return now


def shortest(house: Household, now: HouseholdState, most: int) -> int | None:
    """The length of a shortest way to the goal, found by trying everything."""
    seen, queue = {now}, deque([(now, 0)])
    while queue:
        here, steps = queue.popleft()
        if house.goal.reached(here):
            return steps
        for action in admissible(house, here) if steps < most else ():
            done = carry_out(house, here, action)
            if action.startswith(_CHANGING) and done is not None and done.now not in seen:
                seen.add(done.now)
                queue.append((done.now, steps + 1))
    return None


@pytest.mark.parametrize("goal", [LOOK, CLEAN, COOL])
def test_no_way_is_shorter_at_the_start(goal: str) -> None:
    house = HOMES[goal]
    way = expert_plan(house, house.begin)
    assert way is not None
    assert len(way) == shortest(house, house.begin, most=len(way))


@given(st.sampled_from([LOOK, HEAT, CLEAN, COOL]), st.lists(st.integers(min_value=0, max_value=99), max_size=25))
def test_from_anywhere_it_reaches_the_goal(goal: str, choices: list[int]) -> None:
    house = HOMES[goal]
    now = house.begin
    for choice in choices:
        open_to = admissible(house, now)
        done = carry_out(house, now, open_to[choice % len(open_to)])
        assert done is not None
        now = now if house.goal.reached(done.now) else done.now
    way = expert_plan(house, now)
    if now.held is not None and house.objects[now.held] == "keychain 1" and goal != NEVER:
        assert way is None  # nothing can contain it, so that it is never laid down again
    else:
        assert way is not None
        assert verify_plan(house, now, way) == way


def test_what_is_in_the_hand_is_laid_down_first() -> None:
    house = HOMES[HEAT]
    now = after(house, "go to countertop 1", "take knife 1 from countertop 1")
    way = expert_plan(house, now)
    assert way is not None
    assert way[0] == "move knife 1 to countertop 1"


def test_a_thing_in_two_receptacles_may_have_arrived_while_it_is_held() -> None:
    house = home(CLEAN, facts=FACTS + "(inReceptacle Apple_bar_1 Fridge_bar_1)")
    way = expert_plan(house, house.begin)
    assert way is not None
    assert way[-1].startswith("clean apple")


def test_it_speaks_the_dialect_of_the_game_and_understands_both() -> None:
    house = home(CLEAN, dialect=CLASSIC)
    way = expert_plan(house, house.begin)
    assert way is not None
    assert way[-1].startswith("put apple")
    translated = [action.replace("put ", "move ").replace(" in/on ", " to ") for action in way]
    assert verify_plan(house, house.begin, translated) == way


def test_where_the_goal_cannot_be_reached_it_knows_no_way() -> None:
    for house in (home(NEVER), home(TWO, facts=FACTS.replace("(pickupable Apple_bar_1)", ""))):
        assert expert_plan(house, house.begin) is None


def test_actions_that_cannot_be_carried_out_or_do_not_suffice_are_no_way() -> None:
    house = HOMES[LOOK]
    way = expert_plan(house, house.begin)
    assert way is not None
    assert verify_plan(house, house.begin, way[:-1]) is None
    assert verify_plan(house, house.begin, ("take knife 1 from fridge 1", *way)) is None
