"""Texts that may be actions."""

from quintet.testing.actions import actions_in_prompts, candidate_actions


def test_the_likeliest_actions_come_first() -> None:
    found = candidate_actions('Say `press 1` or "press 2".\nAction: open door\nYou see: a lamp, a door.')
    assert found[:3] == ("open door", "press 1", "press 2")
    assert {"a lamp", "a door", "lamp", "You see"} <= set(found)
    assert "" not in found
    assert candidate_actions("") == ()


def test_actions_of_a_world_are_found_in_the_prompts_of_methods() -> None:
    assert "inventory" in actions_in_prompts("textcraft")
    assert actions_in_prompts("nowhere") == ()
