"""Types of goals and observations of both worlds, as the memory's prompts ask for them."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import quintet.roles
from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.prompts import ChatMessage, Prompt, system, user
from quintet.models.sim.model import Simulated, fallible, strong
from quintet.parsing.clusters import ItemCluster, read_clusters
from quintet.parsing.indices import read_index
from quintet.questions.shape import with_form
from tests.actors.models.sim.answers import said

WORLDS = pytest.mark.parametrize("name", ["textcraft", "alfworld"])
MEMORY = Path(next(iter(quintet.roles.__path__))) / "memory" / "prompts"
SEEN = {
    "textcraft": ("Got 3 oak logs", "Crafted 4 minecraft:oak planks", "Could not find paper", "Inventory: [stick] (1)"),
    "alfworld": (
        "You arrive at fridge 1. The fridge 1 is closed.",
        "You arrive at desk 1. On the desk 1, you see a mug 2.",
        "You pick up the egg 1 from the countertop 1.",
        "Nothing happens.",
    ),
}


def instructions(request: str) -> ChatMessage:
    return system(with_form((MEMORY / f"{request}.txt").read_text(encoding="utf-8"), structured=False))


@cache
def goals(name: str) -> tuple[str, ...]:
    world = TextCraft() if name == "textcraft" else AlfWorld()
    return tuple(world.open(Task(name=task, seed=0)).opening.goal for task in world.tasks(world.splits[-1])[::7][:30])


def clusters(items: Sequence[str], request: str = "form", model: Simulated | None = None) -> tuple[ItemCluster, ...]:
    listed = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    found = read_clusters(said(model or strong(), Prompt(instructions(request), user(f"Goals:\n\n{listed}"))))
    assert found is not None
    return found


@WORLDS
def test_every_goal_is_in_one_type_and_types_are_about_equal(name: str) -> None:
    found = clusters(goals(name))
    numbers = [number for each in found for number in each.numbers]
    assert sorted(numbers) == list(range(1, len(goals(name)) + 1))
    assert 1 < len(found) < len(goals(name)) / 2
    assert max(len(each.numbers) for each in found) <= 3 * len(goals(name)) / len(found)
    assert all(each.name for each in found)


@WORLDS
def test_equal_goals_are_of_one_type(name: str) -> None:
    twice = [*goals(name), *goals(name)]
    for each in clusters(twice):
        assert {number % len(goals(name)) for number in each.numbers if number > len(goals(name))} == {
            number % len(goals(name)) for number in each.numbers if number <= len(goals(name))
        }


@WORLDS
def test_observations_are_sorted_by_the_places_and_items_that_they_show(name: str) -> None:
    found = clusters(SEEN[name], "form.observations")
    assert sorted(number for each in found for number in each.numbers) == [1, 2, 3, 4]
    assert len(found) > 1
    assert clusters(SEEN[name], "form.observations") == found


def nearest(new: str, types: Sequence[Sequence[str]], model: Simulated | None = None, what: str = "goal") -> int | None:
    shown = "\n\n".join(
        "\n".join((f"[{number}] type {number}", *(f"- {example}" for example in each)))
        for number, each in enumerate(types, 1)
    )
    request = "classify" if what == "goal" else "recall"
    prompt = Prompt(instructions(request), user(f"Types:\n\n{shown}\n\nNew {what}: {new}"))
    return read_index(said(model or strong(), prompt), len(types))


@pytest.mark.parametrize(
    ("new", "types", "number"),
    [
        ("put a hot egg in desk", (("put a mug in shelf",), ("cool some egg and put it in fridge",)), 2),
        ("put an apple in fridge", (("put a pen on desk",), ("heat some egg and put it in fridge",)), 2),
        ("craft oak slab", (("craft gold ingot",), ("craft birch slab", "craft birch stairs")), 2),
        ("craft oak slab", (("craft iron nugget",), ("craft spruce door",)), 2),
        ("find and take a mug", (("put a mug in shelf",), ("put a pen on desk",)), 1),
    ],
)
def test_a_new_goal_belongs_to_the_type_that_is_about_the_same_things(
    new: str, types: Sequence[Sequence[str]], number: int
) -> None:
    assert nearest(new, types) == number


@WORLDS
def test_a_new_observation_belongs_to_the_type_with_its_like(name: str) -> None:
    types = [(each,) for each in SEEN[name]]
    for number, each in enumerate(SEEN[name], 1):
        assert nearest(re.sub(r"\b\d\b", "7", each), types, what="observation") == number


@WORLDS
def test_what_is_sorted_comes_back_to_its_type_by_the_name_alone(name: str) -> None:
    found = clusters(goals(name))
    listed = "\n\n".join(f"[{number}] {each.name}" for number, each in enumerate(found, 1))
    named = {kind for each in found for kind in re.findall(r"[a-z]+", each.name)}
    for number, each in enumerate(found, 1):
        for goal in (goals(name)[item - 1] for item in each.numbers):
            if named.intersection(re.findall(r"[a-z]+", goal)) and "more" not in each.name:
                prompt = Prompt(instructions("classify"), user(f"Types:\n\n{listed}\n\nNew goal: {goal}"))
                assert read_index(said(strong(), prompt), len(found)) == number, goal


@WORLDS
def test_the_type_of_a_text_is_a_question_that_may_be_misread(name: str) -> None:
    right, wrong = clusters(goals(name)), clusters(goals(name), model=fallible(0.3))
    numbers = [number for each in wrong for number in each.numbers]
    assert sorted(numbers) == list(range(1, len(goals(name)) + 1))
    assert right != wrong
    types = [[goals(name)[item - 1] for item in each.numbers[:3]] for each in right]
    found = [nearest(goal, types) for goal in goals(name)]
    misread = [nearest(goal, types, fallible(0.3)) for goal in goals(name)]
    assert 0 < sum(one != other for one, other in zip(found, misread, strict=True)) < len(found)


def test_a_list_about_no_world_is_not_understood() -> None:
    prompt = Prompt(instructions("form"), user("Goals:\n\n1. be happy\n2. be rich"))
    assert said(strong(), prompt) == "I do not understand."
    assert said(strong(), Prompt(instructions("classify"), user("Types:\n\nNew goal: be happy"))) == (
        "I do not understand."
    )
