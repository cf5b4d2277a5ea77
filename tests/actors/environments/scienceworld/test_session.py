import pytest

from quintet.environments.scienceworld.world import ScienceWorld
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.scienceworld.installed import SHORT, needs_simulator, opened

pytestmark = needs_simulator


def test_the_opening_has_what_is_seen_and_the_goal() -> None:
    opening = opened().opening
    assert opening.goal.startswith("find the animal with the longest life span. The animals are in the ")
    assert opening.observation == f"{opening.setting}\n\nYour task is to {opening.goal}."
    assert opening.setting.startswith("This room is called the ")


def test_the_reward_is_the_score_and_the_packages_way_earns_all_of_it() -> None:
    state = opened()
    outcomes = [state.step(action) for action in state.expert() or ()]
    assert not any(outcome.rejected for outcome in outcomes)
    assert [outcome.done for outcome in outcomes] == [False, False, True]
    assert outcomes[0].figures == {"package_score": outcomes[0].reward}
    assert (state.reward, outcomes[-1].figures) == (1.0, {"package_score": 1.0})
    assert state.step("look around").rejected
    assert (state.expert(), state.admissible()) == ((), ())


def test_focusing_on_another_thing_ends_the_task_with_a_score_of_0_and_keeps_the_reward() -> None:
    state = opened("chemistry-mix-24")
    way = state.expert() or ()
    earned = max(state.step(action).reward for action in way[: len(way) // 2])
    outcome = state.step("focus on air")
    assert (outcome.done, outcome.rejected, outcome.figures) == (True, False, {"package_score": 0.0})
    assert outcome.reward == earned


def test_what_the_simulator_does_not_understand_is_rejected_and_leaves_no_trace() -> None:
    state = opened()
    before = state.snapshot()
    for action in ("", "dance", "go to moon", "\ud800", "a" * 10_000):
        assert state.step(action).rejected
    assert state.snapshot() == before


def test_a_fork_goes_its_own_way() -> None:
    state = opened()
    state.step("open door to hallway")
    fork = state.fork()
    fork.step("go to hallway")
    assert fork.step("look around").observation != state.step("look around").observation
    assert len(fork.actions) == 3


def test_a_snapshot_is_restored_by_repeating_what_was_done() -> None:
    state = opened()
    state.step("open door to hallway")
    restored = ScienceWorld().restore(Task(name=SHORT, seed=0), state.snapshot())
    assert restored.observation == state.observation
    assert restored.step("go to hallway") == state.step("go to hallway")


def test_an_answer_that_differs_in_the_replay_is_a_fault() -> None:
    state = opened()
    state.step("open door to hallway")
    state.digests = (b"another",)
    with pytest.raises(WorldFault, match="action 1, 'open door to hallway': a replay expected the answer"):
        state.fork()


def test_what_is_behind_a_closed_door_is_in_no_possible_action() -> None:
    state = opened("find-non-living-thing-225")
    assert "The large cupboard door is closed." in state.observation
    looks = [action for action in state.admissible() or () if action.startswith("look at ")]
    assert looks
    assert not [action for action in looks if state.step(action).rejected]
    assert not [action for action in state.admissible() or () if action.endswith("in cupboard")]
