import pytest

from quintet.messages.environment import AskExpert
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from tests.actors.fakes import Kitchens, Script
from tests.actors.methods.pantry import Pantry


def pantry(advice: dict[int, tuple[str, ...] | None]) -> Kitchens:
    return Kitchens(Script({}), world=Pantry(advice=advice))


def test_the_expert_is_asked_once_and_followed_to_the_end() -> None:
    roles = pantry({0: ("take salt", "serve", "burn")})
    solved = roles.solve(Expert(ExpertConfig()))
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.claimed, solved.depth) == (1.0, True, None, 1)
    assert roles.actions == ["take salt", "serve"]
    assert len(roles.requests(AskExpert)) == 1


def test_it_is_asked_again_where_its_actions_did_not_end_the_task() -> None:
    roles = pantry({0: ("take salt",), 1: ("serve",)})
    assert isinstance(roles.solve(Expert(ExpertConfig())), Solved)
    assert roles.actions == ["take salt", "serve"]
    assert len(roles.requests(AskExpert)) == 2


def test_it_is_asked_again_after_an_action_that_was_rejected() -> None:
    roles = pantry({0: ("take salt", "fly", "burn"), 1: ("serve",)})
    assert isinstance(roles.solve(Expert(ExpertConfig())), Solved)
    assert roles.actions == ["take salt", "fly", "serve"]


def test_its_answer_says_what_was_done() -> None:
    assert pantry({0: ("take salt", "serve")}).solve(Expert(ExpertConfig())).turns == (
        Turn(completion="Action: take salt", observation="You take salt."),
        Turn(completion="Action: serve", observation="Supper is served."),
    )
    assert pantry({0: ()}).solve(Expert(ExpertConfig())).turns == ()


@pytest.mark.parametrize(("advice", "steps"), [(("wait",), 7), (("wait", "fly", "wait"), 7)])
def test_an_expert_that_leads_nowhere_is_followed_for_so_many_actions(advice: tuple[str, ...], steps: int) -> None:
    roles = pantry({0: advice})
    unsolved = roles.solve(Expert(ExpertConfig(max_steps=steps)))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.claimed, len(roles.actions)) == ("out of actions", None, steps)


def test_a_task_that_ends_badly_is_unsolved() -> None:
    unsolved = pantry({0: ("taste", "burn")}).solve(Expert(ExpertConfig()))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.done, unsolved.reward, unsolved.reason) == (
        True,
        0.5,
        "the world is done with a reward of 0.50 of 1",
    )


@pytest.mark.parametrize(
    ("advice", "reason"), [(None, "the world knows of no expert"), ((), "the expert knows no way")]
)
def test_without_advice_it_ends_unsolved_and_says_so(advice: tuple[str, ...] | None, reason: str) -> None:
    roles = pantry({0: advice})
    unsolved = roles.solve(Expert(ExpertConfig()))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, unsolved.reward, roles.actions) == (reason, 0.0, [])
