import pytest

from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.prompts import Prompts
from quintet.models.sim.textcraft.formalizing import formal

FORMS = Prompts(AutoPlan.prompt_folders, "textcraft").text("execute.formalizer")


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ("get 2 oak logs", "get 2 oak logs"),
        ("fetch an iron ingot.", "get 1 iron ingot"),
        ("I will craft 4 oak planks using 1 oak logs", "craft 4 oak planks using 1 oak logs"),
        ("make a bucket from 3 iron ingot and 1 stick", "craft 1 bucket using 3 iron ingot, 1 stick"),
        ("get the lily of the valley", "get 1 lily of the valley"),
        (
            "craft 1 carrot on a stick using 1 fishing rod, 1 carrot",
            "craft 1 carrot on a stick using 1 fishing rod, 1 carrot",
        ),
        ("check my inventory", "inventory"),
        ("sing a song", "sing a song"),
    ],
)
def test_an_action_is_put_in_a_form_that_is_listed(raw: str, action: str) -> None:
    assert formal(FORMS, raw) == action


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert formal("Rewrite it.\n- go to <place>", "inventory") is None
