"""Shapes of answers: their schemas, the text that is made of them, and the lines that prescribe them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Act, Claim
from quintet.messages.planning import AnyOf, Decomposed, PlanMade, PlanStep
from quintet.parsing.decisions import read_action, read_decision, read_thought
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.judgements import read_verdict
from quintet.parsing.labelled import read_retargeted
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.revisions import read_revision
from quintet.questions import QUESTIONS
from quintet.questions.shape import SHAPES, AnswerForm, response_format, with_form

TEXTS = st.text(max_size=60)


def as_text(completion: str, shape: str) -> str:
    return SHAPES[shape].as_text(completion)


def test_every_question_has_a_shape_of_its_own() -> None:
    names = [question.shape.name for question in QUESTIONS]
    assert len(names) == len({*names})
    assert {*names} <= {*SHAPES}, "others are of plug-ins"


@pytest.mark.parametrize("form", SHAPES)
def test_a_schema_is_strict_as_endpoints_want_it(form: str) -> None:
    sent: dict[str, Any] = json.loads(json.dumps(response_format(form)))
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["name"] == form
    assert sent["json_schema"]["strict"] is True
    schema = sent["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == set(schema["properties"])


@pytest.mark.parametrize("form", SHAPES)
def test_the_line_of_a_form_names_all_of_its_fields(form: str) -> None:
    line = SHAPES[form].prescribed
    assert all(f'"{field}"' in line for field in SHAPES[form].fields)


def test_json_is_read_as_the_text_that_it_stands_for() -> None:
    said = as_text('{"thought": "I need\\niron.", "action": "get 1 iron ingot"}', "decision")
    assert said == "Thought: I need iron.\nAction: get 1 iron ingot"
    assert read_decision(said) == Act(thought="I need iron.", action="get 1 iron ingot")
    claim = as_text('{"thought": "Done.", "action": "task completed"}', "decision")
    assert read_decision(claim) == Claim(thought="Done.", completed=True)
    assert read_thought(as_text('{"thought": "Hm."}', "thought")) == "Hm."
    assert read_action(as_text('{"action": "look"}', "action"), "Hm.") == Act(thought="Hm.", action="look")
    assert as_text('{"text": "It failed.\\nTwice."}', "reflection") == "It failed.\nTwice."
    assert read_revision(as_text('{"plan": "1. Look.\\n2. Take."}', "task_plan")).text == "1. Look.\n2. Take."


def test_a_plan_has_its_steps_by_number_and_their_order() -> None:
    said = as_text(
        '{"thought": "Step 1: or 2.", "steps": ["fetch 1 stick", "fetch 1 log"], "order": "(Step 1 OR Step 2)"}',
        "plan",
    )
    read = read_decomposition(said)
    assert isinstance(read, Decomposed)
    assert read.plan == AnyOf(parts=(PlanStep(number=1, text="fetch 1 stick"), PlanStep(number=2, text="fetch 1 log")))
    assert not read.fallback
    assert said.splitlines()[-1] == "Execution Order: (Step 1 OR Step 2)"
    unordered = read_decomposition(as_text('{"thought": "", "steps": ["look"], "order": ""}', "plan"))
    assert isinstance(unordered, Decomposed)
    assert unordered.plan == PlanStep(number=1, text="look")


@given(TEXTS, st.booleans())
def test_an_alignment_and_a_verdict_are_the_fields_whatever_is_said_beside_them(text: str, answer: bool) -> None:
    said = as_text(json.dumps({"description": f"The action is to {text}", "aligned": answer}), "alignment")
    assert read_alignment(said).aligned is answer
    assert read_verdict(as_text(json.dumps({"reason": text, "completed": answer}), "verdict")) is answer


def test_a_list_and_what_is_written_anew_keep_their_texts() -> None:
    said = as_text('{"steps": ["look\\naround", "take 1 mug"]}', "steps")
    assert said == "List\n1. look around\n2. take 1 mug"
    steps = (PlanStep(number=1, text="look around"), PlanStep(number=2, text="take 1 mug"))
    assert read_plan(said) == PlanMade(steps=steps)
    short = as_text('{"short_description": "A desk.\\nA mug."}', "condensed")
    assert read_condensed(short) == "A desk.\nA mug."
    assert read_retargeted(as_text('{"new_action": "click [27]"}', "retargeted")) == "click [27]"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thought: I look.\nAction: look",
        '{"thought": "I look.", "act',
        '{"thought": "I look."}',
        '{"thought": "I look.", "action": 3}',
        '{"thought": "I look.", "action": "look", "mood": "good"}',
        '["look"]',
    ],
)
def test_what_is_not_of_the_form_is_left_to_the_readers_of_text(text: str) -> None:
    assert as_text(text, "decision") == text


@given(TEXTS, TEXTS)
def test_no_field_breaks_out_of_its_line(thought: str, action: str) -> None:
    said = as_text(json.dumps({"thought": thought, "action": action}), "decision")
    first, second = said.split("\n")
    assert first.startswith("Thought: ")
    assert second.startswith("Action: ")


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    for form in SHAPES:
        as_text(text, form)


def test_a_form_line_is_the_files_own_or_that_of_the_form() -> None:
    file = "Act.\n\n{form decision}\nThought: why\nAction: what\n{end}\n\nGo. {form thought}Think.{end}"
    assert with_form(file, "text") == "Act.\n\nThought: why\nAction: what\n\nGo. Think."
    both = with_form(file, "schema")
    called = with_form(file, "tools")
    assert called == f"Act.\n\n{SHAPES['decision'].prescribed_call}\n\nGo. {SHAPES['thought'].prescribed}"
    assert both == f"Act.\n\n{SHAPES['decision'].prescribed}\n\nGo. {SHAPES['thought'].prescribed}"


def test_an_unknown_form_is_an_error_for_every_kind_of_answer() -> None:
    forms: tuple[AnswerForm, ...] = ("text", "schema", "tools")
    for form in forms:
        with pytest.raises(KeyError):
            with_form("{form sonnet}Rhyme.{end}", form)
