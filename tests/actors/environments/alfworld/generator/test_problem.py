"""Games made from their names."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.environments.alfworld.engine.goal_spec import task_type
from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.expert import verify_plan
from quintet.environments.alfworld.games.dialect import CLASSIC, NEW
from quintet.environments.alfworld.games.game import Game, to_bytes
from quintet.environments.alfworld.games.pddl import read_problem
from quintet.environments.alfworld.generator import problem
from quintet.environments.alfworld.generator.objectives import SHORT, TASK_TYPES, Objective, TaskName, TaskType
from quintet.environments.alfworld.generator.problem import generate_game
from quintet.environments.alfworld.generator.splits import BUILT_IN, SPLITS, task_names
from quintet.errors import UsageError

ROOT = Path(__file__).parents[5]
NAME = TaskName(Objective("pick_two_obj_and_place", "Candle", "Toilet"), 424, "trial_T20250101_000000_000000")


def game(name: TaskName = NAME) -> Game:
    return generate_game(name)


def test_a_name_stands_for_one_game_in_every_process() -> None:
    code = (
        "import hashlib; from tests.actors.environments.alfworld.generator.test_problem import game, to_bytes;"
        "print(hashlib.blake2b(to_bytes(game())).hexdigest())"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=ROOT, env={"PYTHONHASHSEED": "1"}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == hashlib.blake2b(to_bytes(game())).hexdigest()


def test_that_game_stays_the_same() -> None:
    """Where this fails because games are made otherwise than before, `_GENERATOR` in library.py has to be raised."""
    assert hashlib.blake2b(game().pddl_problem.encode(), digest_size=8).hexdigest() == "0fc71b79bb1269e1"


@pytest.mark.parametrize("kind", TASK_TYPES)
@pytest.mark.parametrize("split", SPLITS)
def test_every_type_is_solved_in_every_split(kind: TaskType, split: str) -> None:
    for name in task_names(split, {kind: 4}, seed=11):
        made = generate_game(name)
        house = household(made)
        assert made.solvable
        assert made.walkthrough
        assert not house.goal.reached(house.begin)
        assert verify_plan(house, house.begin, made.walkthrough) == made.walkthrough
        assert task_type(house) == SHORT[kind]


def test_a_game_that_cannot_be_solved_is_not_given_out_and_its_task_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(house: Household, _now: object) -> None:
        assert house.sentence

    monkeypatch.setattr(problem, "expert_plan", plan)
    with pytest.raises(UsageError, match=f"task: expected one that can be solved .*, got {NAME}"):
        game()


def test_a_game_speaks_either_dialect() -> None:
    new, classic = generate_game(NAME, NEW), generate_game(NAME, CLASSIC)
    assert new.pddl_problem == classic.pddl_problem
    assert [(game.walkthrough or ("",))[-1][:5] for game in (new, classic)] == ["move ", "put c"]
    assert household(classic).dialect == CLASSIC


def test_containment_is_stated_for_what_is_there_and_obeyed_by_what_can_be_taken() -> None:
    for split in SPLITS:
        for name in task_names(split, dict.fromkeys(BUILT_IN[split], 1), seed=5):
            facts = read_problem(generate_game(name).pddl_problem).facts
            kind_of = {fact[0]: fact[1] for fact in (*facts["objecttype"], *facts["receptacletype"])}
            allowed = set(facts["cancontain"])
            taken = {thing for (thing,) in facts["pickupable"]}
            assert {kind for pair in allowed for kind in pair} <= set(kind_of.values())
            for thing, receptacle in facts["inreceptacle"]:
                assert thing not in taken or (kind_of[receptacle], kind_of[thing]) in allowed
