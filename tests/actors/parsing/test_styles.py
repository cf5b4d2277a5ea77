"""Realistic styles are understood, as `quintet read` prints it."""

import json
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from quintet.cli.read import readings
from quintet.messages.planning import PlanMade
from quintet.parsing.clusters import read_clusters
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_comparison, read_index
from quintet.parsing.judgements import read_verdict
from quintet.parsing.labelled import read_look_back, read_retargeted
from quintet.parsing.plans import read_plan
from quintet.parsing.verdicts import read_choice, read_mark
from quintet.questions.shape import Reading
from tests.actors.parsing.styles import Style, styles

READERS: list[str] = ["decision", "candidates", "plan", "reflection", "revision"]


def steps(text: str) -> list[str] | None:
    read = read_plan(text)
    return [step.text for step in read.steps] if isinstance(read, PlanMade) else None


def clusters(text: str) -> list[dict[str, object]] | None:
    read = read_clusters(text)
    return None if read is None else [{"name": each.name, "numbers": [*each.numbers]} for each in read]


EXACT: Mapping[str, Callable[[str], object]] = {
    "choice": lambda text: read_choice(text, 3),
    "clusters": clusters,
    "comparison": lambda text: read_comparison(text, 4),
    "condensed": read_condensed,
    "evaluation": read_evaluation,
    "index": lambda text: read_index(text, 4),
    "look_back": read_look_back,
    "mark": read_mark,
    "retargeted": read_retargeted,
    "steps": steps,
    "summary": read_summary,
    "verdict": read_verdict,
}
"""Readers of which every style is read right; those of most were written down before the reader was."""
REASONING = (
    "<think>\nMark: 2? Choice: 1? Rather not: 9/10.\n[1]: or 1: or type 1? or step 1?\nsubgoal 1: x - complete\n"
    "Summary: y\nThe action is to wait.\nYES? NO? Short description: a wall.\nHigh-level Type1: x [9]\n"
    "New action is: wait\nReflection: not yet.\nList\n1. wait\n</think>\n\n"
)


@pytest.mark.parametrize("reader", EXACT)
def test_every_style_is_read_right_with_and_without_reasoning_in_front(reader: str) -> None:
    for style in styles(reader):
        for said in (style.text, REASONING + style.text):
            assert EXACT[reader](said) == style.expected[reader], said


def test_every_style_of_an_alignment_is_read_right_with_and_without_reasoning_in_front() -> None:
    for style in styles("alignment"):
        for said in (style.text, REASONING + style.text):
            assert read_alignment(said)._asdict() == style.expected, said


@cache
def understood(reader: str, text: str) -> Reading:
    (read,) = readings(reader, [json.dumps({"text": text}).encode()])
    return read


def is_right(reader: str, style: Style) -> bool:
    read = understood(reader, style.text)
    if "unreadable" in style.expected:
        return "unreadable" in read
    return all(key in read and read[key] == value for key, value in style.expected.items())


@pytest.mark.parametrize("reader", READERS)
def test_at_least_95_in_100_styles_are_read_right(reader: str) -> None:
    tried = [*styles(reader)]
    wrong = [style.text for style in tried if not is_right(reader, style)]
    assert len(wrong) <= 0.05 * len(tried), wrong


@pytest.mark.parametrize("reader", READERS)
def test_no_style_that_was_read_right_before_is_read_otherwise(reader: str) -> None:
    assert [style.text for style in styles(reader) if style.read_before and not is_right(reader, style)] == []


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "reasoning",
    [
        "<think>\nAction: look\nStep 1: x\nPlan:\nSummary: y\n</think>\n",
        "<thinking>Task completed.</thinking>",
        "<reasoning>\nExecution Order: (Step 1)</reasoning>\n\n",
        "Hm, Action: look? Step 1: x\nExecution Order: (1 OR 2)\n</think>\n\n",
        "[THINK]Action: look[/THINK]",
    ],
)
def test_reasoning_in_front_changes_no_reading(reader: str, reasoning: str) -> None:
    for style in styles(reader):
        assert understood(reader, reasoning + style.text) == understood(reader, style.text), style.text


@pytest.mark.parametrize("reader", READERS)
def test_an_answer_that_was_cut_off_is_read_as_whole_in_no_style(reader: str) -> None:
    for style in styles(reader):
        whole = understood(reader, style.text)
        (cut,) = readings(reader, [json.dumps({"text": style.text, "finish": "length"}).encode()])
        if reader in ("reflection", "revision"):
            assert cut[reader] is None
        elif reader == "candidates":
            sure = {json.dumps({**each, "confidence": 0}) for each in whole.get("candidates", ())}
            assert {json.dumps({**each, "confidence": 0}) for each in cut.get("candidates", ())} <= sure, style.text
        elif cut.get("action") or cut.get("plan"):
            assert cut == whole, style.text


@pytest.mark.parametrize("order", ["OR", "or", "|", "either"])
def test_no_plan_with_alternatives_is_read_as_all_steps(order: str) -> None:
    for style in styles("plan"):
        said = style.text.partition("xecution Order")[2] or style.text
        if order in said and "any" in json.dumps(style.expected):
            read = understood("plan", style.text)["plan"]
            assert read is None or "any" in json.dumps(read), style.text
