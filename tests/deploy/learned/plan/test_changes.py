"""What changed in a plan, and what may have led to it."""

from collections.abc import Sequence

import pytest

from quintet.learned.plan.changes import JobReflection, LineChange, Quote, Sentences, TooLong, changes

BEFORE = "1. Find the object.\n2. Heat it with the toaster.\n3. Put it down."
AFTER = "1. Find the object.\n2. Heat it with the microwave.\n3. Put it down.\n4. Stop."

WRONG = JobReflection(
    "mug",
    summary="The agent took the mug. It went to the toaster.",
    flaws="- The toaster could not heat the mug.\n- The microwave was never tried.",
    revision="Heat objects with the microwave.",
)
CLOSED = JobReflection("egg", summary="The fridge was closed.", flaws="The fridge was not opened first.")


def quote(line: str, reflections: Sequence[JobReflection], instead_of: Sequence[str] = ()) -> Quote | None:
    return Sentences(reflections).quote(line, instead_of)


def test_replaced_lines_form_one_change() -> None:
    assert changes(BEFORE, AFTER) == [
        LineChange(("2. Heat it with the toaster.",), ("2. Heat it with the microwave.",)),
        LineChange((), ("4. Stop.",)),
    ]


def test_a_first_plan_is_all_added_and_an_equal_one_is_no_change() -> None:
    assert changes("", "Look.\nTake.") == [LineChange((), ("Look.", "Take."))]
    assert changes("Look. \nTake.\n", "Look.\nTake.") == []


def test_a_line_that_has_only_another_number_was_not_changed() -> None:
    assert changes("1. Look.\n2. Wait.\n3. Take.", "1. Look.\n2. Take.") == [LineChange(("2. Wait.",), ())]


def test_a_line_is_explained_by_the_sentence_that_shares_its_new_words() -> None:
    found = quote("2. Heat it with the microwave.", [CLOSED, WRONG], ["2. Heat it with the toaster."])
    assert found == Quote("mug", "Heat objects with the microwave.")


def test_a_line_is_explained_by_another_sentence_if_enough_words_are_shared() -> None:
    kept = JobReflection(
        "mug", flaws="You do not carry it.", revision="Keep the object while heating it in the microwave."
    )
    found = quote("Heat the object in the microwave while you hold it.", [kept], ["Put the object into the microwave."])
    assert found == Quote("mug", "Keep the object while heating it in the microwave.")


def test_a_removed_line_is_explained_by_the_sentence_that_mentions_it() -> None:
    assert quote("Heat the mug in the toaster.", [WRONG]) == Quote("mug", "The toaster could not heat the mug.")


def test_words_are_compared_without_their_endings() -> None:
    assert quote("Opening fridges comes first.", [WRONG, CLOSED]) == Quote("egg", "The fridge was not opened first.")


def test_two_words_are_too_few_for_a_long_line() -> None:
    assert quote("Carry the mug past tables, chairs, lamps and the toaster.", [WRONG]) is None


@pytest.mark.parametrize("line", ["4. Stop.", "Take the newspaper to the sofa.", "", "---", "Use the microwave lamp."])
def test_nothing_is_quoted_if_no_sentence_shares_enough(line: str) -> None:
    assert quote(line, [CLOSED, JobReflection("mug", flaws="The microwave was never tried.")]) is None


def test_one_word_in_common_is_enough_for_a_line_of_one() -> None:
    assert quote("Microwave!", [WRONG]) is not None


def test_a_failed_reflection_is_not_quoted() -> None:
    assert quote("Say why.", [JobReflection("mug", failed="say nothing")]) is None


def test_plans_of_too_many_lines_are_not_compared() -> None:
    plan = "\n".join(str(number % 7) for number in range(500))
    assert changes(plan, plan) == []
    with pytest.raises(TooLong, match="expected 250,000 pairs of lines at most, got 501 lines and 500"):
        changes(f"{plan}\n1", plan)


def test_of_very_long_reflections_the_first_sentences_are_read() -> None:
    long = JobReflection("mug", revision="Go on. " * 300 + "Heat it with the microwave.")
    assert quote("Heat it with the microwave.", [long]) is None
