"""The journal port, and the messages that carry it to the one writer."""

from collections.abc import Awaitable, Iterable
from typing import Protocol

from quintet.events import Record
from quintet.messages.message import Message, Request


class Appended(Message, frozen=True, kw_only=True, tag="appended"):
    """The records are committed, or refused."""

    refused: bool = False
    """Their incarnation is over; none of them was committed."""
    prompt_unknown: bool = False
    """A call continues a prompt that the journal does not know; none of them was committed."""


class Append(Request[Appended], frozen=True, kw_only=True, tag="append"):
    """Commit records of one episode."""

    records: tuple[Record, ...]


class Journal(Protocol):
    """Where hosts write. Order is kept per caller; a commit covers everything appended before it."""

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
