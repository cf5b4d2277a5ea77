import pytest

from quintet.models.sim.alfworld.formalizing import formal
from quintet.models.sim.model import weak
from tests.actors.models.sim.alfworld.playing import world
from tests.actors.models.sim.autoplan import School

FORMS = School(world(), weak()).text("execute.formalizer")
CLASSIC = School(world("classic"), weak()).text("execute.formalizer")


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
    assert formal(FORMS, raw) == action


def test_the_form_is_that_of_the_dialect() -> None:
    assert formal(CLASSIC, "move mug 2 to desk 1") == "put mug 2 in/on desk 1"


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert formal("Rewrite it.\n- get <count> <item>", "go to desk 1") is None
