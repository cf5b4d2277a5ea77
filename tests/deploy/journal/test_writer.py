"""The writer: commits, incarnations and charges, and what survives a kill, a resume or a full disk."""

import asyncio
import gc
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Literal, TypeAlias

import pytest

from quintet.errors import JournalFault, PromptUnknown, StaleIncarnation
from quintet.events import Decided, EpisodeEnded, Record, Requeued, SessionOpened
from quintet.journal.cells import NewRows
from quintet.journal.charges import RECONCILE, UNCHARGED
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.messages.quota import Charge
from quintet.ports.model import Usage
from quintet.quota.prices import Price
from tests.deploy.journal.records import EPISODE, append, begun, call, changed, decided, record, written
from tests.simulation.virtual import run

ROOT = FilePath(__file__).parents[3]


def test_incarnations_count_from_one_and_older_ones_are_refused() -> None:
    journal = SqliteJournal(":memory:")
    assert journal.begin(EPISODE) == 1
    assert journal.begin(EPISODE) == 2
    with pytest.raises(StaleIncarnation, match="expected incarnation 2, got 1"):
        run(append(journal, [decided(1, incarnation=1)]))
    assert journal.reader.records() == []
    run(append(journal, [decided(1, incarnation=2)]))
    assert len(journal.reader.records()) == 1


def test_a_first_start_is_stored_with_what_is_committed_next_or_when_the_journal_is_closed(tmp_path: FilePath) -> None:
    first, second = episode_path("other", 0, 0), episode_path("other", 1, 0)
    with closing(SqliteJournal(tmp_path / "journal.sqlite")) as journal:
        assert [journal.begin(first), journal.begin(EPISODE)] == [1, 1]
        assert list(journal.reader.episodes()) == []
        run(append(journal, [decided(1)]))
        assert [row.path for row in journal.reader.episodes()] == [first, EPISODE]
        assert [journal.begin(second), journal.begin(first)] == [1, 2]
        assert next((row.path, row.incarnation) for row in journal.reader.episodes()) == (first, 2)
        journal.begin(episode_path("other", 2, 0))
    with closing(JournalReader.open(tmp_path / "journal.sqlite")) as reader:
        assert len(list(reader.episodes())) == 4


async def test_a_queued_record_belongs_to_the_incarnation_it_was_appended_under() -> None:
    journal = begun()
    appending = asyncio.create_task(append(journal, [decided(1)]))
    await asyncio.sleep(0)
    journal.begin(EPISODE)
    await appending
    assert journal.reader.records() == [decided(1)]


class _Watcher:
    def __init__(self) -> None:
        self.seen: list[object] = []

    def begun(self, episode: Path, incarnation: int) -> None:
        self.seen.append((episode, incarnation))

    def committed(self, records: Sequence[Record]) -> None:
        self.seen.extend(records)


def test_visits_that_are_not_kept_reach_the_watcher_alone_and_episodes_are_kept() -> None:
    watcher, visit = _Watcher(), Path("~visit/0/7")
    journal = SqliteJournal(":memory:", watcher, keep_visits=False)
    assert journal.begin(visit) == 1
    run(append(journal, [decided(1, episode=visit)]))
    journal.leave(visit)
    journal.charges.open(Charge(permit="here/1", path=child(visit, 1), model="model", usage=Usage()))
    journal.charges.settle("here/1", Usage(), answered=True)
    assert watcher.seen == [(visit, 1), decided(1, episode=visit)]
    assert journal.begin(EPISODE) == 1
    run(append(journal, [decided(1)]))
    assert [row.path for row in journal.reader.episodes()] == [EPISODE]
    assert journal.reader.records() == [decided(1)]
    assert list(journal.charges.earlier()) == []


def test_a_record_that_arrives_twice_is_told_once() -> None:
    watcher = _Watcher()
    journal = SqliteJournal(":memory:", watcher)
    journal.begin(EPISODE)
    for _ in range(2):
        run(append(journal, [decided(1)]))
    assert watcher.seen == [(EPISODE, 1), decided(1)]


class _FailsOnce(SqliteJournal):
    """Cannot be written the first time."""

    fails = True

    def _write_numbered(self, rows: NewRows) -> None:
        if self.fails:
            self.fails = False
            raise sqlite3.OperationalError("disk I/O error")
        super()._write_numbered(rows)


async def test_an_incarnation_that_begins_over_a_failed_commit_can_be_written() -> None:
    journal = _FailsOnce(":memory:")
    journal.begin(EPISODE)
    waiting = asyncio.ensure_future(journal.append([decided(1)]))
    assert journal.begin(EPISODE) == 2
    with pytest.raises(JournalFault, match="disk I/O error"):
        await waiting
    await journal.append([decided(2, incarnation=2)])
    assert journal.reader.records() == [decided(2, incarnation=2)]


