"""What a fallible player misreads in TextCraft: the same in the executor and in the planner, and when looking back."""

import pytest
from scipy.stats import binomtest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.draws import Misreading
from quintet.models.sim.model import fallible, strong
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.progress import believes_reached
from quintet.models.sim.textcraft.task import CraftTask, read_craft_task
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import action_in, said, steps_in
from tests.actors.models.sim.textcraft.playing import Game, goals

ACT = system("Thought: ...\nAction: ...")
PLAN = system("Step 1: ...\nExecution Order: (Step 1)")
COMMANDS = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 4 stick using 2 oak planks
craft 1 ladder using 7 stick
craft 1 bucket using 3 iron ingot"""


def task(goal: str) -> CraftTask:
    read = read_craft_task(f"{COMMANDS}\n\nGoal: {goal}.")
    assert read is not None
    return read


def test_a_command_that_is_misread_is_any_other_one_or_none() -> None:
    right = task("craft ladder").book.commands
    wrong = {task(f"fetch {number} ladder").misread(Misreading(1)).book.commands["ladder"] for number in range(1, 200)}
    assert wrong == {right["oak planks"], right["stick"], right["bucket"], ()}


def test_what_no_command_makes_may_be_misread_too() -> None:
    commands = task("craft ladder").misread(Misreading(1)).book.commands
    assert commands["iron ingot"]
    assert commands["oak logs"]


def test_each_item_is_a_question_of_its_own() -> None:
    rate, wrong, total = 0.1, 0, 0
    for number in range(1, 1000):
        here = task(f"fetch {number} ladder")
        commands = here.misread(Misreading(rate)).book.commands
        wrong += sum(commands[item] != here.book.commands.get(item, ()) for item in commands)
        total += len(commands)
    assert binomtest(wrong, total, rate).pvalue > 1e-6


def test_at_rate_0_nothing_is_misread() -> None:
    assert task("craft ladder").misread(Misreading(0)) == task("craft ladder")


@pytest.mark.parametrize("depth", [2, 3])
def test_at_rate_0_it_plays_and_plans_as_strong_does(depth: int) -> None:
    for item in goals(depth)[:30]:
        assert Game(item).play(fallible(0)) == Game(item).play(strong())
        assert Game(item).plan(fallible(0)) == Game(item).plan(strong())
        for step in steps_in(Game(item).plan(strong())):
            assert Game(item).play(fallible(0), step, stated=True) == Game(item).play(strong(), step, stated=True)


def test_executor_and_planner_misread_the_same_question_alike() -> None:
    held = "Inventory: [iron ingot] (999) [stick] (999) [oak planks] (999) [oak logs] (999)"
    found = set[str]()
    for number in range(1, 80):
        goal, model = f"fetch {number} bucket", fallible(0.4)
        planned = steps_in(said(model, Prompt(PLAN, user(f"{COMMANDS}\n\nGoal: {goal}."))))[-1]
        action = action_in(said(model, Prompt(ACT, user(f"{COMMANDS}\n\n{held}\n\nGoal: {goal}."))))
        if action != "task completed":  # which is another question misread
            assert action.replace("get ", "fetch ") == planned
            found.add(action.split(" using ")[0])
    assert {"craft 1 bucket", "craft 1 ladder", "craft 4 stick", "craft 4 oak planks"} < found


def test_whether_the_goal_is_reached_is_misread_both_ways() -> None:
    wrong, here = Misreading(1), task("fetch 2 stick")
    nothing, little, enough = (believe((("stick", count),) if count else (), ()) for count in (0, 1, 2))
    assert not believes_reached(here, nothing, wrong)
    assert believes_reached(here, little, wrong)
    assert not believes_reached(here, enough, wrong)


def test_a_reader_that_overlooks_that_it_has_enough_goes_on() -> None:
    def begun(goal: str) -> str:
        text = f"{COMMANDS}\n\nInventory: [oak logs] (99)\n\nGoal: {goal}."
        return action_in(said(fallible(1), Prompt(ACT, user(text))))

    assert not any(begun(f"fetch {number} oak logs").startswith("task completed") for number in range(1, 9))


def test_a_recurring_misreading_is_not_mended_by_trying_again() -> None:
    for item in goals(2)[:20]:
        first, again = (Game(item).play(fallible(0.3)) for _ in range(2))
        assert first == again


def test_looking_back_it_passes_over_steps() -> None:
    turns = [(assistant(f"Action: get {number} wool"), user(f"Got {number} wool")) for number in range(400)]
    (*before, last), asked = [message for turn in turns for message in turn], "Tell in a summary what was done."
    end = user(f"{last.content}\n\nThe job failed.\n\n{asked}")
    prompt = Prompt(system("Look back on a job."), user(f"{COMMANDS}\n\nGoal: craft ladder."), *before, end)
    lines = {rate: said(fallible(rate), prompt, Sampling(max_tokens=9999)).splitlines() for rate in (0.0, 0.1, 1.0)}
    assert (len(lines[0.0]), lines[1.0]) == (401, ["1. The goal was not reached."])
    assert binomtest(401 - len(lines[0.1]), 400, 0.1).pvalue > 1e-6


def test_the_lesson_of_a_job_may_be_skipped() -> None:
    look = "Before you get or craft anything, look into the inventory."
    lesson = (
        f"{COMMANDS}\n\nGoal: craft ladder.\n\nResult: The job failed.\n\nSummary: 1. a\n\nSuggested revision: {look}"
    )
    prompt = Prompt(system("You write the plan."), user(
        f"Current plan:\n\n1. Craft.\n\nJob 1\n\n{lesson}\n\nNow rewrite the plan."))  # fmt: skip
    assert "inventory" in said(fallible(0), prompt)
    assert said(fallible(1), prompt) == "Plan:\n1. Craft."
