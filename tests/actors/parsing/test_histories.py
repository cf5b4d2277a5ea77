"""Evaluations of subgoals and summaries, as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.histories import read_evaluation, read_summary
from tests.actors.parsing.styles import Style, styles

REASONING = "<think>\nsubgoal 1: x - complete\nSummary: y\n</think>\n\n"
GOALS = st.text("abcdefg hij", min_size=1, max_size=40).map(lambda goal: " ".join(goal.split())).filter(bool)


@pytest.mark.parametrize("style", [*styles("evaluation")], ids=lambda style: f"{style.kind}: {style.text!r}")
def test_an_evaluation_is_read(style: Style) -> None:
    assert read_evaluation(style.text) == style.expected["evaluation"]
    assert read_evaluation(REASONING + style.text) == style.expected["evaluation"]


@pytest.mark.parametrize("style", [*styles("summary")], ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_summary_is_read(style: Style) -> None:
    assert read_summary(style.text) == style.expected["summary"]
    assert read_summary(REASONING + style.text) == style.expected["summary"]


@given(st.lists(st.tuples(GOALS, st.booleans()), min_size=1, max_size=9))
def test_an_evaluation_in_the_prescribed_form_is_read_as_it_is(subgoals: list[tuple[str, bool]]) -> None:
    said = "\n".join(
        f"subgoal {number}: {goal} - {'complete' if complete else 'incomplete'}"
        for number, (goal, complete) in enumerate(subgoals, 1)
    )
    assert read_evaluation(said) == said


@given(st.text())
def test_whatever_a_text_is_an_evaluation_reads_as_itself_and_a_summary_is_one_line(text: str) -> None:
    for said in (text, f"subgoal 1: {text} - complete", f"Summary: {text}", f'{{"subgoals": {text}}}'):
        evaluation, summary = read_evaluation(said), read_summary(said)
        assert evaluation is None or read_evaluation(evaluation) == evaluation
        assert summary is None or (summary.strip() and "\n" not in summary)
