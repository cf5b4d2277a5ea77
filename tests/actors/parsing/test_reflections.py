import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.reflections import read_part
from quintet.parsing.revisions import read_revision


def read_task_plan(completion: str) -> str:
    return read_revision(completion).text


PLAN = "1. Take salt.\n2. Serve."


@pytest.mark.parametrize(
    "completion",
    [
        PLAN,
        f"Plan:\n{PLAN}",
        f"New plan:\n\n{PLAN}\n",
        f"**New Plan:**\n{PLAN}",
        f"### Updated plan:\n{PLAN}",
        f"The revised game plan:\n{PLAN}",
        f"Plan: {PLAN}",
        f"Plan:\n```\n{PLAN}\n```",
        f"```text\nPlan:\n{PLAN}\n```",
        f"<think>Plan:\n1. Burn it?</think>\n{PLAN}",
        f"It was burnt, so salt comes first.\n\nNew plan:\n{PLAN}",
        f"Plan:\n1. Burn.\n\nThis was wrong.\n\nNew plan:\n{PLAN}",
        f"Plan:\n\0{PLAN}\0",
    ],
)
def test_a_plan_is_found_however_it_is_dressed(completion: str) -> None:
    assert read_task_plan(completion) == PLAN


def test_a_line_with_nothing_below_it_begins_no_plan() -> None:
    assert read_task_plan(f"New plan:\n{PLAN}\nPlan:\n") == f"{PLAN}\nPlan:"


def test_a_step_that_speaks_of_a_plan_begins_none() -> None:
    steps = "1. Take salt.\n- Plan: the salt first.\n2. Serve."
    assert read_task_plan(f"Plan:\n{steps}") == steps


@pytest.mark.parametrize("completion", ["", " \n ", "Plan:", "New plan:\n```\n```", "<think>1. Take salt."])
def test_where_there_is_no_plan_nothing_is_read(completion: str) -> None:
    assert read_task_plan(completion) == ""


@pytest.mark.parametrize(
    "completion",
    [
        "It was burnt.",
        "Summary: It was burnt.",
        "**Summary:** It was burnt.",
        "## summary:\nIt was burnt.",
        "<think>Was it?</think>Summary: It was burnt.\n",
        "```\nSummary:\nIt was burnt.\n```",
    ],
)
def test_a_part_is_read_without_its_label(completion: str) -> None:
    assert read_part(completion, "summary") == "It was burnt."


def test_any_of_several_labels_is_left_off_and_no_other() -> None:
    assert read_part("Suggested revision: stir.", "revision") == "stir."
    assert read_part("Revision: stir.", "revision") == "stir."
    assert read_part("Flaws: stir.", "revision") == "Flaws: stir."


_PIECES = st.sampled_from(
    [
        "\0",
        "Plan:",
        "New plan:",
        "plan",
        "Summary:",
        "<think>",
        "</think>",
        "```",
        "*",
        ":",
        "1. Serve.",
        " ",
        "\n",
        "\r",
    ]
)
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join))


@given(_TEXTS)
def test_no_text_raises_and_what_was_read_is_read_again_the_same(completion: str) -> None:
    plan = read_task_plan(completion)
    assert plan == plan.strip() == read_task_plan(plan)
    assert "\0" not in plan
    part = read_part(completion, "summary")
    assert part == part.strip() == read_part(part, "summary")


@pytest.mark.parametrize("piece", ["\n", " ", ">", "Plan:", "Plan:\n", "plan ", "the new ", "*", "<think>", "```\n"])
def test_long_nonsense_comes_to_an_end(piece: str) -> None:
    assert isinstance(read_task_plan(piece * 20_000), str)
    assert isinstance(read_part(piece * 20_000, "summary"), str)
