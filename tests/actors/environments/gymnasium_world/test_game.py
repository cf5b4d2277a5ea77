"""What is read of an environment's answers without functions of a user's."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.gymnasium_world.game import admissible_from, split_opening

TEXTS = st.text(st.sampled_from("ab go.\n!"), max_size=12)


@pytest.mark.parametrize(
    ("seen", "info", "setting", "goal"),
    [
        ("A room.\n", {}, "A room.", "go on"),
        ("", {}, "", "go on"),
        ("A room.\nYour task: go on.", {}, "A room.", "go on"),
        ("go on", {}, "", "go on"),
        ("A room. Win!", {"goal": "Win!", "setting": "A room. "}, "A room. ", "Win"),
        ("A room.\nWin!", {"goal": "Win!", "setting": "A hall."}, "A room.", "Win"),
    ],
)
def test_an_opening_is_divided(seen: str, info: dict[str, Any], setting: str, goal: str) -> None:
    opening = split_opening("go on", seen, info)
    assert (opening.setting, opening.goal) == (setting, goal)


@given(TEXTS, TEXTS, st.one_of(st.none(), TEXTS))
def test_an_opening_has_what_the_contract_asks_for(goal: str, seen: str, setting: str | None) -> None:
    info = {} if setting is None else {"setting": setting}
    goal = f"x{goal}"
    opening = split_opening(goal, seen, info)
    assert opening.observation.startswith(opening.setting)
    assert opening.goal in opening.observation
    assert opening.goal not in opening.setting
    assert not opening.goal.endswith((".", "!", "?"))


def test_actions_are_listed_once_and_sorted() -> None:
    assert admissible_from("can", None, {"can": ["b", "a", "b"]}) == ("a", "b")
    assert admissible_from("can", None, {}) is None
    assert admissible_from("can", ("up",), {"can": "up"}) == ("up",)
