"""Sessions: winning, forking, and writing down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.session import AlfWorldState
from quintet.errors import WorldFault
from tests.actors.environments.alfworld.homes import HEAT, LOOK, TWO, begin, home, play

HEATING = (
    *("go to countertop 1", "take apple 2 from countertop 1", "go to microwave 1", "heat apple 2 with microwave 1"),
    *("go to fridge 1", "open fridge 1", "move apple 2 to fridge 1"),
)


def test_the_goal_ends_the_task_and_everything_is_answered_as_then() -> None:
    state = begin()
    outcome = play(state, *HEATING)
    assert (outcome.reward, outcome.done) == (1.0, True)
    for action in ("look", "nonsense", "go to countertop 1"):
        again = state.step(action)
        assert again.observation == outcome.observation == "You move the apple 2 to the fridge 1."
        assert (again.reward, again.done, again.rejected) == (1.0, True, True)
    assert state.admissible() == ()
    assert state.expert() == ()


def test_looking_at_something_under_a_lamp_succeeds_on_use_while_holding_it_or_on_coming_back_with_it() -> None:
    take, use = ("go to countertop 1", "take knife 1 from countertop 1"), ("go to drawer 1", "use desklamp 1")
    assert play(begin(LOOK), *take, *use).done
    assert play(begin(LOOK), *use, *take, use[0]).done


def test_a_goal_that_is_reached_from_the_start_is_noticed_after_any_action() -> None:
    done = begin("(and)").step("nonsense")
    assert (done.observation, done.reward, done.done, done.rejected) == ("Nothing happens.", 1.0, True, True)


@given(st.integers(0, len(HEATING)))
def test_a_snapshot_goes_on_where_it_was_taken(steps: int) -> None:
    house = home()
    state = AlfWorldState(house)
    for action in HEATING[:steps]:
        state.step(action)
    again = AlfWorldState(home())
    again.load(state.snapshot())
    assert again.snapshot() == state.snapshot()
    assert again.admissible() == state.admissible()
    assert [again.step(action) for action in HEATING[steps:]] == [state.step(action) for action in HEATING[steps:]]
    assert again.step("look") == state.step("look")


def test_a_snapshot_of_another_game_is_refused() -> None:
    with pytest.raises(WorldFault, match="expected one of this game"):
        begin(TWO).load(begin(HEAT).snapshot())


def test_equal_situations_are_equal_bytes_however_they_came_about() -> None:
    one, other = begin(), begin()
    for state, names in ((one, ("fridge", "drawer", "microwave")), (other, ("drawer", "fridge", "microwave"))):
        play(state, *(action for name in names for action in (f"go to {name} 1", f"open {name} 1")))
    assert one.snapshot() == other.snapshot()
