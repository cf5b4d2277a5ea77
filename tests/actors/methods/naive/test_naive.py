from quintet.messages.environment import AskExpert
from quintet.messages.solving import Unsolved
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.naive.naive import Naive
from tests.actors.fakes import Kitchens, Script


def test_a_world_without_a_naive_policy_ends_unsolved_and_says_so() -> None:
    roles = Kitchens(Script({}))
    unsolved = roles.solve(Naive(ExpertConfig()))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reason, roles.actions) == ("the world knows of no naive policy", [])
    assert [request.policy for request in roles.requests(AskExpert)] == ["naive"]
