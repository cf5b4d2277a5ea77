"""Typed questions on their way to a server that asks for them; no other server ever gets one.

Such a server refuses a prompt without its question by a status and a code of its own. From then on the endpoint's
client sends questions there, as one text in the request's `metadata`.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from quintet.errors import ModelFault
from quintet.messages.environment import Trail
from quintet.messages.execution import Decide, Retarget
from quintet.messages.grading import Grade
from quintet.messages.memory import Summarize
from quintet.messages.planning import Decompose, MakePlan, RevisePlan
from quintet.messages.reflection import Align, Choose, Compare, Condense, Judge, LookBack, Value
from quintet.ports.model import AnswerForm, Asked
from quintet.roles.memory.clustering import ItemsToSort
from quintet.roles.memory.index import TypesToChooseFrom
from quintet.roles.sir import ReflectOn
from quintet.roles.turns import ActionToRewrite

QUESTION_WANTED: Final = 428
"""The status of a server that wants the question beside a prompt."""
WANTED_CODE: Final = "question_wanted"
QUESTION_FIELD: Final = "quintet_question"
"""In a request's `metadata`."""


class QuestionWanted(ModelFault):
    """A server refused a prompt that came without its typed question."""


_KINDS: Mapping[str, type[Struct]] = {
    kind.__name__: kind
    for kind in (
        *(Decide, Retarget, ActionToRewrite, Decompose, MakePlan, RevisePlan),
        *(Value, Choose, Compare, Align, Judge, Condense, LookBack, ReflectOn),
        *(Summarize, ItemsToSort, TypesToChooseFrom, Grade),
    )
}


class _Sent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question as it is sent."""

    form: AnswerForm
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


def encode_question(asked: Asked) -> str | None:
    """A question as text; None if no server knows its kind."""
    kind = type(asked.about).__name__
    if kind not in _KINDS:
        return None
    world = asked.world
    sent = _Sent(
        form=asked.form,
        kind=kind,
        about=msgspec.Raw(msgspec.json.encode(asked.about)),
        trail=asked.trail,
        world=None if world is None else world.world.name,
        options={} if world is None else dict(world.options),
    )
    return msgspec.json.encode(sent, enc_hook=str).decode()


def decode_question(text: str) -> SentQuestion:
    """A question from its text.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    sent = msgspec.json.decode(text, type=_Sent)
    if sent.kind not in _KINDS:
        raise msgspec.ValidationError(f"expected one of {', '.join(_KINDS)}, got {sent.kind!r}")
    about = msgspec.json.decode(sent.about, type=_KINDS[sent.kind])
    return SentQuestion(Asked(form=sent.form, about=about, trail=sent.trail), sent.world, sent.options)
