"""The transport port and what it carries: batches of encoded envelopes between hosts.

Delivery is at most once. The receiving transport acknowledges a batch long before it is answered; without an
acknowledgement the sender gets `HostLost`. Only idempotent envelopes are sent again: `Release`, `Undelivered`, `Tell`.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NewType, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from quintet.errors import FaultNote
from quintet.events import Record
from quintet.messages.continuations import Continuation
from quintet.messages.environment import Trail
from quintet.messages.paths import Path

HostName = NewType("HostName", str)

DRIVER = HostName("driver")
"""The host that starts episodes and holds the journal."""


class Address(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where an actor is: its host and its role there."""

    host: HostName
    role: str


class Ask(Struct, frozen=True, kw_only=True, array_like=True, tag="ask", forbid_unknown_fields=True):
    """A request on its way to an actor."""

    id: int
    """Unique among its sender's asks."""
    sender: HostName
    role: str
    path: Path
    """The path this ask opens."""
    incarnation: int
    body: msgspec.Raw
    """The request, encoded."""
    seconds_left: float | None = None
    """Time the answer may still take; not an absolute time, since clocks differ."""
    recorded: tuple[Record, ...] = ()
    """What the journal holds under `path`; empty on a first run."""
    home: HostName | None = None
    """The host that the episode's sessions open on, outside of spread branches; None: by placement."""
    trail: Trail | None = None
    """What was done before the turns of the request, or before it; None: unknown, or no model of the run wants it."""
    continues: Continuation | None = None
    """How the episode goes on from a recorded one; None: it begins by itself."""


class Answer(Struct, frozen=True, kw_only=True, array_like=True, tag="answer", forbid_unknown_fields=True):
    """The reply to an ask."""

    id: int
    path: Path
    incarnation: int
    body: msgspec.Raw


class Failure(Struct, frozen=True, kw_only=True, array_like=True, tag="failure", forbid_unknown_fields=True):
    """An ask ended in a fault."""

    id: int
    path: Path
    incarnation: int
    note: FaultNote


class Cancel(Struct, frozen=True, kw_only=True, array_like=True, tag="cancel", forbid_unknown_fields=True):
    """The asker no longer waits; everything that the ask started ends."""

    id: int
    sender: HostName
    path: Path
    incarnation: int


class Release(Struct, frozen=True, kw_only=True, array_like=True, tag="release", forbid_unknown_fields=True):
    """From the driver: every incarnation of an episode up to this one is over; end its tasks, close its sessions."""

    path: Path
    incarnation: int


class Undelivered(Struct, frozen=True, kw_only=True, array_like=True, tag="undelivered", forbid_unknown_fields=True):
    """To the driver: something of this episode was lost on the way; take it up again from the journal."""

    path: Path
    incarnation: int


class Tell(Struct, frozen=True, kw_only=True, array_like=True, tag="tell", forbid_unknown_fields=True):
    """A one-way message. It is sent again until it is acknowledged, so it must be idempotent."""

    role: str
    body: msgspec.Raw
    """The message, encoded."""


Envelope: TypeAlias = Ask | Answer | Failure | Cancel | Release | Undelivered | Tell

Batch: TypeAlias = Sequence[bytes]
"""Encoded envelopes, in the order they were sent."""


class Transport(Protocol):
    """Carries batches from one host to the others."""

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        """Connect a host, once, before the first delivery.

        Args:
            receive: takes an arriving batch and returns at once; raises `Undecodable`, having taken nothing, for bytes
                that are not envelopes. Such a batch is not acknowledged.
            lost: called with a host that died. A host that is merely silent has not died.
        """
        ...

    def deliver(self, to: HostName, batch: Batch) -> Awaitable[None] | None:
        """Carry a batch.

        Returns:
            None if the receiving transport has it already; otherwise what ends when it has.

        Raises:
            HostLost: at once or when awaited: no acknowledgement came; the batch may or may not have arrived.
        """
        ...
