"""Every style has the same content, and is drawn by the seed."""

import asyncio

import pytest

from quintet.messages.execution import Act, Claim
from quintet.messages.planning import Decomposed, PlanMade
from quintet.messages.prompts import Prompt, system, user
from quintet.models.sim.model import Simulated, strong
from quintet.models.sim.styles import (
    ALIGNMENTS,
    CANDIDATES,
    CLUSTERS,
    COMPARISONS,
    EVALUATIONS,
    INDICES,
    PLANS,
    RETARGETS,
    SHORT_DESCRIPTIONS,
    STEPS,
    SUMMARIES,
    TURNS,
    UPDATES,
    YES_OR_NO,
    TextForm,
    TurnForm,
    in_random_style,
    in_style,
)
from quintet.parsing.candidates import read_candidates
from quintet.parsing.clusters import read_clusters
from quintet.parsing.decisions import read_decision
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_comparison, read_index
from quintet.parsing.judgements import read_verdict
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.retargets import read_retargeted
from quintet.parsing.revisions import read_revision
from quintet.ports.model import Completion, Sampling

ASKED = Prompt(system("Thought: why\nAction: one action"), user("Goal: craft 4 oak planks."))
PLAIN = "Thought: Planks come first. Next: craft 4 oak planks.\nAction: craft 4 oak planks using 1 oak logs"


def said(text: str, seed: int, sampling: Sampling | None = None) -> str:
    return in_style(Completion(text=text), ASKED, sampling or Sampling(max_tokens=512), seed).text


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("thought", ["", "Planks come first."])
def test_a_turn_in_every_style_is_the_same_decision(turn: TurnForm, thought: str) -> None:
    decision = read_decision(turn(thought, "craft 4 oak planks using 1 oak logs"))
    assert decision == Act(thought=thought, action="craft 4 oak planks using 1 oak logs")


@pytest.mark.parametrize("turn", TURNS)
def test_a_claim_in_every_style_is_the_same_claim(turn: TurnForm) -> None:
    assert read_decision(turn("", "task completed")) == Claim(thought="", completed=True)
    assert read_decision(turn("It is not there.", "task failed")) == Claim(completed=False, thought="It is not there.")


@pytest.mark.parametrize("form", CANDIDATES)
def test_candidates_in_every_style_are_the_same(form: TextForm) -> None:
    said = "Action: craft 4 oak planks using 1 oak logs (confidence 0.5)\nAction: get 1 wool (confidence 0.25)"
    named = [*read_candidates(said), *read_candidates("Action: task failed (confidence 0.25)")]
    assert len(named) == 3
    assert read_candidates(form(f"{said}\nAction: task failed (confidence 0.25)")) == named


ORDERS = ["(Step 1 AND Step 2)", "(Step 1 OR Step 2)", "((Step 1 OR Step 2) AND Step 3)"]


@pytest.mark.parametrize("form", PLANS)
@pytest.mark.parametrize("order", ORDERS)
def test_a_plan_in_every_style_is_the_same_plan(form: TextForm, order: str) -> None:
    steps = [f"Step {number}: fetch {number} oak logs" for number in (1, 2, 3) if f"Step {number}" in order]
    plain = "\n".join([*steps, f"Execution Order: {order}"])
    read = read_decomposition(form(plain))
    assert isinstance(read, Decomposed)
    assert read == read_decomposition(plain)


@pytest.mark.parametrize("form", UPDATES)
def test_a_rewritten_plan_in_every_style_is_the_same_plan(form: TextForm) -> None:
    assert read_revision(form("1. Fetch 1 log.\n2. Craft planks.")).text == "1. Fetch 1 log.\n2. Craft planks."


EVALUATION = "subgoal 1: find a mug - complete\nsubgoal 2: heat the mug - incomplete"
SUMMARY = "I saw nothing for the goal in/on desk 1, shelf 2. I held 3 oak logs. My last action was: go to desk 1."
TYPES = "High-level Type1: food: apple, egg [1, 3]\nHigh-level Type2: dishes and more: mug [2]"


@pytest.mark.parametrize("form", EVALUATIONS)
def test_an_evaluation_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_evaluation(form(EVALUATION)) == EVALUATION


@pytest.mark.parametrize("form", SUMMARIES)
def test_a_summary_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_summary(form(f"Summary: {SUMMARY}")) == SUMMARY


@pytest.mark.parametrize("form", CLUSTERS)
def test_types_in_every_style_are_the_same(form: TextForm) -> None:
    assert read_clusters(form(TYPES)) == (("food: apple, egg", (1, 3)), ("dishes and more: mug", (2,)))


