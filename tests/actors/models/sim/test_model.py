import asyncio
import time

import pytest

from quintet.errors import UsageError
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.models.sim.mind import Skill
from quintet.models.sim.model import STRONG, WEAK, Simulated, fallible, strong, weak
from quintet.plugins.catalogue import model
from quintet.ports.model import Sampling

ACT = system("Answer in this form.\nThought: ...\nAction: ...")
TASK = user("Crafting commands:\ncraft 4 oak planks using 1 oak logs\n\nGoal: craft oak planks.")


def said(*messages: ChatMessage, sampling: Sampling | None = None) -> str:
    return asyncio.run(strong().complete(Prompt(*messages), sampling or Sampling())).text


@pytest.mark.parametrize(("made", "skill"), [(weak(), WEAK), (strong(), STRONG)], ids=["weak", "strong"])
def test_a_level_is_called_simulated_and_found_in_the_catalogue(made: Simulated, skill: Skill) -> None:
    assert made.skill == skill
    assert "simulated" in made.name
    assert model(f"sim-{skill.name}").name == made.name


def test_the_fallible_level_names_its_error_rate() -> None:
    assert fallible().name == model("sim-fallible").name == "sim-fallible(0.1) (simulated)"
    assert model("sim-fallible", error_rate=0.02).name == "sim-fallible(0.02) (simulated)"


@pytest.mark.parametrize("rate", [-0.1, 1.5, float("nan")])
def test_an_error_rate_that_is_no_probability_is_refused(rate: float) -> None:
    with pytest.raises(UsageError, match=r"sim-fallible: .*error_rate: expected a number from 0 to 1, got"):
        model("sim-fallible", error_rate=rate)


def test_a_prompt_that_asks_for_nothing_it_knows_is_not_understood() -> None:
    assert said(user("What is the capital of France?")) == "I do not understand."
    assert said() == "I do not understand."


def test_a_prompt_about_another_world_is_not_understood() -> None:
    assert said(ACT, user("You are in a room.\nYour task is to: put a mug in the safe.")) == "I do not understand."


def test_a_task_without_crafting_commands_is_not_understood() -> None:
    assert said(ACT, user("Goal: craft oak planks.")) == "I do not understand."


def test_a_goal_that_is_no_wish_is_not_understood() -> None:
    assert said(ACT, user("Crafting commands:\ncraft 1 a using 1 b\n\nGoal: be happy.")) == "I do not understand."


def test_it_answers_in_the_form_that_is_asked_for() -> None:
    assert said(ACT, TASK).startswith("Thought: ")
    assert said(ACT, TASK).endswith("\nAction: get 1 oak logs")
    assert said(system("Action: ..."), TASK) == "Action: get 1 oak logs"


def test_a_call_takes_well_under_a_millisecond_even_late_in_a_conversation() -> None:
    prompt = Prompt(ACT, TASK)
    for number in range(80):
        prompt = prompt.extend(assistant(f"Thought: {number}\nAction: get 1 oak logs"), user("Could not find it"))

    async def calls() -> float:
        level, begun = strong(), time.process_time()
        for _ in range(100):
            await level.complete(prompt, Sampling())
        return (time.process_time() - begun) / 100

    # Measured at 0.1 ms; ten times that leaves room. The time of other processes does not count.
    assert min(asyncio.run(calls()) for _ in range(5)) < 0.001
