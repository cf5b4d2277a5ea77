from collections.abc import Mapping, Sequence
from typing import Any

from quintet.messages.execution import Execute
from quintet.messages.parts import TaskPlan
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.try_again.try_again import TryAgain
from quintet.ports.model import SamplingOverride
from tests.actors.fakes import GOAL, Kitchens, Script
from tests.actors.methods.over_react import over_react
from tests.actors.methods.trials import trial_of

FAILS = ["Action: task failed"]
SERVES = ["Action: serve", "Action: task completed"]
TASTES = ["Action: taste", "Action: task failed"]
CLAIMS = ["Action: task completed"]


class Play:
    """An episode, by what the model says in each trial."""

    def __init__(self, *trials: Sequence[str], inner: Mapping[str, Any] | None = None, **config: Any) -> None:
        self.model = Script({GOAL: [answer for trial in trials for answer in trial]})
        self.roles = Kitchens(self.model)
        self.answer = self.roles.solve(over_react(TryAgain, inner, **config), given=(TaskPlan(text="Serve."),))
        self.runs = self.roles.requests(Execute)


def test_the_first_trial_is_sampled_as_configured_and_the_others_at_their_temperature() -> None:
    play = Play(FAILS, FAILS, FAILS, trials=3, temperature=0.7, top_p=0.9)
    again = SamplingOverride(temperature=0.7, top_p=0.9)
    assert [asked.sampling for asked in play.runs] == [None, again, again]


def test_a_full_reward_ends_the_trials() -> None:
    play = Play(FAILS, SERVES, trials=4)
    assert isinstance(play.answer, Solved)
    assert (play.answer.reward, play.answer.claimed, len(play.runs)) == (1.0, True, 2)
    assert play.answer.session == play.runs[1].session
    assert [turn.completion for turn in play.answer.turns] == ["Action: serve"]


def test_the_trial_with_the_greatest_reward_counts_whatever_it_claims() -> None:
    play = Play(CLAIMS, TASTES, FAILS, trials=3)
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reward, play.answer.claimed, play.answer.session) == (0.5, False, play.runs[1].session)


def test_of_equally_good_trials_the_first_counts() -> None:
    play = Play(CLAIMS, FAILS, trials=2)
    assert isinstance(play.answer, Solved)
    assert (play.answer.reward, play.answer.session) == (0.0, play.runs[0].session)


def test_every_trial_is_journaled() -> None:
    play = Play(TASTES, CLAIMS, SERVES, trials=4)
    assert [trial_of(event) for event in play.roles.noted] == [(1, 1, 0.5), (2, 0, 0.0), (3, 1, 1.0)]


def test_every_trial_has_the_parts_and_the_budget() -> None:
    play = Play(FAILS, FAILS, trials=2, inner={"max_steps": 9, "patience": 2})
    assert {(asked.max_calls, asked.patience) for asked in play.runs} == {(9, 2)}
    assert len({asked.parts for asked in play.runs}) == 1
    assert play.runs[0].parts[-1] == TaskPlan(text="Serve.")


def test_one_trial_is_one_run_of_the_executor() -> None:
    assert len(Play(FAILS, trials=1).runs) == 1
