"""Messages of the quota: ask for a permit, report what became of a call. And the port to the quota's books."""

from collections.abc import Iterable
from typing import Annotated, Literal, Protocol, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from quintet.messages.message import Message, Request
from quintet.messages.paths import Path
from quintet.ports.model import Tokens, Usage

Permit: TypeAlias = str
"""`HOST/NUMBER`, chosen by the host that asks, so that it can give up a permit before it is granted."""


PermitOutcome: TypeAlias = Literal["answered", "overloaded", "failed", "cancelled", "refused", "unused"]
"""How a permit was used. A `failed` call may have cost something and is charged in full, and so is one that was
`cancelled` under way, unless its key was refused, or it waited for a batch that was not begun; `overloaded` and
`refused` cost nothing; with an `unused` permit no call was made."""

Refuses: TypeAlias = Literal["call", "model", "key"]
"""What an endpoint that refused a call refuses: this call, all calls of its model, or all calls with its key."""


class Granted(Message, frozen=True, kw_only=True, tag="granted"):
    """The call may be made. Its deadline counts from here."""

    answers: Annotated[int, Meta(ge=1)] = 1
    """How many completions it may bring: as many as were asked for, or one if no more fit into a budget."""


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
    pause: Annotated[float, Meta(ge=0)] = 0.0
    """Seconds to wait before anything else: the pause before a repeated attempt."""
    lost: Annotated[float, Meta(ge=0)] = 0.0
    """Seconds that the attempt before this one took until it failed; like the pause, no working time."""
    answers: Annotated[int, Meta(ge=1)] = 1
    """How many completions it may bring. An episode's limit counts each as a call."""
    apart: bool = False
    """The limits of the call's episode do not count it; the run's budget does."""
    batched: bool = False
    """It waits for a batch: no limit of calls, requests or tokens at a time holds it."""
    account: str = ""
    """Where it is billed: see `quintet.ports.model.Billed`; empty: unknown."""


class Settle(Message, frozen=True, kw_only=True, tag="settle"):
    """Give a permit back. One-way and idempotent."""

    permit: Permit
    outcome: PermitOutcome
    usage: Usage | None = None
    """None if the call was not answered."""
    answers: Annotated[int, Meta(ge=1)] = 1
    """How many completions an answered call brought."""
    retry_after: Annotated[float, Meta(ge=0)] | None = None
    """Seconds, if an overloaded endpoint says so."""
    refuses: Refuses = "call"
    """If the call was refused."""


class Queued(Message, frozen=True, kw_only=True, tag="queued"):
    """For how long an episode has waited for permits and endpoints; calls that wait at the same time count once."""

    seconds: float


class HasQueued(Request[Queued], frozen=True, kw_only=True, tag="has_queued"):
    """Ask for how long the asking episode has waited so far, which is not working time."""


QuotaRequest: TypeAlias = Reserve | HasQueued


class Charge(Struct, frozen=True, kw_only=True):
    """An attempt at a model call, in the books."""

    permit: Permit
    path: Path
    """Of the call."""
    model: str
    usage: Usage
    """Its usage; while it is open, the upper bound."""
    answers: int = 1
    """How many completions it may bring."""
    apart: bool = False
    """The limits of the call's episode do not count it."""
    batched: bool = False
    """It waits for a batch. Whoever asks for the same answer again takes up this charge, since it is paid once."""

    def for_one(self) -> "Charge":
        """The same attempt for one completion only."""
        tokens = self.usage.completion_tokens // self.answers
        usage = replace(self.usage, completion_tokens=tokens)
        return replace(self, usage=usage, answers=1)


class Spent(Struct, frozen=True, kw_only=True):
    """What attempts at the model calls of an episode used and cost."""

    path: Path
    """The episode."""
    nanodollars: int
    tokens: int
    apart: bool = False
    """The episode's limits do not count them."""


class Charges(Protocol):
    """The books: charges kept so that they survive a kill."""

    def is_lost(self, charge: Charge) -> bool:
        """Whether an attempt at the same call, with the same bound, brought no answer and is charged in full.

        Raises:
            JournalFault: the storage failed.
        """
        ...

    def open(self, charge: Charge) -> bool:
        """Commit a reservation; returns when it would survive a kill of the process.

        Returns:
            Whether it takes the place of one that is lost, as that of a call by batches does; see `is_lost`.

        Raises:
            JournalFault: the storage failed.
        """
        ...

    def settle(self, permit: Permit, usage: Usage, *, answered: bool) -> None:
        """Commit the usage of an attempt, and whether it was answered. A second call has no effect.

        Raises:
            JournalFault: the storage failed.
        """
        ...

    def earlier(self) -> Iterable[Spent]:
        """What earlier starts of the run spent, by episode; one may come several times. Open charges count in full.

        Raises:
            JournalFault: the storage failed.
        """
        ...

    def calls(self, episode: Path) -> Iterable[Path]:
        """The calls that an episode's limits count, with an attempt or an answer committed; one may come twice.

        Raises:
            JournalFault: the storage failed.
        """
        ...
