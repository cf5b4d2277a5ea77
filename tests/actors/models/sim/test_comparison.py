"""Where two processes part."""

import pytest

from quintet.messages.prompts import Prompt, system, user
from quintet.models.sim.model import Simulated, fallible, strong
from quintet.parsing.indices import read_comparison
from tests.actors.models.sim.answers import said

FORM = system("You compare two processes. Answer in this form:\n\n3: why the processes part there")


def shown(*actions: str) -> str:
    return "\n".join(f"{number}. Action: {each}\nObservation: Done." for number, each in enumerate(actions, 1))


def parted(better: str, worse: str, model: Simulated | None = None) -> int | None:
    one, other = better.split(), worse.split()
    prompt = f"Goal: craft bread.\n\nProcess 1 (the better one):\n\n{shown(*one)}\n\nProcess 2:\n\n{shown(*other)}"
    return read_comparison(said(model or strong(), Prompt(FORM, user(prompt))), len(one))


@pytest.mark.parametrize(
    ("better", "worse", "step"),
    [("a b c", "a x c", 2), ("a b", "c", 1), ("a b c", "a b", 3), ("a b", "a b c", 2), ("a", "", 1), ("a b", "a b", 2)],
)
def test_the_first_action_that_differs_is_named(better: str, worse: str, step: int) -> None:
    assert parted(better, worse) == step


def test_an_observation_that_differs_counts_too() -> None:
    processes = "Process 1:\n1. Action: a\nObservation: Yes.\n2. Action: b\n\nProcess 2:\n1. Action: a\n"
    prompt = f"Goal: craft bread.\n\n{processes}Observation: No.\n2. Action: b"
    assert read_comparison(said(strong(), Prompt(FORM, user(prompt))), 2) == 1


def test_a_misread_comparison_names_another_step() -> None:
    assert parted("a b c", "a x c", fallible(1.0)) in (1, 3)
    assert parted("a", "b", fallible(1.0)) == 1


def test_without_two_processes_nothing_is_understood() -> None:
    assert said(strong(), Prompt(FORM, user("Goal: craft bread.\n\nProcess 1:\n\n1. Action: a"))).startswith("I do not")
