"""The journal port, and the messages that carry it to the one writer."""

from collections.abc import Awaitable, Iterable, Mapping
from typing import Protocol

from quintet.errors import FaultNote
from quintet.events import Record
from quintet.messages.message import Message
from quintet.ports.transport import HostName


class Append(Message, frozen=True, kw_only=True, tag="append"):
    """Commit what a host wrote in one turn of its loop, and answer by `Appended`. One-way and idempotent."""

    sender: HostName
    number: int
    """Unique among its sender's."""
    groups: tuple[bytes, ...]
    """Encoded records, each group of one episode and one incarnation. One that cannot be read harms no other."""


class Appended(Message, frozen=True, kw_only=True, tag="appended"):
    """The groups are committed, but for those that a fault kept out as a whole."""

    number: int
    faults: Mapping[int, FaultNote] = {}
    """By the position of its group."""


class Journal(Protocol):
    """Where hosts write. Order is kept per caller, unless a message is lost on its way or is large."""

    def append(self, records: Iterable[Record]) -> Awaitable[None]:
        """Commit records of one episode, all or none.

        Returns:
            What ends when they are durable against a kill of the process. To be awaited, or made a future, at once.

        Raises:
            StaleIncarnation: their incarnation is not their episode's newest.
            PromptUnknown: a call continues a prompt that the journal does not know.
            JournalFault: the storage failed; nothing of this call was committed. All of them when it is awaited.
        """
        ...
