"""What the journal has of an answer by calls of tools, in either dialect."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.tools import OfferedTool, ToolAnswer
from quintet.models.endpoint.answer import completion
from quintet.models.endpoint.family import ModelFamily
from quintet.models.endpoint.model import shape_fields
from quintet.models.endpoint.responses import Responses
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.ports.model import Completion, Sampling

SEARCH = OfferedTool(name="search", description="Search.", parameters='{"type":"object","properties":{"query":{}}}')
WORLDS = ToolOffer("decision", (SEARCH,))
OURS = ToolOffer("decision")


def answers(offer: ToolOffer, said: str, *calls: tuple[str, str]) -> Sequence[Completion]:
    """The completions that both dialects make of a text and calls."""
    functions = [{"id": "c", "type": "function", "function": {"name": name, "arguments": its}} for name, its in calls]
    message = {"content": said, "tool_calls": functions}
    items: list[dict[str, Any]] = [
        {"type": "message", "content": [{"type": "output_text", "text": said}]},
        *({"type": "function_call", "call_id": "c", "name": name, "arguments": its} for name, its in calls),
    ]
    responses = Responses("m", ModelFamily(), calls_tools=True)
    sampling = Sampling(form=offer.form, tools=offer.tools)
    return (
        completion(json.dumps({"choices": [{"message": message}]}).encode(), (), offer=offer),
        responses.completion(json.dumps({"output": items}).encode(), sampling),
    )


def tool_answer(offer: ToolOffer, said: str, *calls: tuple[str, str]) -> ToolAnswer:
    """What both say of the tools."""
    first, second = answers(offer, said, *calls)
    assert first.text == second.text
    assert first.tool_answer == second.tool_answer
    assert first.tool_answer is not None
    return first.tool_answer


@pytest.mark.parametrize("offer", [WORLDS, OURS], ids=["worlds", "ours"])
def test_the_tools_are_those_that_were_sent(offer: ToolOffer) -> None:
    sent = shape_fields(Sampling(form=offer.form, tools=offer.tools), calls_tools=True)
    assert json.loads(tool_answer(offer, "Done.").tools) == sent["tools"]


def test_all_calls_are_as_the_model_wrote_them_though_the_first_alone_is_the_action() -> None:
    said, calls = "Thought: I look\nfirst.", [("search", '{\n"query":"tea"}'), ("burn", "{")]
    text = 'Thought: I look first. (Only the first of 2 calls is made.)\nAction: search {"query": "tea"}'
    assert {each.text for each in answers(WORLDS, said, *calls)} == {text}
    functions = [{"type": "function", "function": {"name": name, "arguments": its}} for name, its in calls]
    assert json.loads(tool_answer(WORLDS, said, *calls).message) == {"content": said, "tool_calls": functions}


@pytest.mark.parametrize(
    ("offer", "calls"), [(WORLDS, ()), (OURS, ()), (OURS, [("search", "{}")])], ids=["text", "no call", "another tool"]
)
def test_an_answer_that_is_text_has_no_calls(offer: ToolOffer, calls: Sequence[tuple[str, str]]) -> None:
    assert tool_answer(offer, "Thought: Done.\nAction: task completed", *calls).message == ""


def test_where_nothing_was_offered_nothing_is_said() -> None:
    message = {"content": "Done.", "tool_calls": [{"function": {"name": "search", "arguments": "{}"}}]}
    assert completion(json.dumps({"choices": [{"message": message}]}).encode(), ()).tool_answer is None


@given(st.text(), st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1, max_size=3))
def test_whatever_is_written_is_read_again(said: str, calls: list[tuple[str, str]]) -> None:
    found = msgspec.json.decode(tool_answer(WORLDS, said, *calls).message)
    assert found["content"] == said
    assert [(each["function"]["name"], each["function"]["arguments"]) for each in found["tool_calls"]] == calls


def test_half_an_emoji_in_a_call_leaves_json_that_can_be_read() -> None:
    _, answer = WORLDS.read("\ud83d", [("search", '{"query":"\ud83d"}')])
    assert msgspec.json.decode(answer.message)["tool_calls"][0]["function"]["name"] == "search"
