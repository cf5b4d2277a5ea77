"""Parts of reflections and revised plans. How models dress them is in `styles/`."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.reflections import read_part
from quintet.parsing.revisions import read_revision


def read_task_plan(completion: str) -> str:
    return read_revision(completion).text


PLAN = "1. Take salt.\n2. Serve."


def test_a_line_with_nothing_below_it_begins_no_plan() -> None:
    assert read_task_plan(f"New plan:\n{PLAN}\nPlan:\n") == f"{PLAN}\nPlan:"


def test_a_step_that_speaks_of_a_plan_begins_none() -> None:
    steps = "1. Take salt.\n- Plan: the salt first.\n2. Serve."
    assert read_task_plan(f"Plan:\n{steps}") == steps


def test_any_of_several_labels_is_left_off_and_no_other() -> None:
    assert read_part("Suggested revision: stir.", "revision") == "stir."
    assert read_part("Revision: stir.", "revision") == "stir."
    assert read_part("Flaws: stir.", "revision") == "Flaws: stir."


_LABELS = ("Plan:", "New plan:", "plan", "Summary:", "<think>", "</think>", "```", "1. Serve.")
_PIECES = st.sampled_from((*_LABELS, "\0", "*", ":", " ", "\n", "\r"))
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join))


@given(_TEXTS)
def test_no_text_raises_and_what_was_read_is_read_again_the_same(completion: str) -> None:
    plan = read_task_plan(completion)
    assert plan == plan.strip() == read_task_plan(plan)
    assert "\0" not in plan
    part = read_part(completion, "summary")
    assert part == part.strip() == read_part(part, "summary")
