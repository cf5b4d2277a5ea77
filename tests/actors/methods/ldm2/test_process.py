"""One process: every step from a prompt of its own, what ends it, and what it makes of answers that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.environment import Step
from quintet.messages.execution import Decide, Turn
from quintet.messages.memory import Summarize
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.ldm2.learning import EXPLORE
from quintet.methods.ldm2.process import find_difference
from quintet.roles.turn_text import ENDED
from tests.actors.fakes import SETTING, Kitchen
from tests.actors.methods.ldm2.kitchen import Ldm2Kitchen, actions_of, situation_of
from tests.actors.stall import Stall


def test_every_step_is_told_the_situation_and_no_turns() -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "taste", "serve"][done])
    roles.play()
    asked = roles.requests(Decide)
    assert {(request.history, request.thoughts, request.n) for request in asked} == {((), False, 1)}
    assert [situation_of(request).observation for request in asked] == [SETTING, "", "Not bad."]
    assert [situation_of(request).summary for request in asked] == ["0 actions", "1 actions", "2 actions"]
    assert {situation_of(request).evaluation for request in asked} == {"subgoal 1: serve - incomplete"}


def test_tools_are_asked_of_the_session_in_which_the_process_acts() -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["take salt", "serve"][done], world=Stall())
    roles.play()
    assert [each.tools_of for each in roles.requests(Decide)] == [step.session for step in roles.requests(Step)]


class Paged(Kitchen):
    """Its setting is a page."""

    opens_on_page = True


@pytest.mark.parametrize("purpose", ["", EXPLORE])
def test_a_page_that_is_gone_stands_in_no_prompt_for_an_action(purpose: str) -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "serve"][done], world=Paged())
    roles.play(purpose)
    asked = roles.requests(Decide)
    assert {(each.setting, bool(situation_of(each).observation)) for each in asked} == {("", False), ("", True)}
    assert situation_of(asked[0]).observation == SETTING


def test_after_a_rejected_action_another_one_is_asked_for_in_the_same_situation() -> None:
    def menu(request: Decide, _batch: int, done: int) -> str:
        return ["fly", "swim", "wait"][len(request.instead_of)] if not done else "serve"

    roles = Ldm2Kitchen(menu)
    answer = roles.play()
    assert [request.instead_of for request in roles.requests(Decide)] == [(), ("fly",), ("fly", "swim"), ()]
    assert len(roles.requests(Summarize)) == 2
    assert actions_of(answer.turns) == ["wait", "serve"]
    assert [step.action for step in roles.requests(Step)] == ["fly", "swim", "wait", "serve"]


def test_after_an_answer_without_an_action_the_form_is_shown_with_the_same_situation() -> None:
    def menu(request: Decide, _batch: int, done: int) -> str:
        return "serve" if request.history else "mumble"

    roles = Ldm2Kitchen(menu)
    assert isinstance(roles.play(), Solved)
    (reminded,) = roles.requests(Decide)[1].history
    assert reminded.completion == "Action: mumble"
    assert "Action: one action" in reminded.observation
    assert len(roles.requests(Summarize)) == 1


def test_a_finished_process_shows_no_reward() -> None:
    answer = Ldm2Kitchen(lambda _request, _batch, _done: "sell").play()
    assert (answer.reward, [turn.observation for turn in answer.turns]) == (0.5, [ENDED])


@pytest.mark.parametrize(
    ("said", "reason", "steps"),
    [
        ("taste", "the same action with the same answer too often in a row", 3),
        ("fly", "the same action with the same answer too often in a row", 0),
        ("mumble", "out of steps", 0),
        ("claim", "the model claims success", 0),
        ("full", "context full", 0),
        ("refuse", "a model refuses", 0),
    ],
)
def test_what_ends_a_process(said: str, reason: str, steps: int) -> None:
    answer = Ldm2Kitchen(lambda _request, _batch, _done: said, max_repeats=3).play()
    assert isinstance(answer, Unsolved)
    assert (answer.reason, len(answer.turns)) == (reason, steps)


def test_its_steps_are_bounded() -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "taste"][done % 2], max_steps=5)
    answer = roles.play()
    assert isinstance(answer, Unsolved)
    assert (answer.reason, len(answer.turns), answer.reward) == ("out of steps", 5, 0.5)


def test_the_same_action_may_be_repeated_as_often_as_it_likes() -> None:
    answer = Ldm2Kitchen(lambda _request, _batch, _done: "taste").play()
    assert isinstance(answer, Unsolved)
    assert (answer.reason, len(answer.turns)) == ("out of steps", 6)


turns = st.lists(st.sampled_from([Turn(completion=text, observation="") for text in "abc"]), max_size=5)


@given(better=turns.filter(bool), worse=turns)
def test_the_first_difference_is_a_turn_of_the_better_process_and_all_before_are_equal(
    better: list[Turn], worse: list[Turn]
) -> None:
    first = find_difference(better, worse)
    assert 1 <= first <= len(better)
    assert better[: first - 1] == worse[: first - 1]
    assert better == worse[: len(better)] or better[first - 1 : first] != worse[first - 1 : first]
