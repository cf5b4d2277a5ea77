"""Every style has the same content, and is drawn by the seed."""

import asyncio

import pytest

from actors.models.scripted import Scripted
from actors.models.sim.styles import PLANS, TURNS, UPDATES, Form, Styled, Turn, dressed, styled
from actors.parsing.decisions import read_decision
from protocols.execution import Act, Claim
from protocols.models import Sampling
from protocols.prompts import Prompt, system, user

ASKED = Prompt(system("Thought: why\nAction: one action"), user("Goal: craft 4 oak planks."))
PLAIN = "Thought: Planks come first. Next: craft 4 oak planks.\nAction: craft 4 oak planks using 1 oak logs"


def said(text: str, seed: int, sampling: Sampling | None = None) -> str:
    model = Styled(Scripted([text], name="x (simulated)"), seed)
    return asyncio.run(model.complete(ASKED, sampling or Sampling(max_tokens=512))).text


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("thought", ["", "Planks come first."])
def test_a_turn_in_every_style_is_the_same_decision(turn: Turn, thought: str) -> None:
    decision = read_decision(turn(thought, "craft 4 oak planks using 1 oak logs"))
    assert decision == Act(thought=thought, action="craft 4 oak planks using 1 oak logs")


@pytest.mark.parametrize("turn", TURNS)
def test_a_claim_in_every_style_is_the_same_claim(turn: Turn) -> None:
    assert read_decision(turn("", "task completed")) == Claim(thought="", completed=True)
    assert read_decision(turn("It is not there.", "task failed")) == Claim(completed=False, thought="It is not there.")


@pytest.mark.parametrize("forms", [PLANS, UPDATES])
def test_styles_of_a_text_differ(forms: list[Form]) -> None:
    plan = "Step 1: fetch 1 log\nStep 2: fetch 1 plank\nExecution Order: (Step 1 OR Step 2)"
    assert len({form(plan) for form in forms}) == len(forms)


def test_the_seed_and_the_prompt_draw_the_style_and_nothing_else_does() -> None:
    styles = {said(PLAIN, seed) for seed in range(200)}
    assert len(styles) > 3 * len(TURNS)
    assert said(PLAIN, 7) == said(PLAIN, 7, Sampling(max_tokens=512, seed=3, temperature=1.0))
    assert len({dressed(PLAIN, [user(str(number))], 7) for number in range(50)}) > len(TURNS)
    assert all(read_decision(text) == read_decision(PLAIN) for text in styles)


def test_what_has_no_room_in_a_style_is_said_without() -> None:
    room = Sampling(max_tokens=-(-len(PLAIN) // 4))
    assert {said(PLAIN, seed, room) for seed in range(50) if len(said(PLAIN, seed)) > 4 * room.max_tokens} == {PLAIN}


def test_plain_is_the_model_itself_and_styles_are_in_the_name() -> None:
    model = Scripted(["x"], name="sim-weak (simulated)")
    assert styled(model, "plain", 0) is model
    assert styled(model, "mixed", 0).name == "sim-weak, mixed styles (simulated)"
