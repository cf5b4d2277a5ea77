import pytest

from quintet.errors import UsageError
from quintet.messages.learning import Experience
from quintet.messages.reflection import Choose, LookBack, Reflect, ReflectorRequest, Value, Valued
from quintet.roles.asking import Asking
from quintet.roles.role import PromptTexts
from quintet.roles.role_model import RoleModel
from tests.actors.asking import start_reflector
from tests.actors.fakes import GOAL, SAMPLING, SETTING, VALUE_INSTRUCTIONS, Answering, converse

OTHERS: list[ReflectorRequest] = [
    Reflect(experience=Experience(task="supper", opening="", turns=()), plan="", succeeded=False),
    LookBack(setting=SETTING, goal=GOAL, turns=()),
    Choose(setting=SETTING, goal=GOAL, options=((),)),
]


def reflector() -> Asking:
    model = RoleModel(Answering(lambda _said: "Mark: 10"), SAMPLING)
    return start_reflector(model, PromptTexts({"value": VALUE_INSTRUCTIONS}, world="kitchen"))


def test_a_method_needs_only_the_prompts_of_the_requests_that_it_asks() -> None:
    actor = reflector()
    assert converse(lambda: actor.receive(Value(setting=SETTING, goal=GOAL, turns=()))) == Valued(value=1.0)


@pytest.mark.parametrize("request_", OTHERS, ids=lambda request: type(request).__name__)
def test_a_request_whose_prompt_is_missing_is_an_error_that_names_it(request_: ReflectorRequest) -> None:
    actor = reflector()
    with pytest.raises(
        UsageError, match=r"prompt: expected one of value for kitchen, got '(reflect|look_back|choose)'"
    ):
        converse(lambda: actor.receive(request_))
