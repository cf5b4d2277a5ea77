"""Texts that may be actions."""

from quintet.testing.candidate_actions import gleaned, shown_by_methods


def test_the_likeliest_come_first() -> None:
    found = gleaned('Say `press 1` or "press 2".\nAction: open door\nYou see: a lamp, a door.')
    assert found[:3] == ("open door", "press 1", "press 2")
    assert {"a lamp", "a door", "lamp", "You see"} <= set(found)
    assert "" not in found
    assert gleaned("") == ()


def test_what_methods_show_of_a_world_is_found_in_their_prompts() -> None:
    assert "inventory" in shown_by_methods("textcraft")
    assert shown_by_methods("nowhere") == ()
