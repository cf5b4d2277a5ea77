"""The wire codec: messages come back the same, other bytes are refused, and the schema is pinned."""

import ast
import inspect
import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import Undecodable
from quintet.events import AnyEvent, Record
from quintet.messages.message import Message, Request
from quintet.messages.planning import Decompose, Decomposed, MakePlan, PlanMade, PlanStep, RevisePlan
from quintet.messages.wire import MessageDecoder, decode_envelope, decode_reply, encode, messages, wire_schema
from quintet.ports.transport import Address
from tests.protocols import strategies

MESSAGES = messages()
REQUESTS: list[type[Request[Any]]] = [kind for kind in MESSAGES if issubclass(kind, Request)]
EVENTS = get_args(AnyEvent)
GOLDEN = Path(__file__).with_name("schema.json")


@pytest.mark.parametrize("kind", [*MESSAGES, *EVENTS, Record, Address], ids=lambda kind: kind.__name__)
@given(st.data())
def test_every_message_and_event_round_trips(kind: type[msgspec.Struct], data: st.DataObject) -> None:
    said = data.draw(strategies.of(kind))
    assert msgspec.msgpack.decode(encode(said), type=kind) == said
    assert msgspec.json.decode(msgspec.json.encode(said), type=kind) == said


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_frozen_keyword_only_strict_and_explicitly_tagged(kind: type[Message]) -> None:
    config = kind.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields
    assert isinstance(config.tag, str)
    (named,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(named, ast.ClassDef)
    assert "tag" in [keyword.arg for keyword in named.keywords], "or it would be its base's"
    assert all(each.kind == each.KEYWORD_ONLY for each in inspect.signature(kind).parameters.values())


def test_tags_are_distinct() -> None:
    tags = [kind.__struct_config__.tag for kind in [*MESSAGES, *EVENTS]]
    assert len(tags) == len(set(tags))


@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_every_request_promises_a_reply_that_exists(kind: type[Request[Any]]) -> None:
    with pytest.raises(Undecodable, match=f"reply to {kind.__name__}: expected "):
        decode_reply(kind, msgspec.Raw(encode({"type": "nothing of the kind"})))


def test_a_reply_of_another_request_is_refused_and_named() -> None:
    said = Decomposed(plan=PlanStep(number=1, text="boil water"))
    with pytest.raises(Undecodable, match=r"reply to MakePlan: expected PlanMade \| Unanswered, got 'decomposed'"):
        decode_reply(MakePlan, msgspec.Raw(encode(said)))


def test_an_unknown_field_is_refused() -> None:
    decode = MessageDecoder[Request[Any]]("planner", _planner)
    body = {"type": "make_plan", "setting": "", "goal": "tea", "mood": "good"}
    with pytest.raises(
        Undecodable, match=r"planner: expected MakePlan \| Decompose \| RevisePlan, got 'make_plan': .*mood"
    ):
        decode(msgspec.Raw(encode(body)))


async def _planner(request: MakePlan | Decompose | RevisePlan) -> PlanMade:
    raise AssertionError("only its annotation is read")


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_undecodable_and_nothing_worse(data: bytes) -> None:
    decode = MessageDecoder[Request[Any]]("planner", _planner)
    with pytest.raises(Undecodable):
        decode_envelope(data)
    with pytest.raises(Undecodable):
        decode(msgspec.Raw(data))


def test_events_of_a_later_version_are_read_without_what_is_new() -> None:
    for kind in EVENTS:
        config = kind.__struct_config__
        assert not config.forbid_unknown_fields


def test_the_schema_is_the_pinned_one() -> None:
    exported = json.loads(json.dumps(wire_schema()))
    assert exported == json.loads(GOLDEN.read_text()), f"run `quintet schema > {GOLDEN}` and review"
