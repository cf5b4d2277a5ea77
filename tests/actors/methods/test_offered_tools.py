"""What a model that calls tools is offered is what the session has that its action is for, in every method."""

from typing import Any

import pytest

from quintet.messages.environment import ListTools
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.method import Method
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.lats.config import LatsConfig
from quintet.methods.lats.lats import Lats
from quintet.methods.search.config import SearchConfig
from quintet.methods.search.search import Search
from quintet.questions.shape import AnswerForm
from tests.actors.fakes import (
    ALIGN_INSTRUCTIONS,
    JUDGE_INSTRUCTIONS,
    PLANNER_INSTRUCTIONS,
    VALUE_INSTRUCTIONS,
    Answering,
    Kitchens,
)
from tests.actors.methods.over_react import over_react
from tests.actors.stall import BOTH, FIRST, TAKE, Stall


def cook(said: list[str]) -> str:
    """The action of a cook who looks at what the kitchen answered."""
    return "Action: serve" if "You take salt." in "\n".join(said) else "Action: take salt"


def critic(said: list[str]) -> str:
    """What planner and reflector answer."""
    answers = {
        PLANNER_INSTRUCTIONS: "Step 1: serve\nExecution Order: Step 1",
        VALUE_INSTRUCTIONS: "Mark: 5",
        ALIGN_INSTRUCTIONS: "It was done.\nYES",
        JUDGE_INSTRUCTIONS: "YES" if "Supper is served." in "\n".join(said) else "NO",
    }
    return next(answer for instructions, answer in answers.items() if instructions in said[0])


def offers(method: Method[Any], *said: str, answers: AnswerForm = "tools") -> list[tuple[str, ...]]:
    """The names of the tools that each call for an action is offered, in an episode that serves supper.

    Args:
        said: the answers of these calls, in order; none: the cook's.
        answers: what the models' are.
    """
    given = iter(said)
    acting = Answering((lambda _: next(given)) if said else cook)
    kitchens = Kitchens(acting, Answering(critic), Stall(), reflecting=Answering(critic), answers=answers)
    assert kitchens.solve(method).reward == 1.0
    assert not [each for each in kitchens.asked if TAKE.parameters in str(each)], "tools travel with no request"
    assert len(kitchens.requests(ListTools)) == (len(acting.samplings) if answers == "tools" else 0)
    return [tuple(tool.name for tool in sampling.tools) for sampling in acting.samplings]


def test_a_subtask_is_offered_what_an_attempt_before_it_has_brought() -> None:
    answers = ("take salt", "task failed", "serve", "task completed")
    adapt = over_react(Adapt, max_depth=2, rollback=False)
    assert offers(adapt, *(f"Action: {each}" for each in answers)) == [FIRST, BOTH, BOTH, BOTH]


def test_going_back_takes_back_what_is_offered() -> None:
    answers = ("take salt", "task failed", "take salt", "serve", "task completed")
    adapt = over_react(Adapt, max_depth=2, rollback=True)
    assert offers(adapt, *(f"Action: {each}" for each in answers)) == [FIRST, BOTH, FIRST, BOTH, BOTH]


@pytest.mark.parametrize(
    "method",
    [
        Search(SearchConfig(candidates=1, depth=3)),
        Lats(LatsConfig(candidates=1, depth=3)),
        DevilsAdvocate(DevilsAdvocateConfig(remedies=0)),
    ],
    ids=lambda method: str(method.name),
)
def test_candidates_are_drawn_from_what_their_state_offers(method: Method[Any]) -> None:
    assert offers(method) == [FIRST, BOTH]


@pytest.mark.parametrize("answers", ["text", "schema"])
@pytest.mark.parametrize(
    "method", [over_react(Adapt), Search(SearchConfig(candidates=1, depth=3))], ids=["execute", "decide"]
)
def test_nothing_is_offered_and_no_session_is_asked_where_answers_are_no_calls(
    method: Method[Any], answers: AnswerForm
) -> None:
    assert set(offers(method, answers=answers)) == {()}
