"""One list of rules per world stands in every acting prompt of every method."""

import re

import pytest

from quintet.environments.textcraft.recipes import paper_table
from quintet.methods.react.react import React
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts, worlds_of

ACTING = {"execute", "decide"}
WORLDS = ("textcraft", "alfworld", "hotpotqa", "webshop", "webarena")


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("name", catalogue.names("method"))
def test_an_acting_prompt_has_the_rules_of_its_world_once(name: str, world: str) -> None:
    method = catalogue.method(name)
    prompts = find_prompts(method, world)
    rules = prompts.text("rules")
    first, *_ = rules.splitlines()
    for each in ACTING.intersection(required_prompts(method)) if world in worlds_of(method) else ():
        text = prompts.text(each)
        assert text.count(rules) == text.count(first.partition(".")[0]) == 1, each


def test_every_method_that_asks_a_model_to_act_is_looked_at() -> None:
    acting = {name for name in catalogue.names("method") if ACTING & {*required_prompts(catalogue.method(name))}}
    assert acting >= {"react", "standard", "autoplan", "ldm2", "search", "lats", "devils_advocate", "plan_act"}


@pytest.mark.parametrize("world", ["hotpotqa", "webarena"])
def test_a_part_of_a_task_may_end_it_where_a_plan_is_pursued(world: str) -> None:
    """Only a whole task is answered by a question of its own; a part that ends the task ends with the action."""
    text = find_prompts(catalogue.method("devils_advocate"), world).text("decide")
    (said,) = [line for line in text.splitlines() if re.search("leave (stop|finish) out", line.lower())]
    assert said.startswith("Where your goal is a whole ")


@pytest.mark.parametrize("world", WORLDS)
def test_who_chooses_between_attempts_is_not_promised_their_thoughts(world: str) -> None:
    """LDM2's processes have none."""
    assert "its thoughts, if any," in find_prompts(catalogue.method("ldm2"), world).text("choose")


def test_planks_and_wool_are_the_only_kinds_of_items() -> None:
    assert set(paper_table().members) == {"planks", "wool"}
    assert "Planks and wool are the only kinds" in find_prompts(React, "textcraft").text("rules")
