"""What a fallible player misreads in a household: in executor and planner alike, and when it looks back."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.alfworld.beliefs import beliefs_after
from quintet.models.sim.alfworld.moves import not_overlooked
from quintet.models.sim.alfworld.scene import scene_of
from quintet.models.sim.alfworld.task import HouseTask, read_house_task
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG, fallible, strong
from quintet.models.sim.transcript import Reading
from quintet.ports.model import Sampling
from tests.actors.models.sim.alfworld.playing import Game, tasks
from tests.actors.models.sim.answers import said, steps_in

CABINETS = [f"cabinet {number}" for number in range(1, 1000)]
KINDS = ("pick", "look", "clean", "heat", "cool", "pick two")


def task(goal: str, room: Sequence[str] = ("desk 1", "fridge 1", "microwave 1", "sinkbasin 1")) -> HouseTask:
    places = ", ".join(f"a {place}" for place in room)
    read = read_house_task(f"You are in the middle of a room. Looking around you, you see {places}.\n\nGoal: {goal}.")
    assert read is not None
    return read


def test_an_appliance_that_is_misread_is_any_other_kind_of_place_in_the_room() -> None:
    goals = (task(f"put a hot egg in desk {number}") for number in range(200))
    wrong = {beliefs_after([], misled=False).misread(goal, Misreading(1)).appliances["heat"] for goal in goals}
    assert wrong == {("desk",), ("fridge",), ("sinkbasin",)}


def test_each_place_to_look_at_is_a_question_of_its_own() -> None:
    left = not_overlooked(CABINETS, "mug", task("put a mug in desk"), Misreading(0.1))
    assert binomtest(len(CABINETS) - len(left), len(CABINETS), 0.1).pvalue > 1e-6
    others = not_overlooked(CABINETS, "mug", task("put some mug on desk"), Misreading(0.1))
    assert set(left) != set(others)
    assert not_overlooked(CABINETS, "mug", task("put a mug in desk"), Misreading(0.1)) == left


def test_at_rate_0_nothing_is_misread() -> None:
    goal, believed = task("put a hot egg in desk"), beliefs_after([], misled=False)
    assert believed.misread(goal, Misreading(0)) == believed
    assert not_overlooked(CABINETS, "egg", goal, Misreading(0)) == CABINETS


@pytest.mark.parametrize("kind", KINDS)
def test_at_rate_0_it_plays_and_plans_as_strong_does(kind: str) -> None:
    for name in tasks(kind, 4):
        assert Game(name).play(fallible(0)) == Game(name).play(strong())
        for step in ("", *steps_in(Game(name).plan(strong()))):
            assert Game(name).plan(fallible(0), step) == Game(name).plan(strong(), step)


def test_executor_and_planner_misread_the_same_question_alike() -> None:
    misread_by_both = 0
    for name in tasks("heat"):
        actions = Game(name).play(fallible(0.5))
        tried = {action.split(" with ")[1].split()[0] for action in actions if action.startswith("heat ")}
        planned = next(step for step in steps_in(Game(name).plan(fallible(0.5))) if step.startswith("heat "))
        assert tried <= {planned.rsplit("the ", 1)[1]}
        misread_by_both += bool(tried - {"microwave"})
    assert misread_by_both


def test_whether_the_goal_is_reached_is_misread_both_ways() -> None:
    goal = task("find and take a mug")
    mind = Mind(STRONG, Chance((), Sampling()), Misreading(1))

    def believed(*done: str) -> bool:
        last = replace(goal, last_action="\n".join(done))
        return scene_of(Reading(last, (), ()), mind).believes_reached()

    assert not believed()
    assert believed("take pen 1 from desk 1")
    assert not believed("take mug 1 from desk 1")


@pytest.mark.parametrize("rate", [0.3, 1])
def test_however_much_is_misread_every_answer_is_an_action_or_a_claim(rate: float) -> None:
    for kind in KINDS:
        for name in tasks(kind, 3):
            game = Game(name)
            assert all(game.play(fallible(rate)))
            assert all(game.play(fallible(rate), step, stated=True, calls=20) for step in steps_in(game.plan(strong())))


def test_looking_back_it_passes_over_steps() -> None:
    room = "You are in the middle of a room. Looking around you, you see a desk 1."
    turns = [
        (assistant(f"Action: take pen {number} from desk 1"), user(f"You pick up the pen {number} from the desk 1."))
        for number in range(400)
    ]
    (*before, last), asked = [message for turn in turns for message in turn], "Tell in a summary what was done."
    end = user(f"{last.content}\n\nThe job failed.\n\n{asked}")
    prompt = Prompt(system("Look back on a job."), user(f"{room}\n\nGoal: put two pen in desk."), *before, end)
    lines = {rate: said(fallible(rate), prompt, Sampling(max_tokens=9999)).splitlines() for rate in (0.0, 0.1, 1.0)}
    assert (len(lines[0.0]), lines[1.0]) == (401, ["1. The goal was not reached."])
    assert binomtest(401 - len(lines[0.1]), 400, 0.1).pvalue > 1e-6
