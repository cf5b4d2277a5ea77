"""What an action is called in either dialect."""

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW


@pytest.mark.parametrize("action", ["put a 1 in/on b 2", "move a 1 to b 2"])
def test_laying_down_is_said_in_the_dialects_own_words(action: str) -> None:
    assert (NEW.own(action), CLASSIC.own(action)) == ("move a 1 to b 2", "put a 1 in/on b 2")


@pytest.mark.parametrize(
    "action",
    ["go to desk 1", "put a 1 to b 2", "move a 1", "move a 1 in/on b 2", "put", "", "output a in/on b", "put in/on b"],
)
def test_everything_else_stays_as_it_is_said(action: str) -> None:
    assert NEW.own(action) == CLASSIC.own(action) == action
