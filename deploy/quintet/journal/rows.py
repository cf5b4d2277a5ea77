"""Decodes rows of a journal. A row that does not fit its table raises one of `UNREADABLE`."""

from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from quintet.events import AnyEvent, Record
from quintet.messages.paths import Path
from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode
from quintet.ports.model import Finish, Usage

Row: TypeAlias = tuple[Any, ...]
"""As SQLite returns it: any column may hold any type."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)

_EPISODE = r"^[^/\x00-\x1f\x7f]+/[0-9]{1,9}/[0-9]{1,9}"

_EpisodePath = Annotated[Path, Meta(pattern=rf"{_EPISODE}\Z")]
_EventPath = Annotated[Path, Meta(pattern=rf"{_EPISODE}(/[0-9]{{1,9}})*\Z")]
_Count = Annotated[int, Meta(ge=0, le=2**62)]
_Moment = Annotated[float, Meta(ge=0, le=1e11)]
"""Seconds since the Unix epoch."""
_Duration = Annotated[float, Meta(ge=-1e11, le=1e11)]
"""Seconds; negative if the clock was set back."""


class StartRow(NamedTuple):
    """The newest start of an attempt."""

    path: _EpisodePath
    incarnation: _Count
    started: _Moment


class UseRow(NamedTuple):
    """Usage of the answered calls of an episode to one model."""

    episode: _EpisodePath
    model: str
    calls: _Count
    prompt_tokens: _Count
    cached_tokens: _Count
    completion_tokens: _Count

    @property
    def usage(self) -> Usage:
        """The tokens."""
        return Usage(
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.cached_tokens,
            completion_tokens=self.completion_tokens,
        )


class FinishRow(NamedTuple):
    """Number of calls of an episode with one finish reason."""

    episode: _EpisodePath
    finish: Finish
    calls: _Count


class ChargeRow(NamedTuple):
    """The charge of an attempt at a call."""

    model: str
    prompt_tokens: _Count
    cached_tokens: _Count
    completion_tokens: _Count


class FingerprintRow(NamedTuple):
    """A model that answered, and its endpoint's fingerprint, if any."""

    model: str
    fingerprint: str | None


class _EventRow(NamedTuple):
    path: _EventPath
    kind: str
    incarnation: _Count
    host: str
    at: _Moment
    seconds: _Duration
    content: str
    address: str | None
    parent: str | None
    messages: str | None


class _PromptRow(NamedTuple):
    address: str
    parent: str | None
    messages: str


_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_messages = msgspec.json.Decoder(tuple[ChatMessage, ...])


def start_of(row: Row) -> StartRow:
    """A row of `episodes`."""
    return msgspec.convert(row, StartRow)


def use_of(row: Row) -> UseRow:
    """A sum over rows of `events`."""
    return msgspec.convert(row, UseRow)


def finish_of(row: Row) -> FinishRow:
    """A count of rows of `events`."""
    return msgspec.convert(row, FinishRow)


def charge_of(row: Row) -> tuple[str, Usage]:
    """A row of `charges`: the model, and what its attempt is charged for."""
    found = msgspec.convert(row, ChargeRow)
    model, prompt, cached, completion = found
    return model, Usage(prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion)


def fingerprint_of(row: Row) -> FingerprintRow:
    """A model among rows of `events`."""
    return msgspec.convert(row, FingerprintRow)


def number_of(row: Row) -> float | None:
    """A row of one number or NULL."""
    (found,) = msgspec.convert(row, tuple[float | None])
    return found


def record_of(row: Row) -> Record:
    """A row of `events` joined to the prompt of its call, if it is one."""
    found = msgspec.convert(row, _EventRow)
    event = _events.decode(found.content)
    if (event.path, event.kind) != (found.path, found.kind):
        raise msgspec.ValidationError(f"expected {found.kind} under {found.path}, got {event.kind} under {event.path}")
    return Record(
        event=event,
        incarnation=found.incarnation,
        host=found.host,
        at=found.at,
        seconds=found.seconds,
        prompts=() if found.address is None else (node_of((found.address, found.parent, found.messages)),),
    )


def node_of(row: Row) -> PromptNode:
    """A row of `prompts`."""
    found = msgspec.convert(row, _PromptRow)
    return PromptNode(
        address=PromptAddress(found.address),
        parent=None if found.parent is None else PromptAddress(found.parent),
        appended=_messages.decode(found.messages),
    )
