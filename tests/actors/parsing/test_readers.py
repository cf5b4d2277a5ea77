"""What holds of any text that a small reader gets: numbers in range, no empty text, the prescribed form as meant."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.clusters import ItemCluster, read_clusters
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_comparison, read_index
from quintet.parsing.judgements import last_statement, read_verdict
from quintet.parsing.labelled import read_given_answer, read_look_back, read_retargeted
from quintet.parsing.verdicts import HIGHEST_MARK, LOWEST_MARK, read_choice, read_mark

NAMES = st.text("abcdefghij klm", min_size=1, max_size=30).map(lambda name: " ".join(name.split())).filter(bool)
NUMBERS = st.lists(st.integers(1, 500), max_size=60).map(tuple)
REASONS = st.text(st.characters(exclude_categories=["Cs"]), max_size=120).map(
    lambda text: "".join(" " if character in "<{[◁`~|" else character for character in text)
)


@pytest.mark.parametrize(
    ("read", "label"),
    [
        (read_look_back, "Reflection: "),
        (read_condensed, "Short description: "),
        (read_retargeted, "New action is: "),
        (read_summary, "Summary: "),
    ],
)
@given(text=st.text())
def test_a_text_under_a_label_is_never_empty(read: Callable[[str], str | None], label: str, text: str) -> None:
    for said in (text, label + text):
        found = read(said)
        assert found is None or found.strip()


@given(st.lists(st.builds(ItemCluster, NAMES, NUMBERS), min_size=1, max_size=12))
def test_clusters_in_the_prescribed_form_are_read_as_they_are(clusters: list[ItemCluster]) -> None:
    said = "\n".join(
        f"High-level Type{number}: {each.name} [{', '.join(map(str, each.numbers))}]"
        for number, each in enumerate(clusters, 1)
    )
    assert read_clusters(said) == tuple(clusters)


@given(st.text())
def test_the_numbers_of_clusters_are_whole_and_their_names_short(text: str) -> None:
    for said in (text, f"High-level Type1: {text} [1, 2]", f"High-level Type1: a [{text}]", f'{{"types": {text}}}'):
        for name, numbers in read_clusters(said) or ():
            assert len(name) <= 200
            assert all(type(number) is int and number >= 0 for number in numbers)


def test_a_range_as_wide_as_no_list_is_left_out() -> None:
    assert read_clusters("High-level Type1: all [1-9999999, 3]") == (ItemCluster("all", (3,)),)


@given(NAMES, st.booleans(), st.sampled_from(["\n", "\n\n", " ", ".\n", ". ", " - "]))
def test_an_alignment_in_the_form_is_read_as_it_is_meant(action: str, aligned: bool, between: str) -> None:
    read = read_alignment(f"The action is to {action}{between}{'YES' if aligned else 'NO'}")
    assert read.aligned is aligned
    assert read.description.rstrip(".") == f"The action is to {action}"


@given(st.text())
def test_a_description_and_a_summary_are_one_line(text: str) -> None:
    for said in (text, f"The action is to {text}", f"{text}\nYES", f"{text} NO {text}", f"Summary: {text}"):
        description = read_alignment(said).description
        assert description == " ".join(description.split())
        assert "\n" not in (read_summary(said) or "")


@given(st.lists(st.tuples(NAMES, st.booleans()), min_size=1, max_size=9))
def test_an_evaluation_in_the_prescribed_form_is_read_as_it_is(subgoals: list[tuple[str, bool]]) -> None:
    said = "\n".join(
        f"subgoal {number}: {goal} - {'complete' if complete else 'incomplete'}"
        for number, (goal, complete) in enumerate(subgoals, 1)
    )
    assert read_evaluation(said) == said


@given(st.text())
def test_an_evaluation_reads_as_itself(text: str) -> None:
    for said in (text, f"subgoal 1: {text} - complete", f'{{"subgoals": {text}}}'):
        evaluation = read_evaluation(said)
        assert evaluation is None or read_evaluation(evaluation) == evaluation


@given(st.text(), st.integers(1, 50))
def test_a_number_is_one_of_those_there_are(text: str, most: int) -> None:
    choices = (f"Choice: {text}", f'{{"type": {text}, "step": {text}, "mark": {text}, "choice": {text}}}')
    for said in (text, f"[{text}]: x", f"Type {text}", f"{text}: x", f"Mark: {text}", f"I give it a {text}", *choices):
        for read in (read_index, read_comparison, read_choice):
            assert read(said, most) in (None, *range(1, most + 1))
        mark = read_mark(said)
        assert mark is None or LOWEST_MARK <= mark <= HIGHEST_MARK


@given(st.integers(0, 200), st.integers(1, 50), st.text("abc .,:;-", max_size=60))
def test_a_number_that_is_out_of_range_is_none(number: int, most: int, why: str) -> None:
    expected = number if 1 <= number <= most else None
    assert read_index(f"[{number}]: {why}", most) == expected
    assert read_comparison(f"{number}: {why}", most) == expected
    assert read_choice(f"Choice: {number}", most) == expected


@given(st.floats())
def test_a_number_is_the_mark_if_it_lies_on_the_scale_and_else_none(number: float) -> None:
    number = float(f"{number:.3f}")
    on_scale = LOWEST_MARK <= number <= HIGHEST_MARK
    assert read_mark(f"Mark: {number:.3f}") == (number if on_scale else None)


@given(REASONS, st.integers(1, 10), st.booleans())
def test_whatever_the_reasons_are_the_last_line_counts(reasons: str, mark: int, answer: bool) -> None:
    assert read_mark(f"{reasons}\nMark: {mark}") == mark
    assert read_choice(f"{reasons}\nChoice: {mark}", 10) == mark
    assert read_verdict(f"{reasons}\n{'YES' if answer else 'NO'}") is answer


@given(st.booleans(), st.sampled_from([" or ", "/", " / ", " OR ", ", ", " and ", " | ", " "]), st.booleans())
def test_two_words_of_which_one_is_to_be_chosen_say_nothing(first: bool, between: str, small: bool) -> None:
    one, other = ("YES", "NO") if first else ("NO", "YES")
    offered = f"{one}{between}{other}"
    assert read_verdict(offered.lower() if small else offered) is None
    assert read_verdict(f"{offered}\n\n{one}") is first


@given(st.text())
def test_a_statement_stands_where_it_says(text: str) -> None:
    for said in (text, f"{text}\nYES", f"The answer is {text}", f'{{"completed": "{text}"}}'):
        found = last_statement(said)
        assert found is None or 0 <= found.start < len(said)
        assert read_verdict(said) in (True, False, None)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("###Answer 42", "42"),
        ("###Answer: 42", "42"),
        ("### Answer\n42", "42"),
        ("###Answer: **42**", "42"),
        ("**###Answer: 42**", "42"),
        ("###Answer: `42`", "42"),
        ('###Answer: "42"', "42"),
        ("###Answer: 42\n\nThis is because it was seen.", "42"),
        ('It was seen.\n###Answer: He said "no"', 'He said "no"'),
        ("42", "42"),
        ("###Answer:", None),
    ],
)
def test_an_answer_is_read_without_what_stands_around_it(said: str, answer: str | None) -> None:
    assert read_given_answer(said) == answer
