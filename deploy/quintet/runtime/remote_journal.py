"""The journal by message: how hosts reach the one writer in the driver's process."""

from collections.abc import Iterable
from typing import Final, Protocol

from quintet.errors import StaleIncarnation
from quintet.events import Record
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path
from quintet.ports.journal import Append, Appended, Journal, JournalRequest
from quintet.ports.transport import DRIVER, Address

JOURNAL: Final = "journal"
"""The writer's role on the driver's host."""


class Asks(Protocol):
    """The part of a host that a remote journal needs."""

    async def ask(self, to: Address, request: Request[ReplyT], *, path: Path, incarnation: int) -> ReplyT: ...


class JournalWriter:
    """The actor around the journal: commits what hosts append."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def receive(self, request: JournalRequest) -> Appended:
        try:
            await self._journal.append(request.records)
        except StaleIncarnation:
            return Appended(refused=True)
        return Appended()


class RemoteJournal:
    """A host's side of it. Implements the journal port."""

    def __init__(self, host: Asks) -> None:
        self._host = host

    async def append(self, records: Iterable[Record]) -> None:
        records = tuple(records)
        if not records:
            return
        first = records[0]
        reply = await self._host.ask(
            Address(host=DRIVER, role=JOURNAL),
            Append(records=records),
            path=first.event.path,
            incarnation=first.incarnation,
        )
        if reply.refused:
            raise StaleIncarnation(f"{first.event.path}: the journal refused incarnation {first.incarnation}")