def test_a_visit_that_was_left_is_kept_and_takes_no_more_memory(tmp_path: FilePath) -> None:
    journal, visit = SqliteJournal(tmp_path / "journal.sqlite"), Path("~visit/0/20230615")  # no other test's
    journal.begin(visit)
    run(append(journal, [decided(1, episode=visit)]))
    assert _in_memory(visit) == 1
    journal.leave(visit)
    assert _in_memory(visit) == 0
    run(append(journal, [decided(2, episode=visit)]))  # one that was late
    assert len(journal.reader.records(visit)) == 2
    journal.close()


def _in_memory(episode: Path) -> int:
    return sum(type(each) is OpenEpisode and each.path == episode for each in gc.get_objects())


async def test_closing_commits_queued_records(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")

    appending = asyncio.create_task(append(journal, [decided(1)]))
    await asyncio.sleep(0)
    journal.close()
    await appending
    with closing(JournalReader.open(tmp_path / "journal.sqlite")) as reader:
        assert reader.records() == [decided(1)]


def test_a_journal_is_created_whole_or_not_at_all(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    (tmp_path / "journal.sqlite.part").write_bytes(b"what a kill left")
    SqliteJournal(file).close()
    assert [found.name for found in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_start_that_cannot_be_written_is_a_fault(tmp_path: FilePath) -> None:
    with closing(begun(tmp_path / "journal.sqlite")) as journal:
        changed(tmp_path / "journal.sqlite", "DROP TABLE _episodes")
        with pytest.raises(JournalFault, match="no such table"):
            journal.begin(EPISODE)


def test_the_first_record_of_a_path_is_kept() -> None:
    journal = begun()
    run(append(journal, [decided(1, answer="1")]))
    journal.begin(EPISODE)
    run(append(journal, [decided(1, incarnation=2, answer="2")]))
    assert journal.reader.records() == [decided(1, answer="1")]


def test_a_storage_failure_is_a_fault_and_nothing_of_the_commit_is_there(tmp_path: FilePath) -> None:
    journal = begun(file := tmp_path / "journal.sqlite")
    when = "BEFORE INSERT ON _decisions WHEN NEW.path = '2'"
    changed(file, f"CREATE TRIGGER full {when} BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    with pytest.raises(JournalFault, match="disk is full"):
        run(append(journal, [decided(1), decided(2)]))
    assert journal.reader.records() == []
    run(append(journal, [decided(1)]))
    assert len(journal.reader.records()) == 1
    journal.close()


async def appended(journal: SqliteJournal, *groups: list[Record]) -> list[BaseException | None]:
    """What becomes of groups of records that arrive before one commit."""
    return await asyncio.gather(*map(journal.append, groups), return_exceptions=True)


STRANGER = Prompt(user("Never stored."))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        pytest.param(decided(2, incarnation=0), StaleIncarnation, id="of-an-older-start"),
        pytest.param(call(2, STRANGER.extend(user("Go.")), known=[STRANGER]), PromptUnknown, id="a-prompt-of-nowhere"),
        pytest.param(record(Decided(path=child(EPISODE, 2), question="\ud800", answer="")), ValueError, id="a-text"),
        pytest.param(
            record(SessionOpened(path=child(EPISODE, 2), session="\ud800", observation="")), ValueError, id="a-session"
        ),
        pytest.param(
            record(SessionOpened(path=Path(f"{EPISODE}/\ud800"), session=EPISODE, observation="")),
            ValueError,
            id="a-path",
        ),
        pytest.param(
            record(EpisodeEnded(path=EPISODE, state="solved", reward=float("nan"))), ValueError, id="no-number"
        ),
        pytest.param(record(EpisodeEnded(path=EPISODE, state="solved", depth=2**63)), OverflowError, id="a-large-one"),
    ],
)
def test_a_record_that_cannot_be_stored_fails_its_own_group_only(wrong: Record, error: type[Exception]) -> None:
    other = episode_path("lantern", 0, 0)
    journal = begun(":memory:", other)
    failed, again, kept = run(appended(journal, [decided(1), wrong], [decided(1)], [decided(1, episode=other)]))
    assert isinstance(failed, error)
    assert (again, kept) == (None, None)
    assert journal.reader.records() == [decided(1), decided(1, episode=other)]


def test_nothing_is_written_behind_the_end_that_its_totals_would_leave_out(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    end = record(EpisodeEnded(path=EPISODE, state="solved"))
    assert run(appended(journal, [call(1)], [end])) == [None, None]
    for _ in range(2):
        late, again = run(appended(journal, [call(2)], [end]))
        assert str(late) == "beehive/0/0/2: expected an episode that goes on, got one that has ended"
        assert isinstance(late, StaleIncarnation)
        assert again is None
        journal.close()
        journal = SqliteJournal(tmp_path / "journal.sqlite")
    assert [use.calls for _, used in journal.reader.attempts() for use in used] == [1]
    journal.close()


def _broken(*records: Record) -> Iterator[Record]:
    yield from records
    raise JournalFault("the recorded run cannot be read")


def test_copied_records_are_there_with_the_start_or_not_at_all(tmp_path: FilePath) -> None:
    file, other = tmp_path / "journal.sqlite", episode_path("torch", 0, 0)
    journal = SqliteJournal(file)
    assert not journal.has_records(EPISODE)
    with pytest.raises(JournalFault, match="the recorded run"):
        journal.begin_from(EPISODE, _broken(call(1), decided(2)))
    journal.begin(other)
    run(append(journal, [decided(1, episode=other)]))  # with which a start is stored that waits
    assert not journal.has_records(EPISODE)
    journal.begin_from(EPISODE, [call(1), decided(2)])
    assert journal.has_records(EPISODE)
    journal.close()
    journal = SqliteJournal(file)
    assert journal.has_records(EPISODE)
    found = [(each.incarnation, each.event) for each in journal.reader.records(EPISODE)]
    assert found == [(0, call(1).event), (0, decided(2).event)]
    journal.close()


def test_an_attempt_that_was_only_requeued_has_no_records_yet(tmp_path: FilePath) -> None:
    again = episode_path("beehive", 0, 1)
    with closing(SqliteJournal(tmp_path / "journal.sqlite")) as journal:
        journal.begin(again)
        run(append(journal, [record(Requeued(path=again, repeats=EPISODE))]))
        assert not journal.has_records(again)
        assert journal.begin_from(again, [decided(1, episode=again)]) == 2
        assert journal.has_records(again)


_WRITER = """
import asyncio, sys
from quintet.journal.writer import SqliteJournal
from quintet.events import Decided, Record
from quintet.messages.paths import child, episode_path
async def main():
    journal = SqliteJournal(sys.argv[1])
    episode = episode_path("beehive", 0, 0)
    journal.begin(episode)
    for number in range(1, 100_000):
        event = Decided(path=child(episode, number), question="which", answer="1")
        await journal.append([Record(event=event, incarnation=1)])
        print(number, flush=True)
asyncio.run(main())
"""


def test_what_was_acknowledged_survives_a_real_kill(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", _WRITER, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        acknowledged = [int(next(writer.stdout)) for _ in range(500)][-1]
        os.kill(writer.pid, signal.SIGKILL)
    with closing(JournalReader.open(file)) as reader:
        found = len(reader.records())
    assert found >= acknowledged == 500


@pytest.mark.parametrize(("synchronous", "mode"), [("normal", 1), ("full", 2)])
def test_full_synchronous_has_sqlite_sync_every_commit(
    synchronous: Literal["normal", "full"], mode: int, tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []

    def remember(file: FilePath) -> sqlite3.Connection:
        opened.append(connect(file))
        return opened[-1]

    with closing(SqliteJournal(tmp_path / "journal.sqlite")):
        pass
    monkeypatch.setattr("quintet.journal.writer.connect", remember)
    with closing(SqliteJournal(tmp_path / "journal.sqlite", synchronous=synchronous)):
        assert opened[0].execute("PRAGMA synchronous").fetchone() == (mode,)


_ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
from quintet.journal.writer import SqliteJournal
from quintet.errors import UsageError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    SqliteJournal(Path(sys.argv[1])).close()
except UsageError as error:
    print(error)
"""


@pytest.mark.parametrize("size", [0, *(pytest.param(size, marks=pytest.mark.slow) for size in (30_000, 1_000_000))])
def test_a_journal_created_on_a_full_disk_is_complete_or_is_created_again(tmp_path: FilePath, size: int) -> None:
    file = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    refused = "journal: expected to create one, got " in done.stdout
    assert refused == (size < 1_000_000)
    assert file.exists() != refused, "a file of that name is a whole journal"
    with closing(JournalReader.open(written(file, decided(1)))) as reader:
        assert reader.records() == [decided(1)]


_WRITER_ON_A_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from quintet.errors import JournalFault
from quintet.events import Decided, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path

async def main():
    journal = SqliteJournal(Path(sys.argv[1]))
    episode = episode_path("beehive", 0, 0)
    journal.begin(episode)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    for number in range(1, 1_000):
        paths = [child(child(episode, number), part) for part in (1, 2, 3)]
        events = [Decided(path=path, question="q", answer="1" * 900) for path in paths]
        group = [Record(event=event, incarnation=1) for event in events]
        try:
            await journal.append(group)
        except JournalFault as fault:
            print(number - 1, fault)
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await journal.append(group)
    journal.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("size", [150_000, pytest.param(301_000, marks=pytest.mark.slow)])
def test_a_commit_on_a_full_disk_is_a_fault_and_leaves_nothing_half(tmp_path: FilePath, size: int) -> None:
    file = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", _WRITER_ON_A_FULL_DISK, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    committed, _, said = done.stdout.partition(" ")
    assert said.startswith("journal: expected one that can be written, got ")
    assert str(file) in said
    with closing(JournalReader.open(file)) as reader:
        paths = [record.event.path for record in reader.records(EPISODE)]
        assert reader.damage == []
    groups = int(committed) + 1  # the refused one was appended again when there was room
    assert paths == [child(child(EPISODE, number), part) for number in range(1, groups + 1) for part in (1, 2, 3)]
    journal = SqliteJournal(file)
    assert journal.begin(EPISODE) == 2
    run(append(journal, [decided(9_999, incarnation=2)]))
    assert len(journal.reader.records(EPISODE)) == len(paths) + 1
    journal.close()


OTHER = episode_path("another", 0, 0)
MOST = Usage(prompt_tokens=1000, completion_tokens=500)
PRICE = Price(input=Decimal("0.12345"), cached_input=Decimal("0.01"), output=Decimal("0.4321"))
"""No call below costs a whole number of nanodollars, so each is rounded up."""
USED = Usage(prompt_tokens=200, cached_tokens=100, completion_tokens=50, reasoning_tokens=10)


Deed: TypeAlias = Callable[[SqliteJournal], object]


def opened(number: int, episode: Path = EPISODE) -> Deed:
    charge = Charge(permit=f"host/{number}", path=child(episode, number), model="m", usage=MOST)
    return lambda journal: journal.charges.open(charge)


def settled(number: int, usage: Usage) -> Deed:
    return lambda journal: journal.charges.settle(f"host/{number}", usage, answered=True)


def called(number: int, usage: Usage = USED) -> Deed:
    return lambda journal: run(append(journal, [call(number, usage=usage)]))


def spent(file: FilePath) -> dict[Path, tuple[int, int]]:
    """The nanodollars and tokens that a resume reads, by episode."""
    journal = SqliteJournal(file, prices={"m": PRICE})
    found: dict[Path, tuple[int, int]] = {}
    for each in journal.charges.earlier():
        nanodollars, tokens = found.get(each.path, (0, 0))
        found[each.path] = nanodollars + each.nanodollars, tokens + each.tokens
    journal.close()
    return found


def total(*usages: Usage) -> tuple[int, int]:
    """What calls cost one by one, and their tokens."""
    costs = sum(PRICE.cost(usage) for usage in usages)
    return costs, sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        pytest.param(
            [[opened(1), opened(2), settled(1, USED), settled(1, MOST)]],
            {EPISODE: total(USED, MOST)},
            id="a-settled-charge-is-what-was-used-and-an-open-one-is-its-reservation",
        ),
        pytest.param(
            [[opened(1), opened(1), opened(2), called(1), called(2, Usage())]],
            {EPISODE: total(MOST, USED, MOST)},
            id="of-an-open-charge-whose-call-was-committed-it-is-what-the-call-used-unless-it-has-no-usage",
        ),
        pytest.param([[called(1)]], {EPISODE: total(USED)}, id="calls-made-without-a-budget-count-once-there-is-one"),
        pytest.param(
            [[opened(1), settled(1, usage)] for usage in (USED, Usage(prompt_tokens=7))],
            {EPISODE: total(USED, Usage(prompt_tokens=7))},
            id="permits-of-another-start-have-the-same-names-and-other-charges",
        ),
        pytest.param(
            [[opened(1, OTHER), called(1)]],
            {EPISODE: total(USED), OTHER: total(MOST)},
            id="calls-of-one-path-in-two-episodes-have-charges-of-their-own",
        ),
    ],
)
def test_what_a_resume_reads(
    starts: list[list[Deed]], expected: dict[Path, tuple[int, int]], tmp_path: FilePath
) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    for number, deeds in enumerate(starts, 1):
        with closing(SqliteJournal(file)) as journal:
            assert {journal.begin(episode) for episode in (EPISODE, OTHER)} == {number}
            for deed in deeds:
                deed(journal)
    assert spent(file) == expected


def test_calls_of_one_path_in_many_episodes_are_not_compared_with_each_other() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        for query in (RECONCILE, UNCHARGED):
            plan = [step for *_, step in journal.execute(f"EXPLAIN QUERY PLAN {query}")]
            assert not [step for step in plan if "AUTOMATIC" in step], plan
