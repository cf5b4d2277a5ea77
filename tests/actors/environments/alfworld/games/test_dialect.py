"""Dialects: how the games of each word things, and prompts in them."""

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, in_words_of
from quintet.environments.alfworld.world import AlfWorld


@pytest.mark.parametrize("action", ["put a 1 in/on b 2", "move a 1 to b 2"])
def test_laying_down_is_said_in_the_dialects_own_words(action: str) -> None:
    assert (NEW.own(action), CLASSIC.own(action)) == ("move a 1 to b 2", "put a 1 in/on b 2")


@pytest.mark.parametrize(
    "action",
    ["go to desk 1", "put a 1 to b 2", "move a 1", "move a 1 in/on b 2", "put", "", "output a in/on b", "put in/on b"],
)
def test_everything_else_stays_as_it_is_said(action: str) -> None:
    assert NEW.own(action) == CLASSIC.own(action) == action


@pytest.mark.parametrize(
    ("new", "classic"),
    [
        ("Action: move cup 1 to drawer 2", "Action: put cup 1 in/on drawer 2"),
        ("- move <object> to <place>: lay it down", "- put <object> in/on <place>: lay it down"),
        ("You move the cup 1 to the drawer 2.", "You put the cup 1 in/on the drawer 2."),
        (
            "You arrive at desk 1. You arrive at bed 1. You arrive at desk 1. On the desk 1, you see nothing.",
            "You arrive at loc 1. You arrive at loc 2. You arrive at loc 1. On the desk 1, you see nothing.",
        ),
        ("Now I move on to the next room.", "Now I move on to the next room."),
        ("find and take a mug from cabinet 1 to 6", "find and take a mug from cabinet 1 to 6"),
    ],
)
def test_actions_and_observations_are_worded_anew_and_nothing_else(new: str, classic: str) -> None:
    assert in_words_of(new, CLASSIC) == classic
    assert in_words_of(new, NEW) == new


def test_the_world_words_prompts_as_its_games_speak() -> None:
    worlds = (AlfWorld(dialect="new"), AlfWorld(dialect="classic"), AlfWorld())
    said = [world.worded("move a 1 to b 1") for world in worlds]
    assert said == ["move a 1 to b 1", "put a 1 in/on b 1", "move a 1 to b 1"]
