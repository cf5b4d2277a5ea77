import pytest

from quintet.messages.environment import Session, Stepped
from quintet.messages.execution import Executed, Stop, Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.verdict import verdict, without_claim

HERE = Session(id="a", host="b")
TURNS = (Turn(completion="Action: wait", observation=""),)


def test_a_completed_run_is_solved() -> None:
    executed = Executed(completed=True, claimed=None, stop="done", reward=1.0, done=True, calls=3, turns=TURNS)
    assert verdict(executed, session=HERE, depth=2) == Solved(
        session=HERE, reward=1.0, done=True, claimed=None, depth=2, turns=TURNS
    )


@pytest.mark.parametrize(
    ("stop", "claimed", "reason"),
    [
        ("claimed", False, "the model claims failure"),
        ("done", False, "the model claims failure"),
        ("done", None, "the world is done without success"),
        ("budget", None, "out of model calls"),
        ("patience", None, "too many rejected actions in a row"),
    ],
)
def test_a_run_that_was_not_completed_says_why(stop: Stop, claimed: bool | None, reason: str) -> None:
    executed = Executed(completed=False, claimed=claimed, stop=stop, reward=0.5, done=False, calls=3, turns=TURNS)
    assert verdict(executed, session=HERE, depth=1) == Unsolved(
        session=HERE, reward=0.5, done=False, reason=reason, claimed=claimed, depth=1, turns=TURNS
    )


def stepped(reward: float, *, done: bool) -> Stepped:
    return Stepped(observation="", reward=reward, done=done, rejected=False)


def test_without_a_claim_only_a_done_world_with_the_full_reward_is_solved() -> None:
    solved = without_claim(stepped(1.0, done=True), TURNS, session=HERE, depth=2, reason="out of actions")
    assert solved == Solved(session=HERE, reward=1.0, done=True, claimed=None, depth=2, turns=TURNS)


@pytest.mark.parametrize(
    ("last", "reward", "done", "reason"),
    [
        (None, 0.0, False, "out of actions"),
        (stepped(0.5, done=False), 0.5, False, "out of actions"),
        (stepped(1.0, done=False), 1.0, False, "out of actions"),
        (stepped(0.5, done=True), 0.5, True, "the world is done without success"),
    ],
)
def test_without_a_claim_everything_else_is_unsolved(
    last: Stepped | None, reward: float, done: bool, reason: str
) -> None:
    unsolved = without_claim(last, TURNS, session=HERE, depth=1, reason="out of actions")
    assert unsolved == Unsolved(session=HERE, reward=reward, done=done, reason=reason, turns=TURNS)