@pytest.mark.parametrize("form", INDICES)
def test_an_index_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_index(form("[2]: it is about mug."), 3) == 2


@pytest.mark.parametrize("form", COMPARISONS)
def test_a_comparison_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_comparison(form("3: there the first process does go to desk 1, and the second look."), 4) == 3


LIST = "List\n1. get 2 oak logs\n2. craft 8 oak planks using 2 oak logs"
DESCRIPTION = "The action is to go to desk 1: You arrive at desk 1; On the desk 1, you see a mug 1."


@pytest.mark.parametrize("form", STEPS)
def test_the_steps_of_a_plan_in_every_style_are_the_same(form: TextForm) -> None:
    read = read_plan(form(LIST), "stop")
    assert isinstance(read, PlanMade)
    assert [step.text for step in read.steps] == ["get 2 oak logs", "craft 8 oak planks using 2 oak logs"]


@pytest.mark.parametrize("form", ALIGNMENTS)
@pytest.mark.parametrize("verdict", ["YES", "NO"])
def test_an_alignment_in_every_style_is_the_same(form: TextForm, verdict: str) -> None:
    assert read_alignment(form(f"{DESCRIPTION}\n{verdict}")) == (DESCRIPTION, verdict == "YES")


@pytest.mark.parametrize("form", YES_OR_NO)
def test_a_verdict_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_verdict(form("I compare what was done with this: get 1 stick.\nYES")) is True
    assert read_verdict(form("I compare what was done with this: get 1 stick.\nNO")) is False


@pytest.mark.parametrize("form", SHORT_DESCRIPTIONS)
def test_a_short_description_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_condensed(form("Short description: On the desk 1, you see a mug 1.")) == (
        "On the desk 1, you see a mug 1."
    )


@pytest.mark.parametrize("form", RETARGETS)
def test_the_same_move_in_every_style_is_the_same(form: TextForm) -> None:
    assert read_retargeted(form("New action is: take mug 2 from desk 1")) == "take mug 2 from desk 1"


@pytest.mark.parametrize(
    ("forms", "text"),
    [
        (STEPS, LIST),
        (ALIGNMENTS, f"{DESCRIPTION}\nYES"),
        (YES_OR_NO, "I compare it.\nNO"),
        (SHORT_DESCRIPTIONS, "Short description: a desk"),
        (RETARGETS, "New action is: look"),
        (EVALUATIONS, EVALUATION),
        (SUMMARIES, f"Summary: {SUMMARY}"),
        (CLUSTERS, TYPES),
        (INDICES, "[2]: it is so."),
        (COMPARISONS, "3: it is so."),
    ],
)
def test_styles_of_an_answer_differ(forms: list[TextForm], text: str) -> None:
    assert len({form(text) for form in forms}) == len(forms)


@pytest.mark.parametrize("forms", [PLANS, UPDATES])
def test_styles_of_a_text_differ(forms: list[TextForm]) -> None:
    plan = "Step 1: fetch 1 log\nStep 2: fetch 1 plank\nExecution Order: (Step 1 OR Step 2)"
    assert len({form(plan) for form in forms}) == len(forms)


def test_the_seed_and_the_prompt_draw_the_style_and_nothing_else_does() -> None:
    styles = {said(PLAIN, seed) for seed in range(200)}
    assert len(styles) > 3 * len(TURNS)
    assert said(PLAIN, 7) == said(PLAIN, 7, Sampling(max_tokens=512, seed=3, temperature=1.0))
    assert len({in_random_style(PLAIN, [user(str(number))], 7) for number in range(50)}) > len(TURNS)
    assert all(read_decision(text) == read_decision(PLAIN) for text in styles)


def test_what_has_no_room_in_a_style_is_said_without() -> None:
    room = Sampling(max_tokens=-(-len(PLAIN) // 4))
    assert {said(PLAIN, seed, room) for seed in range(50) if len(said(PLAIN, seed)) > 4 * room.max_tokens} == {PLAIN}


def test_styles_are_in_the_name_and_in_the_answers() -> None:
    plain, mixed = strong(), strong("mixed", 3)
    assert mixed.name == "sim-strong, mixed styles (simulated)"
    asked = [Prompt(ASKED.messages()[0], user(f"Goal: craft {number} oak planks.")) for number in range(30)]
    pairs = [asyncio.run(_both(plain, mixed, prompt)) for prompt in asked]
    assert sum(one != other for one, other in pairs) > 10


async def _both(plain: Simulated, mixed: Simulated, prompt: Prompt) -> tuple[str, str]:
    one, other = [await model.complete(prompt, Sampling(max_tokens=512)) for model in (plain, mixed)]
    return one.text, other.text
