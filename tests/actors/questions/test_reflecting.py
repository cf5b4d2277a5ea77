"""The reflector's questions about what was done, beside what all have in common; and prompts that a method lacks."""

from typing import Any

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.messages.learning import Experience
from quintet.messages.message import Request
from quintet.messages.reflection import Choose, Compare, Compared, LookBack, Reflect, Value, Valued
from quintet.questions.judging import JUDGING
from quintet.questions.reflecting import REFLECTING
from quintet.roles.asking import Asker, Asking
from quintet.roles.role import PromptTexts
from quintet.roles.role_model import RoleModel
from quintet.roles.sir import reflect
from tests.actors.fakes import GOAL, PROMPTS, SAMPLING, SETTING, Answering, ask, contents, converse
from tests.actors.questions.test_questions import CASES

LOOK_BACK = LookBack(setting=SETTING, goal=GOAL, turns=())


def test_without_a_reason_and_turns_a_trial_has_only_failed() -> None:
    _, model = ask(LOOK_BACK, "I will serve.")
    question = "Write your reflection now: what will you do differently next time?"
    assert contents(model.prompts[0])[-1].endswith(f"Goal: {GOAL}.\n\nThe attempt failed.\n\n{question}")


def test_earlier_reflections_are_shown_as_the_executor_sees_them() -> None:
    _, model = ask(replace(LOOK_BACK, earlier=("Buy salt.", "Do not burn.")), "I will serve.")
    learnt = "What was learnt from failed attempts at this task:\n\nBuy salt.\n\nDo not burn."
    assert contents(model.prompts[0])[0] == f"system: {PROMPTS['look_back']}\n\n{learnt}"


def test_a_process_without_a_turn_is_shown_too() -> None:
    request = CASES["compare"].request
    assert isinstance(request, Compare)
    reply, model = ask(replace(request, worse=()), "1: it acts at all")
    assert reply == Compared(step=1)
    assert "Process 2:\n\n(nothing)" in contents(model.prompts[0])[1]


def test_a_method_needs_only_the_prompts_of_the_requests_that_it_asks() -> None:
    model = RoleModel(Answering(lambda _said: "Mark: 10"), SAMPLING)
    prompts = PromptTexts({"value": PROMPTS["value"]}, method="search", world="kitchen")
    actor = Asking(Asker(model, prompts), (*REFLECTING, *JUDGING), {Reflect: reflect})
    assert converse(lambda: actor.receive(Value(setting=SETTING, goal=GOAL, turns=()))) == Valued(value=1.0)
    others: dict[str, Request[Any]] = {
        "reflect": Reflect(experience=Experience(task="supper", opening="", turns=()), plan="", succeeded=False),
        "look_back": LOOK_BACK,
        "choose": Choose(setting=SETTING, goal=GOAL, options=((),)),
    }
    for name, request in others.items():
        with pytest.raises(UsageError, match=f"prompts of search for kitchen: expected one of value, got '{name}'"):
            converse(lambda request=request: actor.receive(request))  # type: ignore[misc]
