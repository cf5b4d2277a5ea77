import pytest

from actors.methods.verdict import verdict
from protocols.environment import Session
from protocols.execution import Executed, Stop
from protocols.solving import Solved, Unsolved

HERE = Session(id="a", host="b")


def test_a_completed_run_is_solved() -> None:
    executed = Executed(completed=True, claimed=None, stop="done", reward=1.0, done=True, calls=3)
    assert verdict(executed, session=HERE, depth=2) == Solved(
        session=HERE, reward=1.0, done=True, claimed=None, depth=2
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
    executed = Executed(completed=False, claimed=claimed, stop=stop, reward=0.5, done=False, calls=3)
    assert verdict(executed, session=HERE, depth=1) == Unsolved(
        session=HERE, reward=0.5, done=False, reason=reason, claimed=claimed, depth=1
    )
