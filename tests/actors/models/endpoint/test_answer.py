"""What an endpoint answers."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.tools import OfferedTool
from quintet.messages.wire import encode
from quintet.models.endpoint.answer import TokensMissing, UnreadableBody, completion, completions, error_text
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.ports.model import Completion, Usage
from quintet.ports.tokens import pack_ids, unpack_ids, unpack_logprobs
from tests.actors.models.endpoint.serving import chat, counted

json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def read(body: Any, stop: tuple[str, ...] = ()) -> Completion:
    return completion(msgspec.json.encode(body), stop)


def test_the_usual_answer() -> None:
    usage = Usage(prompt_tokens=12, completion_tokens=5, cached_tokens=8, reasoning_tokens=3)
    assert read(chat("Action: go", usage=counted(usage))) == Completion(text="Action: go", usage=usage)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        (["a", {"type": "image", "url": "x"}, "b"], "ab"),
        ([], ""),
        (7, ""),
        ({"text": 7}, ""),
    ],
)
def test_a_content_is_its_text(content: object, text: str) -> None:
    assert read(chat(content)).text == text


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "stop"),
        ("SAFETY", "content_filter"),
        ("refusal", "refusal"),
        ("function_call", "stop"),
        ("eos", "stop"),
        (None, "stop"),
        (["length"], "stop"),
    ],
)
def test_finish_reasons(reason: object, finish: str) -> None:
    assert read(chat("a", finish=reason)).finish == finish


@pytest.mark.parametrize(
    ("message", "finish"),
    [
        ({"content": None}, "empty"),
        ({"content": " \n"}, "empty"),
        ({"content": []}, "empty"),
        ({"content": "<think>I look.</think>\n"}, "empty"),
        ({"content": None, "refusal": "I cannot help."}, "refusal"),
        ({"content": None, "tool_calls": [{"function": {"name": "go"}}]}, "tool_calls"),
        ({"content": "", "function_call": {"name": "go"}}, "tool_calls"),
        ({"content": [{"type": "image_url", "image_url": "x"}]}, "not_text"),
        ({"content": 7}, "not_text"),
        ({"content": None, "audio": {"id": "a"}}, "not_text"),
        ({"content": "go", "tool_calls": [{"function": {"name": "go"}}]}, "stop"),
    ],
)
def test_an_answer_without_a_text_says_why(message: dict[str, Any], finish: str) -> None:
    assert read(chat(**message)).finish == finish
    if finish != "stop":
        reasoned = read(chat(**message, finish="length", reasoning="I look."))
        assert reasoned.finish == "length", "reasoning used up what the answer may take"


def test_a_refusal_is_kept_to_be_read() -> None:
    assert read(chat(None, refusal="I cannot help.")) == Completion(text="I cannot help.", finish="refusal")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(field: str) -> None:
    answer = read(chat("a", **{field: "because"}))
    assert (answer.text, answer.reasoning) == ("a", "because")


def test_a_stop_sequence_that_came_back_ends_the_text() -> None:
    assert read(chat("one\ntwo", finish="length"), ("\n",)) == Completion(text="one", finish="stop")
    assert read(chat("one", finish="length"), ("\n",)).finish == "length"


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        "none",
        {"prompt_tokens": 3},
        {"prompt_tokens": 3, "completion_tokens": None},
        {"prompt_tokens": -3, "completion_tokens": 1},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": 3.5, "completion_tokens": 1},
    ],
)
def test_a_usage_that_says_nothing_is_none_at_all(usage: object) -> None:
    answer = chat("a")
    answer["usage"] = usage
    assert read(answer) == Completion(text="a", usage=Usage())
    del answer["usage"]
    assert read(answer).usage == Usage()


@pytest.mark.parametrize("details", [None, {}, {"cached_tokens": None, "reasoning_tokens": None}])
def test_details_of_a_usage_may_be_missing(details: object) -> None:
    usage = counted(Usage(prompt_tokens=3, completion_tokens=1))
    usage |= {"prompt_tokens_details": details, "completion_tokens_details": details}
    assert read(chat("a", usage=usage)).usage == Usage(prompt_tokens=3, completion_tokens=1)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "nothing"),
        (b"<html>\n <p>busy</p></html>", "<html> <p>busy</p></html>"),
        (b'{"error": {"message": "upstream\\nfailed", "code": 502}}', "upstream failed"),
        (b'{"choices": []}', "no choices"),
        (b'{"choices": [{}]}', "missing required field `message`"),
        (b'{"choices": [{"message": {"content": "a"}, "finish_reason": "error"}]}', "behind the endpoint"),
        (b"[" * 100_000, r"\[\["),
        (b'{"choices": ' + b'[{"a":' * 100_000, "choices"),
        (b'{"choices": [{"message": {"content": ' + b"[" * 100_000, "choices"),
    ],
)
def test_an_answer_without_a_completion_says_what_it_is(body: bytes, said: str) -> None:
    with pytest.raises(UnreadableBody, match=said) as raised:
        completion(body, ())
    assert "\n" not in str(raised.value)


@given(json)
def test_any_json_is_read_or_unreadable(body: object) -> None:
    with suppress(UnreadableBody):
        encode(read(body))


@given(json, json, json, json)
def test_anything_may_stand_where_an_answer_has_its_fields(content: Any, finish: Any, usage: Any, extra: Any) -> None:
    answer = chat(content, finish=finish, usage=usage, reasoning=extra, reasoning_content=extra)
    try:
        encode(read(answer))
    except UnreadableBody:
        assert finish == "error"


@given(st.binary())
def test_any_bytes_are_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableBody):
        completion(body, ())


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b'{"error": {"message": "a\\n b", "type": "t"}}', "a b"),
        (b'{"error": "a"}', "a"),
        (b'{"object": "error", "message": "a", "code": 400}', "a"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b'{"detail": [{"loc": ["body"]}]}', '{"detail": [{"loc": ["body"]}]}'),
        (b'{"error": null}', '{"error": null}'),
        (b"Bad\r\n\tGateway", "Bad Gateway"),
        (b"\xff", "\N{REPLACEMENT CHARACTER}"),
        (b"", "nothing"),
    ],
)
def test_a_complaint_is_one_line(body: bytes, line: str) -> None:
    assert error_text(body) == line


@given(st.binary() | json.map(msgspec.json.encode))
def test_any_body_makes_a_complaint(body: bytes) -> None:
    line = error_text(body)
    assert line
    assert line.splitlines() == [line]


@pytest.mark.parametrize(
    ("opening", "closing"), [("<think>", "</think>"), ("<THINK>", "</THINK>"), ("", "</reasoning>"), ("", "[/THINK]")]
)
def test_stop_sequences_are_looked_for_behind_every_reasoning_that_the_readers_know(opening: str, closing: str) -> None:
    said = f"{opening}Observation: a pen. So I take it.{closing}Action: take pen 1"
    body = {"choices": [{"message": {"content": f"{said}\nObservation: You take it."}}]}
    assert read(body, ("\nObservation:", "Observation:")).text == said
    unfinished = {"choices": [{"message": {"content": "<think>Observation: a pen."}, "finish_reason": "length"}]}
    assert read(unfinished, ("Observation:",)).finish == "length"


def with_tokens(ids: object, logprobs: object, **of_choice: object) -> dict[str, Any]:
    answer = chat("Action: go")
    answer["choices"][0] |= {"token_ids": ids, "logprobs": logprobs, **of_choice}
    return answer


def content(*logprobs: object) -> dict[str, Any]:
    return {"content": [{"token": "a", "logprob": each, "bytes": [97], "top_logprobs": []} for each in logprobs]}


def read_tokens(body: Any) -> Completion:
    (found,) = completions(msgspec.json.encode(body), (), read_prompt=lambda text: pack_ids(msgspec.json.decode(text)))
    return found


@pytest.mark.parametrize("of_answer", [True, False], ids=["vllm", "sglang"])
def test_tokens_are_read_where_each_server_puts_them(of_answer: bool) -> None:
    body = with_tokens([7, 150_000], content(-0.5, -2), **({} if of_answer else {"prompt_token_ids": [1, 2, 3]}))
    found = read_tokens({**body, "prompt_token_ids": [1, 2, 3]} if of_answer else body).tokens
    assert found is not None
    assert (unpack_ids(found.prompt), unpack_ids(found.completion)) == ([1, 2, 3], [7, 150_000])
    assert unpack_logprobs(found.logprobs) == [-0.5, -2.0]
    assert read(body).tokens is None, "they were not asked for"


def test_a_call_of_a_tool_as_vllm_0_32_answered_it_is_an_action_with_all_tokens_that_were_drawn() -> None:
    body = Path(__file__).with_name("vllm_call.json").read_bytes()
    tools = (OfferedTool(name="add", description="Note.", parameters="{}"),)
    (found,) = completions(
        body,
        ("\nObservation:",),
        offer=ToolOffer("decision", tools),
        read_prompt=lambda text: pack_ids(msgspec.json.decode(text)),
    )
    assert (found.text, found.finish) == ('Action: add {"text": "tea"}', "stop")
    assert found.fingerprint.startswith("vllm-0.32.0")
    assert found.tool_answer is not None
    assert msgspec.json.decode(found.tool_answer.message) == {
        "content": "",
        "tool_calls": [{"type": "function", "function": {"name": "add", "arguments": '{"text": "tea"}'}}],
    }
    assert found.tokens is not None
    prompt, drawn = unpack_ids(found.tokens.prompt), unpack_ids(found.tokens.completion)
    assert (len(prompt), len(drawn)) == (found.usage.prompt_tokens, found.usage.completion_tokens)
    logprobs = unpack_logprobs(found.tokens.logprobs)
    assert len(logprobs) == len(drawn)
    assert max(logprobs) == 0
    assert min(logprobs) < -0.1


def test_a_completion_without_tokens_needs_no_log_probabilities() -> None:
    found = read_tokens({**with_tokens([], None), "prompt_token_ids": [1]}).tokens
    assert found is not None
    assert (found.prompt, found.completion) == (pack_ids([1]), b"")


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"prompt_token_ids": None}, "prompt_token_ids"),
        ({"token_ids": None, "logprobs": content()}, "token_ids"),
        ({"logprobs": None}, "logprobs"),
        ({"logprobs": {"content": None}}, "logprobs"),
        ({"prompt_token_ids": None, "token_ids": None}, "prompt_token_ids and token_ids"),
    ],
)
def test_an_endpoint_that_returns_no_tokens_is_told_apart_from_one_whose_answer_is_broken(
    change: dict[str, Any], missing: str
) -> None:
    body = with_tokens([7], content(-0.5), prompt_token_ids=[1])
    body["choices"][0] |= change
    with pytest.raises(TokensMissing) as raised:
        read_tokens(body)
    assert str(raised.value) == missing


@pytest.mark.parametrize(
    "change",
    [
        {"token_ids": [7, 8]},
        {"token_ids": [-1]},
        {"token_ids": [2**24]},
        {"token_ids": ["7"]},
        {"token_ids": 7},
        {"logprobs": content(-1e6)},
        {"logprobs": content(None)},
        {"prompt_token_ids": [2**40]},
    ],
)
def test_tokens_that_are_none_make_an_answer_unreadable(change: dict[str, Any]) -> None:
    body = with_tokens([7], content(-0.5), prompt_token_ids=[1])
    body["choices"][0] |= change
    with pytest.raises(UnreadableBody):
        read_tokens(body)
