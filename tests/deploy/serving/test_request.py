"""Requests as clients write them."""

import json
from typing import Any

import pytest

from quintet.messages.prompts import assistant, system, user
from quintet.ports.model import Sampling
from quintet.serving.refusals import Refusal
from quintet.serving.request import CompletionRequest, read_request, request_digest

SAID = {"role": "user", "content": "go"}


def _read(**fields: Any) -> CompletionRequest:
    return read_request(json.dumps({"model": "sim", "messages": [SAID], **fields}).encode())


def test_a_request_in_full() -> None:
    wanted = _read(
        messages=[{"role": "system", "content": "You craft."}, SAID, {"role": "assistant", "content": "went"}],
        temperature=0,
        top_p=0.5,
        max_tokens=9,
        stop=["\n", "END"],
        seed=-3,
    )
    assert wanted.messages == (system("You craft."), user("go"), assistant("went"))
    assert wanted.sampling == Sampling(temperature=0.0, top_p=0.5, max_tokens=9, stop=("\n", "END"), seed=-3)


def test_missing_or_null_fields_have_openais_defaults() -> None:
    bare = Sampling(temperature=1.0, top_p=1.0, max_tokens=2**31 - 1)
    assert _read().sampling == bare
    nulls = dict.fromkeys(
        ("temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "n", "stream")
    )
    assert _read(**nulls).sampling == bare


def test_the_newer_name_of_the_limit_counts_first() -> None:
    assert _read(max_completion_tokens=5).sampling.max_tokens == 5
    assert _read(max_completion_tokens=5, max_tokens=9).sampling.max_tokens == 5


def test_a_developer_is_the_system_and_parts_are_one_text() -> None:
    parts = [{"type": "text", "text": "You "}, {"type": "text", "text": "craft."}]
    assert _read(messages=[{"role": "developer", "content": parts}]).messages == (system("You craft."),)


def test_one_stop_word_may_stand_alone_and_unknown_fields_are_ignored() -> None:
    assert _read(stop="END", logit_bias={"5": [{}]}, user="me").sampling.stop == ("END",)


def test_a_digest_does_not_depend_on_how_the_json_was_written() -> None:
    one = read_request(b'{"model":"sim","messages":[{"role":"user","content":"go"}],"temperature":0}')
    other = read_request(
        b'{ "user": "me", "temperature": 0.0, "messages": [{"content": [{"type": "text", "text": "g\\u006f"}],'
        b' "role": "user"}], "model": "sim", "n": 1 }'
    )
    assert one.digest == other.digest
    sampling = Sampling(temperature=0.0, max_tokens=2**31 - 1)
    assert one.digest == request_digest("sim", [user("go")], sampling)


def test_a_digest_depends_on_the_model_the_messages_and_the_sampling() -> None:
    base = _read()
    others = [_read(model="sim-weak"), _read(messages=[SAID, SAID]), _read(seed=1), _read(stop="x")]
    assert len({base.digest, *(other.digest for other in others)}) == 5


@pytest.mark.parametrize(
    ("fields", "param", "said"),
    [
        ({"messages": []}, "messages", "length >= 1"),
        ({"messages": "go"}, "messages", "Expected `array`"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role", "'tool'"),
        ({"messages": [{"role": "user"}]}, "messages[0]", "missing required field `content`"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content", "Expected `str | array`"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}]},
            "messages[0].content[0].type",
            "'image_url'",
        ),
        ({"model": None}, "model", "Expected `str`"),
        ({"temperature": -1}, "temperature", ">= 0"),
        ({"temperature": "hot"}, "temperature", "Expected `float"),
        ({"top_p": 2}, "top_p", "<= 1"),
        ({"max_tokens": 0}, "max_tokens", ">= 1"),
        ({"seed": 2**70}, "seed", "<="),
        ({"n": 2}, "n", "<= 1"),
        ({"stream": True}, "stream", "Streaming is not served here"),
    ],
)
def test_a_request_that_cannot_be_served_is_refused_by_its_field(fields: dict[str, Any], param: str, said: str) -> None:
    with pytest.raises(Refusal) as refusal:
        _read(**fields)
    assert (refusal.value.status, refusal.value.error.param) == (400, param)
    assert said in refusal.value.error.message


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b'{"model": "\xff"}', b'{"model": "\\ud800"}', b'{"x": ' + b"[" * 100_000]
)
def test_bytes_that_are_no_request_are_refused(body: bytes) -> None:
    with pytest.raises(Refusal) as refusal:
        read_request(body)
    assert (refusal.value.status, refusal.value.error.type) == (400, "invalid_request_error")
