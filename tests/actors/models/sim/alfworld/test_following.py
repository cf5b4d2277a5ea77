import pytest

from quintet.messages.prompts import assistant, system, user
from quintet.models.sim.alfworld.following import step_at
from quintet.models.sim.alfworld.mind import mind
from quintet.models.sim.alfworld.task import read_prompt
from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.skills import STRONG
from quintet.ports.model import Sampling

ROOM = "You are in the middle of a room. Looking quickly around you, you see a desk 1, and a microwave 1."
PLAN = (
    "1. Look for the object.\n2. Take it.\n3. Heat it.\n4. Go to the place and lay it down: move <object> to <place>."
)
TAKEN = ("take egg 1 from desk 1", "You pick up the egg 1 from the desk 1.")
HEATED = ("heat egg 1 with microwave 1", "You heat the egg 1 using the microwave 1.")


@pytest.mark.parametrize(("steps", "number"), [((), 1), ((TAKEN,), 3), ((TAKEN, HEATED), 4)])
def test_one_is_at_the_step_that_is_about_what_comes_next(steps: tuple[tuple[str, str], ...], number: int) -> None:
    messages = [system(""), user(f"{ROOM}\n\nGoal: put a hot egg in desk.")]
    for action, answer in steps:
        messages += [assistant(f"Action: {action}"), user(answer)]
    reading = read_prompt(messages)
    assert reading is not None
    now = mind(reading, STRONG, Chance(messages, Sampling()), Misreading(0))
    assert step_at(PLAN, now) == number
    assert step_at("", now) is None
