"""What a text of a prompt must keep."""

import pytest

from quintet.prompt_optimizer.slots import refusal, slots

FORM = "{form decision}\nThought: x\n{end}"


@pytest.mark.parametrize("text", ["New. {rules} " + FORM, FORM + "{rules} of {item}"])
def test_a_text_with_the_same_slots_is_taken(text: str) -> None:
    assert refusal("Old. {rules}\n" + FORM, text) == ""


@pytest.mark.parametrize(
    ("before", "text", "reason"),
    [
        ("{rules}", "none", "expected {rules}, as in the prompt before, got a text without {rules}"),
        ("{rules}", "{rules} {subgoals}", "expected {rules}, as in the prompt before, got {subgoals} besides"),
        ("plain", "{rules}", "expected no slot, as in the prompt before, got {rules} besides"),
        ("{rules}", "{rules} {rules}", "expected {rules}, as in the prompt before, got {rules} besides"),
        (FORM, "{form steps} x {end}", "expected {form decision}, {end}, as in the prompt before, got a text without"),
        (FORM, "{end} {form decision}", "expected {form decision} before {end}, got them in another order"),
        ("{not asked}", "x", "got a text without {not asked}"),
        ("plain", " \n", "expected a text, got none"),
    ],
)
def test_one_that_lost_or_added_a_slot_is_refused_in_words(before: str, text: str, reason: str) -> None:
    assert reason in refusal(before, text)


def test_other_braces_are_text() -> None:
    assert slots('{rules} {item} {} {form} {"a": 1}') == ("{rules}",)
