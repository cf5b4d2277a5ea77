"""The journal as other hosts reach it: one message for what a turn of the loop writes, and no loss is a loss."""

import asyncio
from random import Random

import msgspec
import pytest

from quintet.errors import FaultNote, HostLost, PromptUnknown, StaleIncarnation
from quintet.events import Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.message import Message
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.messages.wire import encode
from quintet.ports.journal import Append, Appended
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.runtime.host import Host
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter, RemoteJournal
from tests.deploy.journal.records import EPISODE, begun, call, decided
from tests.simulation.network import DELIVERY_DEADLINE, Network

HOST = HostName("host")
OTHER = episode_path("cake", 0, 0)


class Told:
    """A host that keeps what it is to tell others."""

    name = HOST
    closed = False

    def __init__(self, over: Path | None = None) -> None:
        self.messages: list[Message] = []
        self._over = over

    def tell(self, to: Address, message: Message) -> None:
        self.messages.append(message)

    def refuse_stale(self, path: Path, incarnation: int) -> None:
        if self._over is not None and path.startswith(self._over):
            raise StaleIncarnation(f"{path}: over")

    def appends(self) -> list[Append]:
        return [message for message in self.messages if isinstance(message, Append)]


async def writing(journal: RemoteJournal, *groups: list[Record]) -> "asyncio.Future[list[BaseException | None]]":
    """Groups that are written in one turn of the loop, and have been sent."""
    written = asyncio.gather(*map(journal.append, groups), return_exceptions=True)
    for _ in range(3):
        await asyncio.sleep(0)
    return written


async def test_what_is_written_in_a_turn_is_one_message_and_each_group_has_its_own_answer() -> None:
    host = Told()
    journal = RemoteJournal(host)
    written = await writing(journal, [decided(1), decided(2)], [decided(1, episode=OTHER)], [decided(3)])
    [append] = host.appends()
    assert [msgspec.msgpack.decode(group, type=list[Record]) for group in append.groups] == [
        [decided(1), decided(2)],
        [decided(1, episode=OTHER)],
        [decided(3)],
    ]
    assert not written.done()
    journal.hear(Appended(number=append.number, faults={1: FaultNote.of(StaleIncarnation("over"))}))
    first, second, third = await written
    assert (first, type(second), third) == (None, StaleIncarnation, None)


async def test_the_end_of_an_incarnation_ends_what_it_waits_for_and_nothing_else() -> None:
    host = Told()
    journal = RemoteJournal(host)
    written = await writing(journal, [decided(1)], [decided(2, incarnation=2)], [decided(1, episode=OTHER)])
    journal.release(EPISODE, 1)
    [append] = host.appends()
    journal.hear(Appended(number=append.number))
    assert [type(each) for each in await written] == [StaleIncarnation, type(None), type(None)]


async def test_a_host_that_is_closed_waits_for_no_answer_and_writes_nothing_more() -> None:
    host = Told()
    journal = RemoteJournal(host)
    written = await writing(journal, [decided(1)])
    journal.close()
    assert [type(each) for each in await written] == [StaleIncarnation]
    host.closed = True
    with pytest.raises(HostLost, match="is gone"):
        await journal.append([decided(2)])


async def answered(journal: SqliteJournal, *groups: list[Record] | bytes, over: Path | None = None) -> Appended:
    """What the writer says of groups, each of records or of bytes that are none."""
    host = Told(over)
    encoded = tuple(group if isinstance(group, bytes) else encode(group) for group in groups)
    JournalWriter(journal, host).hear(Append(sender=HOST, number=7, groups=encoded))
    for _ in range(9):
        await asyncio.sleep(0)
    [appended] = host.messages
    assert isinstance(appended, Appended)
    assert appended.number == 7
    return appended


async def test_a_group_that_cannot_be_read_or_stored_harms_no_other() -> None:
    journal = begun(":memory:", OTHER)
    continued = call(2, Prompt(user("Never stored.")).extend(user("Go.")), known=[Prompt(user("Never stored."))])
    groups: tuple[list[Record] | bytes, ...]
    groups = [decided(1)], b"\xa3one", [continued], [decided(9, incarnation=3)], [], [decided(1, episode=OTHER)]
    appended = await answered(journal, *groups)
    kinds = {position: note.kind for position, note in appended.faults.items()}
    assert kinds == {1: "Undecodable", 2: "PromptUnknown", 3: "StaleIncarnation", 4: "Undecodable"}
    assert isinstance(appended.faults[2].fault(), PromptUnknown)
    assert journal.reader.records() == [decided(1), decided(1, episode=OTHER)]


async def test_what_ended_on_the_driver_is_refused_though_nothing_newer_has_begun() -> None:
    journal = begun(":memory:", OTHER)
    appended = await answered(journal, [decided(1)], [decided(1, episode=OTHER)], over=EPISODE)
    assert [*appended.faults] == [0]
    assert journal.reader.records() == [decided(1, episode=OTHER)]


@pytest.mark.parametrize("lost", ["host to driver, batch 1", "driver to host, batch 1"])
@pytest.mark.parametrize("what", ["lost", "acknowledgement: lost"])
async def test_a_message_that_is_lost_is_sent_again_and_stored_once(lost: str, what: str) -> None:
    name = f"{lost}: lost" if what == "lost" else f"{lost}, {what}"
    network = Network(Random(0), loss=0.5, script={name: 1.0})
    journal = begun()
    driver = Host(DRIVER, network.transport(DRIVER), journal)
    driver.listen(JOURNAL_ROLE, JournalWriter(journal, driver))
    host = Host(HOST, network.transport(HOST))
    loop = asyncio.get_running_loop()
    started = loop.time()
    await host.recorder.commit(decided(1).event, incarnation=1)
    assert (loop.time() - started >= DELIVERY_DEADLINE) == (what == "lost")
    await asyncio.sleep(60)
    assert name in network.happened
    assert [record.event for record in journal.reader.records()] == [decided(1).event]
    assert host.idle
    assert driver.idle
