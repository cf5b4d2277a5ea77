"""Decisions, and thoughts and actions that are asked for alone. How models dress them is in `styles/decision.jsonl`."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quintet.messages.execution import Act, Claim, Unreadable
from quintet.parsing.decisions import FORM, read_action, read_decision, read_thought


def test_a_thought_and_an_action_are_read() -> None:
    read = read_decision("Thought: I need salt.\nAction: take salt")
    assert read == Act(thought="I need salt.", action="take salt")


@pytest.mark.parametrize(
    ("completion", "thought"),
    [
        ("Thought: salt first.\nAction: take salt", "salt first."),
        ("thought: salt first.\naction: take salt", "salt first."),
        ("> think: salt first.\n> take salt", "salt first."),
        ("Think: salt first.\nAction: take salt", "salt first."),
        ("# Think: salt first.\n\nAction: take salt", "salt first."),
        ("**Thought:** salt first.\n**Action:** take salt", "salt first."),
        ("salt first.\nAction: take salt", "salt first."),
        ("Thought: salt first. Action: take salt", "salt first."),
        ("Thought: salt,\nthen pepper.\nAction: take salt", "salt,\nthen pepper."),
        ("Thought: my last action: take pepper, failed.\nAction: take salt", "my last action: take pepper, failed."),
        ("<think>Action: take pepper?</think>\nThought: salt first.\nAction: take salt", "salt first."),
    ],
)
def test_what_stands_before_the_action_is_the_thought(completion: str, thought: str) -> None:
    assert read_decision(completion) == Act(thought=thought, action="take salt")


def test_an_action_comes_before_a_claim_that_follows_it() -> None:
    assert read_decision("Action: take salt\nAction: task completed") == Act(thought="", action="take salt")


def test_a_claim_has_its_thought_and_what_is_unreadable_the_form() -> None:
    assert read_decision("Thought: done.\nAction: Task Completed!") == Claim(thought="done.", completed=True)
    assert read_decision("> think: done.\nTask failed") == Claim(thought="done.", completed=False)
    assert read_decision("Thought: I should take salt.") == Unreadable(expected=FORM)


@pytest.mark.parametrize(
    ("completion", "thought"),
    [
        ("Thought: salt first.", "salt first."),
        ("salt first.", "salt first."),
        ("Thought: salt first.\nAction: take salt", "salt first."),
        ("<think>What next?</think>\nThought: salt first.", "salt first."),
        ("Thought: salt,\r\nthen pepper.", "salt,\nthen pepper."),
        ("Action: take salt", ""),
        ("", ""),
    ],
)
def test_a_thought_alone_is_read(completion: str, thought: str) -> None:
    assert read_thought(completion) == thought


@pytest.mark.parametrize(
    "completion",
    [
        "take salt",
        "Action: take salt",
        "`take salt`.",
        "take salt\nand then pepper",
        "\n\ntake salt",
        "Thought: salt first.\nAction: take salt",
        "<think>pepper?</think>take salt",
        "```\ntake salt\n```",
        "> take salt",
    ],
)
def test_an_action_that_was_asked_for_needs_no_label(completion: str) -> None:
    assert read_action(completion, "salt.") == Act(thought="salt.", action="take salt")


def test_a_claim_that_stands_for_an_action_needs_no_label() -> None:
    assert read_action("task completed", "done.") == Claim(thought="done.", completed=True)
    assert read_action("Action: task failed") == Claim(thought="", completed=False)


@pytest.mark.parametrize("completion", ["", " \n", "Action:", "Thought: salt first.", "Observation: You take salt."])
def test_without_an_action_nothing_is_read_as_one(completion: str) -> None:
    assert read_action(completion, "salt.") == Unreadable(expected=FORM)


_WORDS = st.text(st.sampled_from("abcdefgh 0123456789,[]()'"), min_size=1, max_size=40).map(str.strip)
_NAMES = st.lists(st.text(st.sampled_from("abcdefgh0123456789"), min_size=1), min_size=1, max_size=8)


@given(thought=_WORDS, action=_NAMES.map(" ".join) | _NAMES.map(", ".join))
def test_a_completion_of_the_wanted_form_is_read_back(thought: str, action: str) -> None:
    assert read_decision(f"Thought: {thought}\nAction: {action}") == Act(thought=thought, action=action)


_LABELS = ("Action", "action:", "Thought:", "think", "Observation:", "<think>", "</think>", ":", ">", "3")
_REST = ("task completed", "task", "failed", "take salt", "```", "*", ".", '"', "'", " ", "\n", "\r", "\x85")
_PIECES = st.sampled_from(_LABELS + _REST)


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
@example('Action: "')
@example("Action: '.'")
def test_no_text_raises_and_every_action_is_one_bare_line(completion: str) -> None:
    read = read_decision(completion)
    if isinstance(read, Act):
        assert read.action
        assert read.action == read.action.strip()
        assert len(read.action.splitlines()) == 1


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
def test_no_text_that_was_asked_for_in_parts_raises(completion: str) -> None:
    assert read_thought(completion).strip() == read_thought(completion)
    read = read_action(completion, "salt.")
    if isinstance(read, Act):
        assert (read.thought, len(read.action.splitlines())) == ("salt.", 1)
