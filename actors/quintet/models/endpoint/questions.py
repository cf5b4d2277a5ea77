"""Typed questions on their way to a server that asks for them; no other server ever gets one.

Such a server refuses a prompt without its question by a status and a code of its own. From then on the endpoint's
client sends questions there, as one text in the request's `metadata`.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from quintet.errors import ModelFault
from quintet.messages.completion import Complete
from quintet.messages.environment import Trail
from quintet.ports.model import Asked
from quintet.questions import QUESTIONS
from quintet.questions.acting import ActionToRewrite
from quintet.questions.shape import SHAPES

QUESTION_WANTED: Final = 428
"""The status of a server that wants the question beside a prompt."""
WANTED_CODE: Final = "question_wanted"
QUESTION_FIELD: Final = "quintet_question"
"""In a request's `metadata`."""


class QuestionWanted(ModelFault):
    """A server refused a prompt that came without its typed question."""


_ASKED: tuple[type[Struct], ...] = (*(question.asks for question in QUESTIONS), ActionToRewrite, Complete)
_KINDS: Mapping[str, type[Struct]] = {kind.__name__: kind for kind in _ASKED}
"""What questions are about, by name."""


class _Sent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    question: str
    kind: str
    about: msgspec.Raw
    trail: Trail | None = None
    world: str | None = None
    options: dict[str, Any] = {}


class SentQuestion(Struct, frozen=True):
    """A question that arrived."""

    asked: Asked
    """Without a world."""
    world: str | None
    """The name of the world; None: it is about none."""
    options: Mapping[str, Any]
    """What the world is made from, beside its name."""


def encode_question(asked: Asked, *, with_options: bool) -> str:
    """A question as text.

    Args:
        with_options: whether the world's options go along; they may name files and accounts.

    Raises:
        ModelFault: no server knows its kind.
    """
    kind = type(asked.about).__name__
    if _KINDS.get(kind) is not type(asked.about):
        raise ModelFault(f"{asked.question}: expected a question that a server knows, got one about {kind}")
    world = asked.world
    sent = _Sent(
        question=asked.question,
        kind=kind,
        about=msgspec.Raw(msgspec.json.encode(asked.about)),
        trail=asked.trail,
        world=None if world is None else world.world.name,
        options=dict(world.options) if world is not None and with_options else {},
    )
    return msgspec.json.encode(sent, enc_hook=str).decode()


def decode_question(text: str) -> SentQuestion:
    """A question from its text; a `msgspec.MsgspecError` if it is none."""
    sent = msgspec.json.decode(text, type=_Sent)
    if sent.question not in ("", *SHAPES):
        raise msgspec.ValidationError(f"expected one of {', '.join(SHAPES)}, got {sent.question!r}")
    if sent.kind not in _KINDS:
        raise msgspec.ValidationError(f"expected one of {', '.join(_KINDS)}, got {sent.kind!r}")
    about = msgspec.json.decode(sent.about, type=_KINDS[sent.kind])
    return SentQuestion(Asked(question=sent.question, about=about, trail=sent.trail), sent.world, sent.options)
