"""OpenEnv's messages as they cross a web socket, with our extension: snapshot, restore and fork.

Source: `openenv` 0.10, `core/env_server/types.py`. Differs: a reset refuses options that it does not know.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.errors import one_line, utf8

ErrorCode: TypeAlias = Literal[
    "INVALID_JSON", "VALIDATION_ERROR", "EXECUTION_ERROR", "CAPACITY_REACHED", "FACTORY_ERROR", "SESSION_ERROR"
]
"""`VALIDATION_ERROR` and `EXECUTION_ERROR`: nothing was done. After the last three the session is over."""


class FrameError(Exception):
    """An error that its client is told.

    Args:
        further: fields beside message and code.
    """

    def __init__(self, code: ErrorCode, message: str, **further: Any) -> None:
        super().__init__(message)
        self.code: Final = code
        self.further: Final = further


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a message; other fields are refused."""


class TaskSpec(_Part, frozen=True, kw_only=True):
    """A task, as the list of tasks has it."""

    task: str


class ResetOptions(_Part, frozen=True, kw_only=True):
    """Which task begins: by its name, by its place in a split, or by the seed alone."""

    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    """Fixes the world; None: 0. Where nothing else names a task, it also chooses one of the first split."""
    episode_id: Annotated[str, Meta(max_length=255)] | None = None
    task: str | None = None
    task_spec: TaskSpec | None = None
    split: str | None = None
    index: Annotated[int, Meta(ge=0)] | None = None


class TextAction(_Part, frozen=True, kw_only=True):
    """An action is a text."""

    text: str
    metadata: Mapping[str, Any] = {}
    """Is ignored."""


class SnapshotData(_Part, frozen=True, kw_only=True):
    """What a snapshot was answered with."""

    snapshot: bytes
    """In JSON as base64."""


class ResetMessage(_Part, frozen=True, kw_only=True, tag="reset", tag_field="type"):
    """Begin a task."""

    data: ResetOptions = ResetOptions()


class StepMessage(_Part, frozen=True, kw_only=True, tag="step", tag_field="type"):
    """Act."""

    data: TextAction


class StateMessage(_Part, frozen=True, kw_only=True, tag="state", tag_field="type"):
    """Where is the session? Answered with a `StateFrame`."""


class CloseMessage(_Part, frozen=True, kw_only=True, tag="close", tag_field="type"):
    """End the session."""


class SnapshotMessage(_Part, frozen=True, kw_only=True, tag="snapshot", tag_field="type"):
    """Extension: answered with a `SnapshotFrame`."""


class RestoreMessage(_Part, frozen=True, kw_only=True, tag="restore", tag_field="type"):
    """Extension: go on from a snapshot; answered as a reset is."""

    data: SnapshotData


class ForkMessage(_Part, frozen=True, kw_only=True, tag="fork", tag_field="type"):
    """Extension: copy the session; answered with a `ForkFrame`, whose id another connection takes."""


ClientMessage: TypeAlias = (
    ResetMessage | StepMessage | StateMessage | CloseMessage | SnapshotMessage | RestoreMessage | ForkMessage
)


class Metadata(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an observation says beside its text."""

    score: float
    """Earned so far, in [0, 1]; rewards are its increases."""
    rejected: bool = False
    """The action was not carried out, as the text says."""
    admissible: tuple[str, ...] | None = None
    """Every action that would be carried out now; None: they are too many to list."""
    figures: Mapping[str, float] = {}
    task: str | None = None
    """At the beginning of a task only, as the next three."""
    seed: int | None = None
    goal: str | None = None
    """The goal as an instruction."""
    setting: str | None = None
    """The text without its goal."""


class TextObservation(Struct, frozen=True, kw_only=True):
    """What is seen now."""

    text: str
    metadata: Metadata


class ObservationData(Struct, frozen=True, kw_only=True):
    """An observation with what its step earned. OpenEnv has the metadata twice, for two kinds of clients."""

    observation: TextObservation
    reward: float | None
    done: bool
    metadata: Metadata


class ObservationFrame(Struct, frozen=True, kw_only=True, tag="observation", tag_field="type"):
    """The answer to a reset, a step or a restore."""

    data: ObservationData


class SessionState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a session is; its text is what is seen now, since a client may take over a session."""

    episode_id: str | None
    step_count: int
    task: str | None = None
    seed: int | None = None
    score: float = 0.0
    done: bool = False
    text: str = ""


class StateFrame(Struct, frozen=True, kw_only=True, tag="state", tag_field="type"):
    """Where a session is."""

    data: SessionState


class SnapshotFrame(Struct, frozen=True, kw_only=True, tag="snapshot", tag_field="type"):
    """Where a session is, written down."""

    data: SnapshotData


class ForkedData(Struct, frozen=True, kw_only=True):
    """Where a copy waits."""

    session_id: str
    """For `/ws?session_id=`, once."""


class ForkFrame(Struct, frozen=True, kw_only=True, tag="fork", tag_field="type"):
    """The answer to a fork."""

    data: ForkedData


ServerFrame: TypeAlias = ObservationFrame | StateFrame | SnapshotFrame | ForkFrame

_decode = msgspec.json.Decoder(ClientMessage).decode
_encode = msgspec.json.Encoder().encode


def read_message(text: str) -> ClientMessage:
    """A client's message.

    Raises:
        FrameError: it is no JSON, or no message.
    """
    try:
        message: ClientMessage = _decode(text)
    except msgspec.ValidationError as error:
        raise FrameError("VALIDATION_ERROR", one_line(error)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FrameError("INVALID_JSON", one_line(error)) from error
    return message


def encode_frame(frame: ServerFrame) -> bytes:
    """A frame as JSON."""
    return _encode(frame)


def encode_error(error: FrameError) -> bytes:
    """The frame of an error."""
    return _encode({"type": "error", "data": {"message": utf8(str(error)), "code": error.code, **error.further}})


class _WholeObservation(Struct, kw_only=True):
    """As OpenEnv's schema has it: with reward and done."""

    text: str
    done: bool = False
    reward: float | None = None
    metadata: Metadata


def schemas() -> dict[str, Any]:
    """The JSON schemas of actions, observations and states."""
    return {"action": _schema(TextAction), "observation": _schema(_WholeObservation), "state": _schema(SessionState)}


def _schema(kind: type) -> dict[str, Any]:
    """A schema whose properties stand at its top, where clients look for them."""
    (_,), defined = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema = dict(defined.pop(kind.__name__.lstrip("_"), None) or defined.pop(kind.__name__))
    return {**schema, "$defs": defined} if defined else schema
