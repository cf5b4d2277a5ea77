"""ExpeL's episodes: trials where a learner gathers experience, one attempt otherwise."""

from quintet.messages.execution import Execute
from quintet.messages.reflection import LookBack
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.expel.config import ExpelLearning
from quintet.methods.expel.expel import Expel
from quintet.methods.expel.learning import GATHER, ExpelLearner
from tests.actors.fakes import GOAL, SETTING, Answering, Kitchens, Script
from tests.actors.methods.over_react import over_react

FAILS = ("Action: taste", "Action: task failed")
SERVES = ("Action: serve", "Action: task completed")


def play(purpose: str, *said: str, trials: int = 4) -> tuple[Solved | Unsolved, Kitchens]:
    roles = Kitchens(Script({GOAL: [*said]}), reflecting=Answering(lambda _prompt: "Reflection: Serve."))
    return roles.solve(over_react(Expel, None, trials=trials), purpose=purpose), roles


def test_a_learner_that_gathers_experience_is_told_every_trial_with_its_reward() -> None:
    answer, roles = play(GATHER, *FAILS, *FAILS, *SERVES)
    assert len(roles.requests(LookBack)) == 2
    assert [each.reward for each in answer.processes] == [0.5, 0.5, 1.0]
    assert {(each.goal, each.setting) for each in answer.processes} == {(GOAL, SETTING)}
    assert len({each.session for each in answer.processes}) == 3
    assert answer.session is not None
    assert answer.session.id == answer.processes[-1].session


def test_the_trials_end_with_their_number() -> None:
    answer, _ = play(GATHER, *FAILS, *FAILS, trials=2)
    assert [each.reward for each in answer.processes] == [0.5, 0.5]
    assert isinstance(answer, Unsolved)


def test_the_trial_that_counts_comes_last_since_a_verdict_is_about_it() -> None:
    answer, _ = play(GATHER, *FAILS, "Action: task failed", trials=2)
    assert [each.reward for each in answer.processes] == [0.0, 0.5]
    assert answer.session is not None
    assert answer.session.id == answer.processes[-1].session


def test_any_other_episode_is_one_attempt_without_a_look_at_its_reward() -> None:
    answer, roles = play("", *FAILS)
    assert isinstance(answer, Unsolved)
    assert len(roles.requests(Execute)) == 1
    assert roles.requests(LookBack) == []
    assert answer.processes == ()


def test_along_a_stream_a_task_is_attempted_once_and_told_as_one_process() -> None:
    answer, roles = play(ExpelLearner(ExpelLearning(), stream=True).purpose(0), *FAILS)
    assert len(roles.requests(Execute)) == 1
    assert roles.requests(LookBack) == []
    assert answer.session is not None
    assert [each.session for each in answer.processes] == [answer.session.id]
