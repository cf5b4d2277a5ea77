import pytest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.alfworld.player import AlfworldPlayer
from quintet.models.sim.model import strong, weak
from tests.actors.models.sim.alfworld.playing import world
from tests.actors.models.sim.answers import said
from tests.actors.models.sim.autoplan import TrainingWorld

FORMS = TrainingWorld(world(), weak()).texts["execute.formalizer"]
CLASSIC = TrainingWorld(world("classic"), weak()).texts["execute.formalizer"]


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ("go to desk 1", "go to desk 1"),
        ("I will walk to the desk 1.", "go to desk 1"),
        ("pick up the mug 2 from desk 1", "take mug 2 from desk 1"),
        ("put mug 2 in/on desk 1", "move mug 2 to desk 1"),
        ("place mug 2 on the desk 1", "move mug 2 to desk 1"),
        ("heat egg 1 in the microwave 1", "heat egg 1 with microwave 1"),
        ("turn on desklamp 1", "use desklamp 1"),
        ("check inventory", "inventory"),
        ("take tomato from countertop 1", "take tomato from countertop 1"),
        ("sing a song", "sing song"),
    ],
)
def test_an_action_is_put_in_a_form_that_is_listed(raw: str, action: str) -> None:
    assert AlfworldPlayer().formalize(raw, FORMS) == action


def test_the_form_is_that_of_the_dialect() -> None:
    assert AlfworldPlayer().formalize("move mug 2 to desk 1", CLASSIC) == "put mug 2 in/on desk 1"


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert AlfworldPlayer().formalize("go to desk 1", "Rewrite it.\n- get <count> <item>") is None


ROOM = "You are in the middle of a room. Looking quickly around you, you see a desk 1, and a microwave 1."
PLAN = (
    "1. Look for the object.\n2. Take it.\n3. Heat it.\n4. Go to the place and lay it down: move <object> to <place>."
)
TAKEN = ("take egg 1 from desk 1", "You pick up the egg 1 from the desk 1.")
HEATED = ("heat egg 1 with microwave 1", "You heat the egg 1 using the microwave 1.")


@pytest.mark.parametrize(("steps", "number"), [((), 1), ((TAKEN,), 3), ((TAKEN, HEATED), 4)])
def test_one_is_at_the_step_that_is_about_what_comes_next(steps: tuple[tuple[str, str], ...], number: int) -> None:
    def thought(instructions: str) -> str:
        prompt = Prompt(system(instructions), user(f"{ROOM}\n\nGoal: put a hot egg in desk."))
        for action, answer in steps:
            prompt = prompt.extend(assistant(f"Action: {action}"), user(answer))
        return said(strong(), prompt.extend(user("Answer with a thought alone.")))

    assert thought(f"A plan for such tasks:\n\n{PLAN}").startswith(f"Thought: I am at step {number} of the plan. ")
    assert "step" not in thought("Act.")
