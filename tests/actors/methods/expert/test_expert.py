from collections.abc import Mapping
from typing import TypeAlias

import pytest

from quintet.messages.environment import AskExpert, ListActions, Step
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.methods.naive.naive import Naive
from quintet.methods.random.config import RandomConfig
from quintet.methods.random.random import Random
from tests.actors.fakes import Kitchens, Script
from tests.actors.methods.pantry import Pantry

Advice: TypeAlias = Mapping[int, tuple[str, ...] | None]

HARMLESS = ("inventory", "taste", "wait")


def played(
    method: Expert | Random,
    actions: tuple[str, ...] | None = None,
    advice: Advice | None = None,
) -> tuple[Kitchens, Solved | Unsolved]:
    roles = Kitchens(Script({}), world=Pantry(actions, advice))
    answer = roles.solve(method)
    assert answer.claimed is None
    return roles, answer


@pytest.mark.parametrize(
    ("advice", "actions", "asked"),
    [
        ({0: ("take salt", "serve", "burn")}, ["take salt", "serve"], 1),
        ({0: ("take salt",), 1: ("serve",)}, ["take salt", "serve"], 2),
        ({0: ("take salt", "fly", "burn"), 1: ("serve",)}, ["take salt", "fly", "serve"], 2),
    ],
    ids=["to the end", "asked again where the task goes on", "asked again after a rejection"],
)
def test_the_expert_is_followed(advice: Advice, actions: list[str], asked: int) -> None:
    roles, solved = played(Expert(ExpertConfig()), advice=advice)
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.depth) == (1.0, True, 1)
    assert (roles.actions, len(roles.requests(AskExpert))) == (actions, asked)


def test_a_long_way_is_followed_to_its_end() -> None:
    way = (*["wait"] * 200, "take salt", "serve")
    roles, solved = played(Expert(ExpertConfig()), advice={0: way})
    assert isinstance(solved, Solved)
    assert roles.actions == [*way]


def test_its_answer_says_what_was_done() -> None:
    assert played(Expert(ExpertConfig()), advice={0: ("take salt", "serve")})[1].turns == (
        Turn(completion="Action: take salt", observation="You take salt."),
        Turn(completion="Action: serve", observation="Supper is served."),
    )


def test_random_takes_possible_actions_until_the_task_is_solved() -> None:
    roles, solved = played(Random(RandomConfig()), ("serve", "wait"))
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.depth, roles.actions[-1]) == (1.0, True, 1, "serve")
    assert len(roles.requests(ListActions)) == len(roles.requests(Step))
    assert [turn.completion for turn in solved.turns] == [f"Action: {action}" for action in roles.actions]
    assert solved.turns[-1].observation == "Supper is served."


def test_random_takes_every_possible_action_sooner_or_later_and_the_same_ones_again() -> None:
    (roles, unsolved), (again, _) = (played(Random(RandomConfig(max_steps=40)), HARMLESS) for _ in range(2))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.reward, len(roles.actions)) == ("out of actions", 0.5, 40)
    assert set(roles.actions) == set(HARMLESS)
    assert roles.actions == again.actions


BAD, NO_USE = "the task ended without success", "out of actions"


@pytest.mark.parametrize(
    ("method", "actions", "advice", "reason", "taken", "reward"),
    [
        (Random(RandomConfig()), ("burn",), {}, BAD, ["burn"], 0.0),
        (Random(RandomConfig()), None, {}, "the world cannot list its actions", [], 0.0),
        (Random(RandomConfig()), (), {}, "no action is possible", [], 0.0),
        (Expert(ExpertConfig()), None, {0: ("burn",)}, BAD, ["burn"], 0.0),
        (Expert(ExpertConfig()), None, {0: ("sell",)}, "the task ended with a reward of 0.50 of 1", ["sell"], 0.5),
        (Expert(ExpertConfig()), None, {0: None}, "the world knows of no expert", [], 0.0),
        (Expert(ExpertConfig()), None, {0: ()}, "the expert knows no way", [], 0.0),
        (Expert(ExpertConfig(max_steps=3)), None, {0: ("wait",)}, NO_USE, ["wait"] * 3, 0.0),
        (Expert(ExpertConfig(max_steps=3)), None, {0: ("wait", "fly", "wait")}, NO_USE, ["wait", "fly", "wait"], 0.0),
        (Naive(ExpertConfig()), None, {0: ("serve",)}, "the world knows of no naive policy", [], 0.0),
    ],
)
def test_what_ends_unsolved_says_why(
    method: Expert | Random,
    actions: tuple[str, ...] | None,
    advice: Advice,
    reason: str,
    taken: list[str],
    reward: float,
) -> None:
    roles, unsolved = played(method, actions, advice)
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.reward, roles.actions) == (reason, reward, taken)
    assert unsolved.done == reason.startswith("the task ended")
