"""One attempt at a task, several at once of which the reflector chooses, or one after the other; never by rewards."""

from collections.abc import Sequence
from typing import Any

import pytest

from quintet.messages.environment import Close
from quintet.messages.execution import Execute
from quintet.messages.parts import FreeText, TaskPlan
from quintet.messages.reflection import Choose
from quintet.methods.reasoning_bank.reasoning_bank import ReasoningBank
from quintet.ports.model import SamplingOverride
from tests.actors.fakes import GOAL, Answering, Kitchens
from tests.actors.methods.over_react import over_react
from tests.actors.methods.trials import trial_of

FAILS = ["Action: task failed"]
SERVES = ["Action: serve", "Action: task completed"]
TASTES = ["Action: taste", "Action: task failed"]
GIVEN = TaskPlan(text="Serve.")


class Play:
    """An episode, by what the model says in each attempt, and what the reflector chooses."""

    def __init__(self, *attempts: Sequence[str], chosen: str = "Choice: 1", **config: Any) -> None:
        self._fresh = [*attempts]
        self._begun: list[Sequence[str]] = []
        self.roles = Kitchens(Answering(self._say), reflecting=Answering(lambda _said: chosen))
        method = over_react(ReasoningBank, attempts=len(attempts), **config)
        self.answer = self.roles.solve(method, given=(GIVEN,))
        self.runs = self.roles.requests(Execute)

    def _say(self, said: list[str]) -> str:
        """The first words of the next attempt, or the next words of one that has said as much as the prompt shows."""
        turns = [text.removeprefix("assistant: ") for text in said if text.startswith("assistant: ")]
        if not turns:
            self._begun.append(self._fresh.pop(0))
            return self._begun[-1][0]
        now = next(each for each in self._begun if each[: len(turns)] == turns and len(each) > len(turns))
        if len(now) == len(turns) + 1:
            self._begun.remove(now)
        return now[len(turns)]


def test_without_scaling_there_is_one_attempt_as_configured_and_no_choice() -> None:
    play = Play(SERVES)
    assert [run.sampling for run in play.runs] == [None]
    assert (play.answer.reward, play.roles.requests(Choose), play.roles.noted) == (1.0, [], [])


@pytest.mark.parametrize("chosen", [1, 2, 3])
def test_of_parallel_attempts_the_reflector_chooses_one_whatever_it_earned(chosen: int) -> None:
    attempts = [TASTES, SERVES, ["Action: taste", "Action: wait", "Action: task failed"]]
    play = Play(*attempts, chosen=f"Choice: {chosen}", scaling="parallel", temperature=0.9, top_p=0.8)
    assert {run.sampling for run in play.runs} == {SamplingOverride(temperature=0.9, top_p=0.8)}
    assert len({run.session.id for run in play.runs}) == 3
    (choice,) = play.roles.requests(Choose)
    assert choice.ended == (1, 2, 3)
    assert play.answer.turns == choice.options[chosen - 1]
    assert play.answer.session is not None
    closed = {asked.session.id for asked in play.roles.requests(Close)}
    assert closed == {run.session.id for run in play.runs} - {play.answer.session.id}


def test_equal_attempts_need_no_choice() -> None:
    play = Play(TASTES, TASTES, scaling="parallel")
    assert not play.roles.requests(Choose)
    assert play.answer.session == play.runs[0].session


def test_where_the_reflector_makes_no_choice_the_first_attempt_counts() -> None:
    play = Play(TASTES, SERVES, chosen="Hm.", scaling="parallel")
    assert play.answer.session == play.runs[0].session


def test_a_sequential_attempt_is_shown_the_one_before_it_and_the_last_one_counts() -> None:
    play = Play(SERVES, TASTES, FAILS, scaling="sequential")
    shown = [[part.text for part in run.parts if isinstance(part, FreeText)] for run in play.runs]
    assert [len(texts) for texts in shown] == [0, 1, 1]
    assert "Action: serve\nObservation: Supper is served." in shown[1][0]
    assert "Action: taste\nObservation: Not bad." in shown[2][0]
    assert "serve\n" not in shown[2][0]
    assert all(GIVEN in run.parts and run.goal == GOAL for run in play.runs)
    assert (play.answer.reward, play.answer.session) == (0.0, play.runs[2].session)
    assert [asked.session for asked in play.roles.requests(Close)] == [run.session for run in play.runs[:2]]


@pytest.mark.parametrize("scaling", ["parallel", "sequential"])
def test_every_attempt_is_journaled_and_may_be_learnt_from(scaling: str) -> None:
    play = Play(SERVES, TASTES, scaling=scaling)
    assert sorted(map(trial_of, play.roles.noted)) == [(1, 1, 1.0), (2, 1, 0.5)]
    assert [each.session for each in play.answer.processes] == [run.session.id for run in play.runs]
    assert {each.goal for each in play.answer.processes} == {GOAL}


@pytest.mark.parametrize(
    ("scaling", "budget", "calls"), [("none", "1 x 20", 20), ("parallel", "4 x 20", 82), ("sequential", "4 x 20", 80)]
)
def test_reports_know_what_it_may_cost_and_whether_it_is_a_best_of_several(
    scaling: str, budget: str, calls: int
) -> None:
    method = over_react(ReasoningBank, scaling=scaling, attempts=4)
    assert (method.describe().budget, method.describe().oracle) == (budget, "")
    assert bool(method.describe().best_of) == (scaling != "none")
    assert method.most_calls() == calls
