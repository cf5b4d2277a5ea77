"""Requests as clients write them."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.ports.model import Sampling
from quintet.serving.request import CompletionRequest, read_request
from quintet.serving.wire import Refusal

SAID = {"role": "user", "content": "go"}


def _read(**fields: Any) -> CompletionRequest:
    return read_request(json.dumps({"model": "sim", "messages": [SAID], **fields}).encode())


BARE = Sampling(temperature=1.0, top_p=1.0, max_tokens=2**31 - 1)
"""OpenAI's defaults."""
NULLS = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "n", "stream")


@pytest.mark.parametrize(
    ("fields", "messages", "sampling"),
    [
        pytest.param(
            {
                "messages": [{"role": "system", "content": "Craft."}, SAID, {"role": "assistant", "content": "went"}],
                "temperature": 0,
                "top_p": 0.5,
                "max_tokens": 9,
                "stop": ["\n", "END"],
                "seed": -3,
            },
            (system("Craft."), user("go"), assistant("went")),
            Sampling(temperature=0.0, top_p=0.5, max_tokens=9, stop=("\n", "END"), seed=-3),
            id="in-full",
        ),
        pytest.param({}, (user("go"),), BARE, id="missing-fields-have-defaults"),
        pytest.param(dict.fromkeys(NULLS), (user("go"),), BARE, id="so-do-nulls"),
        pytest.param(
            {"max_completion_tokens": 5, "max_tokens": 9},
            (user("go"),),
            replace(BARE, max_tokens=5),
            id="the-newer-name-of-the-limit-counts-first",
        ),
        pytest.param(
            {"messages": [{"role": "developer", "content": [{"type": "text", "text": t} for t in ("You ", "craft.")]}]},
            (system("You craft."),),
            BARE,
            id="a-developer-is-the-system-and-parts-are-one-text",
        ),
        pytest.param(
            {"stop": "END", "logit_bias": {"5": 1}, "user": "me"},
            (user("go"),),
            replace(BARE, stop=("END",)),
            id="a-stop-word-may-stand-alone-and-unknown-fields-are-ignored",
        ),
    ],
)
def test_a_request_is_read(fields: dict[str, Any], messages: tuple[ChatMessage, ...], sampling: Sampling) -> None:
    wanted = _read(**fields)
    assert (wanted.messages, wanted.sampling) == (messages, sampling)


def test_a_digest_depends_on_model_messages_and_sampling_and_not_on_how_the_json_was_written() -> None:
    one = read_request(b'{"model":"sim","messages":[{"role":"user","content":"go"}],"temperature":0}')
    other = read_request(
        b'{ "user": "me", "temperature": 0.0, "messages": [{"content": [{"type": "text", "text": "g\\u006f"}],'
        b' "role": "user"}], "model": "sim", "n": 1 }'
    )
    assert one.digest == other.digest
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
