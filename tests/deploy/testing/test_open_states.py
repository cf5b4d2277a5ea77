"""What a clause has opened is closed, whether it closes it, lets go of it, or holds it to its end."""

from typing import Any

import pytest

from quintet.messages.environment import Task
from quintet.testing.open_states import OpenStates
from tests.deploy.testing.broken_environments import Climb, Stairs

TASK = Task(name="low stairs", seed=0)


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []

    def close(self: Any) -> None:
        names.append(self.observation)
        if len(names) > 1:
            raise RuntimeError("closed twice, or another one too")

    monkeypatch.setattr(Climb, "close", close)
    return names


def test_a_state_is_closed_once_when_the_clause_ends(closed: list[str]) -> None:
    states = OpenStates()
    held = states.of(Stairs()).open(TASK)
    assert (closed, held.opening.goal) == ([], "climb to the top")
    states.close()
    states.close()
    del held
    assert len(closed) == 1


def test_a_state_that_nobody_holds_is_closed_at_once(closed: list[str]) -> None:
    states = OpenStates()
    states.of(Stairs()).open(TASK)
    assert len(closed) == 1
    states.close()
    assert len(closed) == 1


def test_a_clause_closes_a_state_itself_and_what_closing_a_fork_raises_is_no_matter(closed: list[str]) -> None:
    states = OpenStates()
    state = states.of(Stairs()).open(TASK)
    fork = state.fork()
    state.close()
    assert len(closed) == 1
    states.close()
    assert len(closed) == 2
    with pytest.raises(RuntimeError, match="closed twice"):
        fork.close()
