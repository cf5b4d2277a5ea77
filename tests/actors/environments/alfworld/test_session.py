"""Sessions: winning, forking, and writing down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.session import restore_household
from quintet.errors import WorldFault
from tests.actors.environments.alfworld.homes import HEAT, LOOK, TWO, begin, home, play, start

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


def test_looking_at_something_under_a_lamp_succeeds_on_use_while_holding_it() -> None:
    state = begin(LOOK)
    play(state, "go to countertop 1", "take knife 1 from countertop 1")
    assert play(state, "go to drawer 1", "use desklamp 1").done


def test_or_by_coming_back_to_the_lamp_with_it() -> None:
    state = begin(LOOK)
    play(state, "go to drawer 1", "use desklamp 1", "go to countertop 1", "take knife 1 from countertop 1")
    assert play(state, "go to drawer 1").done


def test_a_goal_that_is_reached_from_the_start_is_noticed_after_any_action() -> None:
    done = begin("(and)").step("nonsense")
    assert (done.observation, done.reward, done.done, done.rejected) == ("Nothing happens.", 1.0, True, True)


@pytest.mark.parametrize("goal", [HEAT, TWO])
def test_the_expert_reaches_the_goal_from_anywhere_on_the_way(goal: str) -> None:
    state = begin(goal)
    for action in ("go to countertop 1", "take bowl 1 from countertop 1", "go to fridge 1"):
        expert = state.fork()
        actions = expert.expert()
        assert actions
        assert play(expert, *actions).done
        play(state, action)


@given(st.data())
def test_a_damaged_snapshot_is_a_fault(data: st.DataObject) -> None:
    whole = bytearray(begin().snapshot())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WorldFault, match="snapshot"):
        restore_household(start(home()), bytes(whole))


@pytest.mark.parametrize(
    ("goal", "changes", "what"),
    [
        (LOOK, {}, "game"),
        (HEAT, {"task": "another"}, "task"),
        (HEAT, {"seed": 1}, "task"),
        (HEAT, {"version": "2"}, "version"),
    ],
)
def test_a_snapshot_of_something_else_is_a_fault(goal: str, changes: dict[str, str], what: str) -> None:
    with pytest.raises(WorldFault, match=f"of {what} "):
        restore_household(start(home(goal), **changes), begin().snapshot())  # type: ignore[arg-type]


def test_equal_situations_are_equal_bytes_however_they_came_about() -> None:
    one, other = begin(), begin()
    play(
        one,
        "go to fridge 1",
        "open fridge 1",
        "go to drawer 1",
        "open drawer 1",
        "go to microwave 1",
        "open microwave 1",
    )
    play(
        other,
        "go to drawer 1",
        "open drawer 1",
        "go to fridge 1",
        "open fridge 1",
        "go to microwave 1",
        "open microwave 1",
    )
    assert one.snapshot() == other.snapshot()
