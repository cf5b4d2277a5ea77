"""Reading costs what a text is long, however hostile it is."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from quintet.parsing.candidates import read_candidates
from quintet.parsing.clusters import read_clusters
from quintet.parsing.decisions import read_action, read_decision
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_comparison, read_index
from quintet.parsing.judgements import read_verdict
from quintet.parsing.labelled import read_look_back, read_retargeted
from quintet.parsing.note_revisions import read_note_revisions, read_review
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.reflections import read_part
from quintet.parsing.revisions import read_revision
from quintet.parsing.verdicts import read_choice, read_mark
from quintet.parsing.written_notes import read_notes

PIECES = [
    *("\n", " ", ">", "Action:", "Action: ", "Action:\n", "Action", "Action (1): task not done ", "action is "),
    *(".", "*", "'", "\"'", "> ", "1", "<think>", "</think>", "```\n", "task ", "{", "[", "(", "Action: ["),
    *('Action: {"a', '{"action":"', "search[", "click [x] ", "Step 1: ", "Step 1:\n", "1. a\n", "- a\n"),
    *("Execution Order:\n", "Step 1\nExecution Order: (1 OR\n", "1 or ", "Plan:", "Plan:\n", "here is the plan"),
    *("Summary:", "Summary:\n", "the task is ", "a\n\n", "<step>", "<action>", "## ", "a, then ", "; Action"),
    *("<|channel|>a", "---\n", "Sure, ", "no change ", "| a |\n|---|\n", "| Action |\n", "either 1 ", "A. "),
    *("\nThis plan ", "Mark:", "Mark: \n", "Mark: 7/", "the my ", "score is ", "I give it a ", "7 out of ", "8/10"),
    *("Choice: ", "option 2 is ", "I choose ", "Reflection:", "# reflection\n", "(0.5) ", "(confidence "),
    *("look (0.5), ", "confidence 0.", "- 0.5", "to go ", "[[", '{"look": ', "0.5", "Option A: "),
    *("High-level Type1: a [1, 2]\n", "High-level Type1: ", "a [1, ", "1, 2 and ", "1-", "[1]: ", "| a | 1 |\n"),
    *("type type ", "type is [", "the first best ", "subgoal 1: ", "subgoal 1: a - complete\n", "- complete "),
    *("not yet ", '- "(', "✅ ", "YES ", "YES or ", "NO\n", "If no ", "not yes, ", "the task is not yet "),
    *("it is now ", "The action is to ", "the action is to\n", "List\n", "List: 1. a ", "1. a 2. ", "note_down ["),
    *("Action: note_down [a\n", "New action is: ", "Short description: "),
    *("ADD [a]: ", "AGREE 1\n", "1. EDIT 2: a\n", "Insight: ", "Note 1: helpful\n", "What went wrong: a\n", "NONE "),
    *("Title: ", "Title: a\nContent: b\n", "# Item 1\n", "## Content\n", "Workflow 1", '[{"title": "a"},', "No notes"),
]
"""What labels, marks and lists begin with, and what may follow them."""


READERS: list[Callable[[str], object]] = [
    read_decision,
    read_action,
    read_candidates,
    read_decomposition,
    lambda text: read_part(text, "summary"),
    read_revision,
    read_look_back,
    read_mark,
    lambda text: read_choice(text, 3),
    read_clusters,
    lambda text: read_index(text, 3),
    lambda text: read_comparison(text, 3),
    read_evaluation,
    read_summary,
    read_plan,
    read_verdict,
    read_alignment,
    read_condensed,
    read_retargeted,
    read_note_revisions,
    read_review,
    read_notes,
]


def calls(reader: Callable[[str], object], text: str) -> int:
    """How many calls a reading makes, of Python and of C alike."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        reader(text)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize(
    "begin",
    ["", *(pytest.param(each, marks=pytest.mark.slow) for each in ("Action: ", "Step 1: x\nExecution Order: "))],
)
@pytest.mark.parametrize("piece", PIECES)
def test_four_times_the_text_is_four_times_the_work(begin: str, piece: str) -> None:
    for reader in READERS:
        short, long = (begin + piece * (size // len(piece)) for size in (500, 2_000))
        assert calls(reader, long) <= 5 * calls(reader, short) + 200


@pytest.mark.slow
@pytest.mark.parametrize("begin", ["", "Action", "Action: ", "Hm. Action", "Step 1: x\nExecution Order: "])
@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_comes_to_an_end(begin: str, piece: str) -> None:
    text = begin + piece * (1_000_000 // len(piece))
    for reader in READERS:
        reader(text)
