"""The journal as the other hosts reach it: all that a host writes in one turn of its loop is one message to the driver.

Only the driver's process writes the file. Every other host's recorder writes through a `RemoteJournal`, which sends the
records to the `JournalWriter` there. Both messages are one-way: they are sent again until they arrive, and a record
that arrives twice is stored once.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import msgspec

from quintet.errors import ActorCrashed, Fault, FaultNote, HostLost, StaleIncarnation, Undecodable, one_line
from quintet.events import Record
from quintet.messages.message import Message
from quintet.messages.paths import Path, episode_of
from quintet.messages.wire import encode
from quintet.ports.journal import Append, Appended, Journal
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.roles.by_episode import ByEpisode

JOURNAL_ROLE: Final = "journal"
"""Who hears `Append` on the driver's host, and `Appended` on every other."""


class _Host(Protocol):
    """What both ends need of the host that they are on."""

    name: HostName
    closed: bool

    def tell(self, to: Address, message: Message) -> None: ...

    def refuse_stale(self, path: Path, incarnation: int) -> None: ...


@dataclass(slots=True, eq=False)
class _Group:
    episode: Path
    incarnation: int
    committed: "asyncio.Future[None]"

    def end(self, fault: Fault | None) -> None:
        if self.committed.done():
            return
        if fault is None:
            self.committed.set_result(None)
        else:
            self.committed.set_exception(fault)


class RemoteJournal:
    """The driver's journal on another host. Implements the journal port, and hears what was committed."""

    def __init__(self, host: _Host) -> None:
        self._host = host
        self._numbers = itertools.count(1)
        self._waiting: list[tuple[_Group, bytes]] = []
        """For the end of this turn of the loop, each with its records, encoded."""
        self._sent: dict[int, Sequence[_Group]] = {}
        """By the number of their message."""
        self._groups: ByEpisode[_Group] = ByEpisode()
        """All of them."""

    def append(self, records: Iterable[Record]) -> Awaitable[None]:
        records, loop = tuple(records), asyncio.get_running_loop()
        committed: asyncio.Future[None] = loop.create_future()
        if not records:
            committed.set_result(None)
            return committed
        path, incarnation = records[0].event.path, records[0].incarnation
        try:
            if self._host.closed:
                raise HostLost(f"{path}: host {self._host.name} is gone")
            self._host.refuse_stale(path, incarnation)
            data = encode(records)
        except Exception as error:  # noqa: BLE001  it is its caller's, who awaits it
            committed.set_exception(error)
            return committed
        group = _Group(episode_of(path), incarnation, committed)
        if not self._waiting:
            loop.call_soon(self._flush)
        self._waiting.append((group, data))
        self._groups.add(group.episode, group)
        committed.add_done_callback(lambda _: self._groups.discard(group.episode, group))
        return committed

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        waiting = [(group, data) for group, data in waiting if not group.committed.done()]
        if not waiting:
            return
        number = next(self._numbers)
        self._sent[number] = [group for group, _ in waiting]
        append = Append(sender=self._host.name, number=number, groups=tuple(data for _, data in waiting))
        self._host.tell(Address(host=DRIVER, role=JOURNAL_ROLE), append)

    def hear(self, appended: Appended) -> None:
        for position, group in enumerate(self._sent.pop(appended.number, ())):
            note = appended.faults.get(position)
            group.end(None if note is None else note.fault())

    def release(self, episode: Path, incarnation: int) -> None:
        """Wait no more for what incarnations up to this one wrote."""
        for group in self._groups.of(episode):
            if group.incarnation <= incarnation:
                group.end(StaleIncarnation(f"{episode}: incarnation {group.incarnation} is over"))

    def close(self) -> None:
        """Wait for nothing any more; what was sent may be committed."""
        waiting = [group for group, _ in self._waiting]
        for group in itertools.chain(waiting, *self._sent.values()):
            group.end(StaleIncarnation(f"{group.episode}: host {self._host.name} was closed"))


_records = msgspec.msgpack.Decoder(tuple[Record, ...])


class JournalWriter:
    """Commits what other hosts append, on the driver's host, and tells them what was committed."""

    def __init__(self, journal: Journal, host: _Host) -> None:
        self._journal = journal
        self._host = host

    def hear(self, append: Append) -> None:
        if self._host.closed:
            return
        commits = asyncio.gather(*map(self._commit, append.groups), return_exceptions=True)
        commits.add_done_callback(partial(self._answer, append))

    def _commit(self, group: bytes) -> "asyncio.Future[None]":
        try:
            records = _records.decode(group)
            self._host.refuse_stale(records[0].event.path, records[0].incarnation)
            return asyncio.ensure_future(self._journal.append(records))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, IndexError) as error:
            fault: Fault = Undecodable(f"journal: expected records: {error}")
        except StaleIncarnation as stale:
            fault = stale
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failed.set_exception(fault)
        return failed

    def _answer(self, append: Append, commits: "asyncio.Future[list[BaseException | None]]") -> None:
        errors = {position: error for position, error in enumerate(commits.result()) if error is not None}
        faults = {position: FaultNote.of(_as_fault(error)) for position, error in errors.items()}
        self._host.tell(Address(host=append.sender, role=JOURNAL_ROLE), Appended(number=append.number, faults=faults))


def _as_fault(error: BaseException) -> Fault:
    if isinstance(error, Fault):
        return error
    return ActorCrashed(f"journal: {type(error).__name__}: {one_line(error)}")  # such as a number of 65 bits
