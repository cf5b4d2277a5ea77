"""One list of rules per world stands in every acting prompt of every method."""

import re

import pytest

from quintet.environments.textcraft.recipes import paper_table
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.plan_execute.plan_execute import PlanExecute
from quintet.methods.react.react import React
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts, worlds_of

ACTING = {"execute", "decide"}
LISTING = ("execute.formalizer", "reflect", "revise_plan")
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
    for method, plan in ((Adapt, "decompose"), (PlanExecute, "decompose.detailed"), (DevilsAdvocate, "make_plan")):
        assert "asks for planks or wool, choose one sort" in find_prompts(method, "textcraft").text(plan)


@pytest.mark.parametrize("world", WORLDS)
def test_where_actions_have_no_brackets_a_note_has_none(world: str) -> None:
    prompts = find_prompts(DevilsAdvocate, world)
    bare = re.search("without (?:[a-z]+ or )?brackets", prompts.text("rules")) is not None
    assert ("- note_down <text>:" if bare else "- note_down [<text>]:") in prompts.text("decide")


@pytest.mark.parametrize("world", ["textcraft", "hotpotqa", "webshop", "webarena"])
def test_what_follows_the_examples_adds_no_rule(world: str) -> None:
    *_, last = find_prompts(React, world).text("demonstrations").splitlines()
    assert last.startswith("Now it is your turn, with")
    assert last.count(".") == 1


@pytest.mark.parametrize("world", ["alfworld", "hotpotqa", "webarena"])
def test_a_search_is_one_step_also_where_plans_are_json(world: str) -> None:
    before, _, form = find_prompts(DevilsAdvocate, world).text("make_plan").partition("{form steps}")
    assert re.search("looking (?:for|through) .* is one step", before, re.IGNORECASE)
    assert "one step" not in form


@pytest.mark.parametrize("world", WORLDS)
def test_autoplans_own_lists_of_actions_name_what_an_action_takes_as_the_rules_do(world: str) -> None:
    prompts = find_prompts(AutoPlan, world)
    takes = {name: set(re.findall(r"<[a-z_]+>", prompts.text(name))) for name in ("rules", *LISTING)}
    assert all(takes[name] <= takes["rules"] for name in LISTING), takes
