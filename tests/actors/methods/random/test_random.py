import pytest

from quintet.messages.environment import ListActions, Step
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.random.config import RandomConfig
from quintet.methods.random.random import Random
from tests.actors.fakes import Kitchens, Script
from tests.actors.methods.pantry import ACTIONS, Pantry

HARMLESS = ("inventory", "taste", "wait")


def pantry(actions: tuple[str, ...] | None) -> Kitchens:
    return Kitchens(Script({}), world=Pantry(actions))


def test_it_takes_possible_actions_until_the_task_is_solved_and_claims_nothing() -> None:
    roles = pantry(("serve", "wait"))
    solved = roles.solve(Random(RandomConfig()))
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.claimed, solved.depth) == (1.0, True, None, 1)
    assert roles.actions[-1] == "serve"
    assert len(roles.requests(ListActions)) == len(roles.requests(Step))
    assert [turn.completion for turn in solved.turns] == [f"Action: {action}" for action in roles.actions]
    assert solved.turns[-1].observation == "Supper is served."


def test_it_takes_every_possible_action_sooner_or_later() -> None:
    roles = pantry(HARMLESS)
    unsolved = roles.solve(Random(RandomConfig(max_steps=40)))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.reward, unsolved.claimed) == ("out of actions", 0.5, None)
    assert len(roles.actions) == 40
    assert set(roles.actions) == set(HARMLESS)


def test_the_same_episode_takes_the_same_actions_again() -> None:
    first, again = pantry(ACTIONS), pantry(ACTIONS)
    assert first.solve(Random(RandomConfig())) == again.solve(Random(RandomConfig()))
    assert first.actions == again.actions


def test_a_task_that_ends_badly_is_unsolved() -> None:
    unsolved = pantry(("burn",)).solve(Random(RandomConfig()))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.done, unsolved.reason) == (True, "the world is done without success")


@pytest.mark.parametrize(
    ("actions", "reason"), [(None, "the world cannot list its actions"), ((), "no action is possible")]
)
def test_without_a_possible_action_it_ends_unsolved_and_says_so(actions: tuple[str, ...] | None, reason: str) -> None:
    roles = pantry(actions)
    unsolved = roles.solve(Random(RandomConfig()))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.reward, roles.actions) == (reason, 0.0, [])
