import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.messages.prompts import Prompt, system, user
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.models.sim.model import strong
from quintet.models.sim.webarena.player import WebarenaPlayer
from quintet.plugins.prompts import find_prompts
from tests.actors.models.sim.answers import said
from tests.actors.models.sim.webarena.paper_site import TASKS, PaperSite
from tests.actors.models.sim.webarena.playing import instructions

FORMS = find_prompts(AutoPlan, "webarena").text("execute.formalizer")
OPENING = PaperSite(TASKS["link"]).opening


def asked(goal: str) -> str:
    return said(strong(), Prompt(system(instructions()), user(f"{OPENING.setting}\n\nGoal: {goal}.")))


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ("click [12]", "click [12]"),
        ("I will click on the link 12.", "click [12]"),
        ("scroll down", "scroll [down]"),
        ("open http://reddit.com/f/books", "goto [http://reddit.com/f/books]"),
        ("answer with 38", "stop [38]"),
        ("sing a song", "sing a song"),
    ],
)
def test_an_action_is_put_in_a_form_that_is_listed(raw: str, action: str) -> None:
    assert WebarenaPlayer().formalize(raw, FORMS) == action


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert WebarenaPlayer().formalize("click [12]", "Rewrite it.\n- get <count> <item>") is None


@settings(max_examples=15)
@given(st.text(max_size=60))
def test_any_goal_is_answered_with_an_action(goal: str) -> None:
    goal = " ".join(goal.split()) or "x"
    answer = asked(goal)
    assert "Action: " in answer or answer == "I do not understand."


def test_a_goal_of_ten_thousand_characters_is_answered() -> None:
    for goal in ("and " * 2500, "the Mug " * 1250, '"' * 10_000, "open: " + "a" * 10_000):
        assert "Action: " in asked(goal)


@pytest.mark.parametrize("words", ["I thought it was larger.", "The summary: one thought.", "Revise the plan: a flaw."])
def test_words_on_a_page_ask_for_nothing(words: str) -> None:
    page = OPENING.setting.replace("The Mug Shop", words)
    answer = said(strong(), Prompt(system(instructions()), user(f"{page}\n\nGoal: Open the Kitchen page.")))
    assert answer.endswith("Action: click [3]")


def test_a_target_gets_the_number_that_it_has_now() -> None:
    prompt = find_prompts(DevilsAdvocate, "webarena")
    shown = (
        "The action to map: click [3]\n\nWhat was seen then:\n[1] RootWebArea 'A'\n[2] link 'B'\n[3] link 'B'\n\n"
        "What is seen now:\n[1] RootWebArea 'A'\n[2] link 'C'\n[3] link 'B'\n[4] link 'B'"
    )
    assert said(strong(), Prompt(system(prompt.text("retarget")), user(shown))) == "New action is: click [4]"
