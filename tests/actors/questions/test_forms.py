"""An answer means the same as text, as JSON, and as a call of a tool in either dialect."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from quintet.models.endpoint.answer import completion
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.questions.shape import SHAPES, tool_of
from tests.actors.parsing.styles import styles
from tests.actors.questions.called import called


def _actions(meant: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found: Sequence[Mapping[str, Any]] = meant.get("candidates") or ({},)
    return {"candidates": found} if all({"action", "confidence"} == each.keys() for each in found) else None


MEANT: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Mapping[str, Any] | None]]] = {
    "decision": ("decision", lambda meant: {"thought": "", "action": meant["action"]} if "action" in meant else None),
    "candidates": ("candidates", _actions),
    "steps": ("steps", lambda meant: {"steps": meant["steps"]} if meant.get("steps") else None),
    "retargeted": ("retargeted", lambda meant: {"new_action": found} if (found := meant["retargeted"]) else None),
    "value": ("mark", lambda meant: {"reason": "", "mark": meant["mark"]} if isinstance(meant["mark"], int) else None),
    "choice": ("choice", lambda meant: {"reason": "", "choice": meant["choice"]} if meant["choice"] else None),
    "verdict": ("verdict", lambda meant: {"reason": "", "completed": found} if (found := meant["verdict"]) else None),
}
"""By shape, a file of the corpus, and the fields that say what a text of it means; None: nothing that fields can."""


def meant() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The meanings of the corpus, each once."""
    for name, (corpus, fields_of) in MEANT.items():
        found = (fields_of(style.expected) for style in styles(corpus))
        for fields in {json.dumps(fields): fields for fields in found if fields is not None}.values():
            yield name, fields


def expect_one_meaning(name: str, fields: Mapping[str, Any]) -> None:
    shape = SHAPES[name]
    text, structured = shape.write(fields), shape.write(fields, structured=True)
    expected = shape.reading(text, "stop")
    assert shape.reading(shape.as_text(structured), "stop") == expected
    for said in called(ToolOffer(name), tool_of(name)["name"], structured):
        assert shape.reading(shape.as_text(said), "stop") == expected


@pytest.mark.parametrize("name", MEANT)
def test_each_meaning_of_the_corpus_is_read_in_every_form(name: str) -> None:
    found = [fields for shape, fields in meant() if shape == name]
    assert found
    for fields in found:
        expect_one_meaning(name, fields)


@pytest.mark.parametrize("name", list(SHAPES))
def test_the_example_of_every_shape_is_read_in_every_form(name: str) -> None:
    expect_one_meaning(name, SHAPES[name].example_fields)


def test_a_tool_that_was_not_offered_is_no_answer_and_text_beside_none_is_read() -> None:
    calls = [{"id": "c", "type": "function", "function": {"name": "other", "arguments": "{}"}}]
    choice: dict[str, Any] = {"message": {"content": "Action: look", "tool_calls": calls}, "finish_reason": "stop"}
    body, act = json.dumps({"choices": [choice]}).encode(), ToolOffer("decision")
    assert completion(body, (), offer=act).text == "Action: look"
    choice["message"] = {"content": None, "tool_calls": calls}
    assert completion(json.dumps({"choices": [choice]}).encode(), (), offer=act).finish == "tool_calls"
