import pytest

from quintet.messages.execution import Act
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.alfworld.player import AlfworldPlayer
from quintet.models.sim.model import strong, weak
from quintet.parsing.candidates import read_candidates
from tests.actors.models.sim.alfworld.playing import world
from tests.actors.models.sim.answers import action_in, said
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


CHOICES = f"{ROOM[:-1]}, a shelf 1, and a drawer 1.\n\nGoal: put a hot egg in desk."


def choose(*steps: tuple[str, str], beside: str) -> str:
    prompt = Prompt(system("Thought: why\nAction: one action"), user(CHOICES))
    for action, answer in steps:
        prompt = prompt.extend(assistant(f"Action: {action}"), user(answer))
    *_, last = prompt.node.appended
    return said(strong(), prompt.reworded(f"{last.content}\n\n{beside}"))


def test_other_places_are_named_than_those_that_were_tried() -> None:
    tried: list[str] = []
    for _ in range(4):
        listed = "\n".join(f"- {action}" for action in tried or ["look"])
        tried.append(action_in(choose(beside=f"Tried already:\n{listed}\nChoose another one.")))
    assert len(set(tried)) == 4
    assert all(action.startswith("go to ") for action in tried)


def test_candidates_are_the_places_in_the_order_in_which_it_would_look() -> None:
    weigh = "Name 3 actions.\nAction: one action (confidence 0.6)"
    read = read_candidates(choose(beside=weigh))
    assert [each.confidence for each in read] == [0.5, 0.25, 0.25]
    assert len({repr(each.decision) for each in read}) == 3


def test_what_has_to_come_next_comes_first_and_something_else_after_it() -> None:
    weigh = "Name 2 actions.\nAction: one action (confidence 0.6)"
    first, second = read_candidates(choose(TAKEN, beside=weigh))
    assert first.decision == Act(thought="", action="go to microwave 1")
    assert second.decision != first.decision
