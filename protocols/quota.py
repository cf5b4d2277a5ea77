"""What is said to the quota: permits are asked for, and what became of a call is told."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from protocols.message import Message, Request
from protocols.models import Usage

Permit: TypeAlias = str
"""`HOST/NUMBER`, chosen by the host that asks, so that what it no longer wants can be named before it is granted."""

Tokens = Annotated[int, Meta(ge=0)]


class Granted(Message, frozen=True, kw_only=True, tag="granted"):
    """The call may be made. Its deadline counts from here."""


class Reserve(Request[Granted], frozen=True, kw_only=True, tag="reserve"):
    """Ask for the permit to make one attempt at a model call; answered when there is room.

    With a budget the reservation is committed before the answer.
    """

    permit: Permit
    host: str
    """Where the call is made. When it dies, its permits return and its reservations are charged in full."""
    model: str
    prompt_tokens: Tokens
    """An upper bound."""
    completion_tokens: Tokens
    """An upper bound."""


class Settle(Message, frozen=True, kw_only=True, tag="settle"):
    """Told, not asked: a permit returns. However often it is said, it means the same."""

    permit: Permit
    outcome: Literal["answered", "overloaded", "failed", "refused"]
    """`overloaded` and `refused` cost nothing; `failed` may have been charged, and is charged in full."""
    usage: Usage | None = None
    """Where the call was answered."""
    retry_after: float | None = None
    """Seconds, where an overloaded endpoint says so."""


class Queued(Message, frozen=True, kw_only=True, tag="queued"):
    """For how long an episode has waited for permits; while any of its calls waits, time passes once."""

    seconds: float


class HasQueued(Request[Queued], frozen=True, kw_only=True, tag="has_queued"):
    """Ask for how long the episode that this is asked from has waited so far: that is no working time."""


QuotaRequest: TypeAlias = Reserve | HasQueued
