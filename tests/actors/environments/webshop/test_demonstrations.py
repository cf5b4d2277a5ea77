"""The worked examples were played: every answer in them is the world's, in a small shop that is kept for this."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.environments.webshop.state import WebShopState
from quintet.environments.webshop.world import WebShop
from quintet.messages.execution import Act, Claim
from quintet.messages.planning import Decomposed
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.parsing.decisions import read_decision
from quintet.parsing.plans import read_decomposition
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, known_prompts, required_prompts
from tests.actors.environments.webshop.demonstration_shop import customer

PROMPTS = Path(str(WebShop.prompt_folder))
SKILLS, PURCHASE = ((PROMPTS / "react" / f"{name}.txt").read_text() for name in ("skills", "demonstrations"))
TEA = "search[peppermint tea bags caffeine free]"
BEFORE = ((), (TEA,), ("search[banker desk lamp]",), (TEA, "click[b0tea5n3hc]"))
"""What may have been done before an example begins."""


def _examples() -> Iterator[tuple[str, str, str]]:
    """The page that is open first, if one is shown, the goal, and the turns."""
    for shown in re.split(r"\n\n(?=The page that is open now:|WebShop\n)", f"{SKILLS}\n{PURCHASE}")[1:]:
        before, goal, turns = re.split(r"Goal: (.*)\.\n", shown)
        page = re.search(r"(?<=open now:\n).*?(?=\n\n)", before, re.DOTALL)
        yield page[0] if page else "", goal, turns.split("\n\n")[0]


def _after(goal: str, actions: tuple[str, ...]) -> WebShopState:
    state = customer(goal)
    for action in actions:
        assert not state.step(action).rejected
    return state


@pytest.mark.parametrize(("page", "goal", "turns"), [*_examples()])
def test_every_example_is_what_happens(page: str, goal: str, turns: str) -> None:
    state = next(found for each in BEFORE if (found := _after(goal, each)).observation == page or not page)
    for turn in re.split(r"\n(?=Thought:)", turns):
        said, _, answer = turn.partition("\nObservation: ")
        decision = read_decision(said)
        if isinstance(decision, Claim):
            return
        assert isinstance(decision, Act)
        outcome = state.step(decision.action)
        assert (not outcome.rejected, "" if outcome.final_answer else outcome.observation) == (True, answer)
    assert state.done, "expected a purchase or a claim at the end, got neither"


def test_the_executor_of_plans_is_shown_single_skills_and_no_whole_purchase() -> None:
    goals = re.findall(r"Goal: (.*)\.\n", SKILLS)
    assert {goal.split()[0] for goal in goals} == {"search", "shortlist", "match", "buy"}
    assert "buy the product [B0LMP4R7QX] with emerald green, price lower than 40.00 dollars" in goals
    for method in ("adapt", "plan_execute"):
        inner = catalogue.method(method).worlds["webshop"]["inner"]
        assert React(ReactConfig(demonstrations=inner["demonstrations"])).demonstrations({}) == ("skills",)
    assert re.findall(r"Goal: (.*)\.\n", PURCHASE)[0].startswith("i need a pair of")
    assert len(re.findall("Goal: ", PURCHASE)) == 1


def test_the_planner_is_shown_a_page_of_the_same_shop() -> None:
    assert _after("tea", (TEA,)).observation in (PROMPTS / "adapt" / "decompose.txt").read_text()


WANTED = ("100 count", "caffeine free", "individually wrapped", "price lower than 20.00 dollars")


@pytest.mark.parametrize("name", ["adapt/decompose", "plan_execute/decompose.detailed"])
def test_a_plan_for_a_whole_task_checks_all_that_is_wanted_before_it_buys(name: str) -> None:
    """Also what no list of results tells, by a product whose id is not known yet."""
    shown = (PROMPTS / f"{name}.txt").read_text().split("\nGoal: ")[1]
    goal, *steps = re.split(r"\nStep [0-9]+: ", shown)
    assert all(each in goal and any(each in step for step in steps) for each in WANTED)
    *_, buying = steps
    assert buying.startswith("buy it with")
    assert WANTED[-1] in buying


def test_the_rules_promise_nothing_of_the_reviews() -> None:
    state = _after("tea", (TEA, "click[b0tea5n3hc]", "click[reviews]"))
    assert "No reviews found" in state.observation
    assert all("[Reviews] nothing" in find_prompts(React, "webshop").text(name) for name in ("rules", "execute"))


@pytest.mark.parametrize("name", ["adapt/decompose", "plan_execute/decompose.detailed"])
def test_plans_are_in_the_form_that_is_read(name: str) -> None:
    shown = (PROMPTS / f"{name}.txt").read_text().split("\nGoal: ")[1:]
    for plan in map(read_decomposition, shown):
        assert isinstance(plan, Decomposed)
        assert (plan.ambiguous, plan.fallback) == (False, "")
    assert len(shown) == 2


@pytest.mark.parametrize("name", catalogue.names("method"))
def test_every_method_has_its_prompts(name: str) -> None:
    method = catalogue.method(name)
    prompts = find_prompts(method, "webshop")
    assert all(prompts.text(each) for each in required_prompts(method))
    assert set(prompts.names) <= set(known_prompts(method, "webshop"))
