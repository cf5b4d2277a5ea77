"""The journal: commits, incarnations, prompts as chains, foreign files, and what survives a kill."""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path as FilePath

import pytest
from hypothesis import given

from quintet.errors import JournalDamaged, JournalFault, PromptUnknown, StaleIncarnation, UsageError
from quintet.events import (
    AnyEvent,
    CallMade,
    Decided,
    EpisodeEnded,
    Exchanged,
    Record,
    SessionOpened,
    StepTaken,
)
from quintet.journal.episode_rows import EPISODE_QUERY
from quintet.journal.open_episode import FIND
from quintet.journal.prompt_messages import MessageRow, PromptMessages
from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, JOURNAL_VERSION, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Turn
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, PromptAddress, assistant, system, user
from quintet.ports.model import Completion, Sampling, Usage
from tests.protocols import strategies
from tests.simulation.virtual import run

EPISODE = episode_path("beehive", 0, 0)


def decided(number: int, incarnation: int = 1, answer: str = "1", episode: Path = EPISODE) -> Record:
    event = Decided(path=child(episode, number), question="which", answer=answer)
    return Record(event=event, incarnation=incarnation, host="here", at=1.5, seconds=0.25)


def test_what_is_appended_is_read_back_in_the_order_of_the_conversation() -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    records = [decided(10), decided(2), decided(1)]
    run(journal.append(records))
    assert journal.reader.records(EPISODE) == records[::-1]


@given(strategies.of(StepTaken))
def test_every_event_survives_the_journal(step: StepTaken) -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    event = StepTaken(
        path=child(EPISODE, 1),
        session=step.session,
        action=step.action,
        observation=step.observation,
        reward=step.reward,
        done=step.done,
        rejected=step.rejected,
    )
    run(journal.append([Record(event=event, incarnation=1)]))
    assert [record.event for record in journal.reader.records()] == [event]
    journal.close()


def test_incarnations_count_from_one_and_older_ones_are_refused() -> None:
    journal = SqliteJournal(":memory:")
    assert journal.begin(EPISODE) == 1
    assert journal.begin(EPISODE) == 2
    with pytest.raises(StaleIncarnation, match="expected incarnation 2, got 1"):
        run(journal.append([decided(1, incarnation=1)]))
    assert journal.reader.records() == []
    run(journal.append([decided(1, incarnation=2)]))
    assert len(journal.reader.records()) == 1


def test_a_refused_episode_does_not_hold_back_another_in_the_same_commit() -> None:
    journal = SqliteJournal(":memory:")
    other = episode_path("lantern", 0, 0)
    journal.begin(EPISODE)
    journal.begin(EPISODE)
    journal.begin(other)

    async def both() -> tuple[BaseException | None, BaseException | None]:
        stale = journal.append([decided(1, incarnation=1)])
        return await asyncio.gather(stale, journal.append([decided(1, episode=other)]), return_exceptions=True)

    refused, committed = run(both())
    assert isinstance(refused, StaleIncarnation)
    assert committed is None
    assert [record.event.path for record in journal.reader.records()] == [child(other, 1)]


def test_a_queued_record_belongs_to_the_incarnation_it_was_appended_under() -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)

    async def scene() -> None:
        appending = asyncio.create_task(journal.append([decided(1)]))
        await asyncio.sleep(0)
        journal.begin(EPISODE)
        await appending

    run(scene())
    assert journal.reader.records() == [decided(1)]


def test_closing_commits_queued_records(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)

    async def scene() -> None:
        appending = asyncio.create_task(journal.append([decided(1)]))
        await asyncio.sleep(0)
        journal.close()
        await appending

    run(scene())
    reader = JournalReader.open(tmp_path / "journal.sqlite")
    assert reader.records() == [decided(1)]
    reader.close()


def test_a_text_that_cannot_be_written_fails_its_own_append_only() -> None:
    journal = SqliteJournal(":memory:")
    other = episode_path("lantern", 0, 0)
    journal.begin(EPISODE)
    journal.begin(other)
    unwritable = Record(event=Decided(path=child(EPISODE, 1), question="\ud800", answer=""), incarnation=1)

    async def both() -> tuple[BaseException | None, BaseException | None]:
        return await asyncio.gather(
            journal.append([unwritable]), journal.append([decided(1, episode=other)]), return_exceptions=True
        )

    failed, committed = run(both())
    assert isinstance(failed, UnicodeEncodeError)
    assert committed is None
    run(journal.append([decided(2)]))
    assert len(journal.reader.records()) == 2


def test_a_journal_is_created_whole_or_not_at_all(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    (tmp_path / "journal.sqlite.part").write_bytes(b"what a kill left")
    SqliteJournal(file).close()
    assert [found.name for found in tmp_path.iterdir()] == ["journal.sqlite"]


def test_an_archived_journal_is_read_in_a_read_only_folder(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([decided(1)]))
    journal.close()
    reader = JournalReader.open(file)
    assert reader.records() == [decided(1)]
    reader.close()
    assert [found.name for found in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_damaged_journal_is_reported_as_damaged(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([decided(number) for number in range(1, 200)]))
    journal.close()
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    reader = JournalReader.open(file)
    assert reader.records() == []
    assert re.fullmatch(
        rf"journal: expected a journal that can be read, got .*malformed.* \({re.escape(str(file))}\)", reader.damage[0]
    )
    reader.close()
    with pytest.raises(UsageError, match=rf"got .*malformed.*\({file}\)"):
        SqliteJournal(file)


def test_an_event_of_a_later_version_is_named(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    future = sqlite3.connect(file)
    future.executescript("""
        INSERT INTO _tasks VALUES (1, 'beehive');
        INSERT INTO _episodes (id, task, epoch, attempt, began, incarnation, started) VALUES (1, 1, 0, 0, 0, 1, 0);
        INSERT INTO _starts VALUES (1, 1, 'here');
        INSERT INTO _decisions VALUES ((1 << 24) + 1, '1', 1, 0, 0, 99, '{}');
    """)
    future.close()
    reader = JournalReader.open(file)
    assert reader.records() == []
    (said,) = reader.damage
    assert "expected a row of this version, got 16777217, '1', 1: Expected `int` <= 6" in said
    reader.close()
    journal = SqliteJournal(file)
    with pytest.raises(JournalDamaged, match="expected a row of this version, got 16777217, '1', 1"):
        journal.reader.records(EPISODE)
    journal.close()


def test_a_start_that_cannot_be_written_is_a_fault(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    vandal = sqlite3.connect(tmp_path / "journal.sqlite")
    vandal.execute("DROP TABLE _episodes")
    vandal.close()
    with pytest.raises(JournalFault, match="no such table"):
        journal.begin(EPISODE)
    journal.close()


def test_the_first_record_of_a_path_is_kept() -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    run(journal.append([decided(1, answer="1")]))
    journal.begin(EPISODE)
    run(journal.append([decided(1, incarnation=2, answer="2")]))
    assert journal.reader.records() == [decided(1, answer="1")]


def test_a_conversation_of_n_turns_costs_n_messages() -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    prompt = last = Prompt(system("Act."), user("Goal: craft beehive."))
    known: set[PromptAddress] = set()
    for turn in range(1, 6):
        event = CallMade(
            path=child(EPISODE, turn),
            model="m",
            prompt=prompt.node.address,
            sampling=Sampling(),
            completion=Completion(text=f"act {turn}"),
        )
        run(journal.append([Record(event=event, incarnation=1, prompts=prompt.nodes_since(known))]))
        known.add(prompt.node.address)
        last = prompt
        prompt = prompt.extend(assistant(f"act {turn}"), user(f"saw {turn}"))
    assert journal.reader.prompt(child(EPISODE, 5)) == last.messages()
    assert len(last.messages()) == 2 + 4 * 2
    assert len(list(journal.reader.messages(1))) == len(last.messages())


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"expected the whole prompt .*, got a part of it"):
        SqliteJournal(":memory:").reader.prompt(child(EPISODE, 1))


def test_a_storage_failure_is_a_fault_and_nothing_of_the_commit_is_there(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    vandal = sqlite3.connect(file)
    vandal.execute(
        "CREATE TRIGGER full BEFORE INSERT ON _decisions WHEN NEW.path = '2' "
        "BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    vandal.close()
    with pytest.raises(JournalFault, match="disk is full"):
        run(journal.append([decided(1), decided(2)]))
    assert journal.reader.records() == []
    run(journal.append([decided(1)]))
    assert len(journal.reader.records()) == 1
    journal.close()


async def appended(journal: SqliteJournal, *groups: list[Record]) -> list[BaseException | None]:
    """What becomes of groups of records that arrive before one commit."""
    return await asyncio.gather(*map(journal.append, groups), return_exceptions=True)


def call(number: int, prompt: Prompt, known: Prompt | None = None) -> Record:
    event = CallMade(
        path=child(EPISODE, number),
        model="m",
        prompt=prompt.node.address,
        sampling=Sampling(),
        completion=Completion(text="look", usage=Usage(prompt_tokens=7)),
    )
    nodes = prompt.nodes_since(() if known is None else (known.node.address,))
    return Record(event=event, incarnation=1, prompts=nodes)


def test_a_record_of_a_group_that_failed_is_stored_when_it_arrives_again_before_the_same_commit() -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    stranger = Prompt(user("Never stored."))
    wrong = call(2, stranger.extend(user("Go.")), known=stranger)
    failed, kept = run(appended(journal, [decided(1), wrong], [decided(1)]))
    assert isinstance(failed, PromptUnknown)
    assert kept is None
    assert journal.reader.records() == [decided(1)]


@pytest.mark.parametrize(
    "event",
    [
        SessionOpened(path=child(EPISODE, 2), session="\ud800", observation=""),
        SessionOpened(path=Path(f"{EPISODE}/\ud800"), session=EPISODE, observation=""),
        EpisodeEnded(path=EPISODE, state="solved", reward=float("nan")),
    ],
)
def test_a_record_that_cannot_be_stored_leaves_nobody_waiting(event: AnyEvent) -> None:
    journal = SqliteJournal(":memory:")
    other = episode_path("lantern", 0, 0)
    journal.begin(EPISODE)
    journal.begin(other)
    failed, kept = run(appended(journal, [Record(event=event, incarnation=1)], [decided(1, episode=other)]))
    assert isinstance(failed, ValueError)
    assert kept is None
    assert journal.reader.records() == [decided(1, episode=other)]


def test_nothing_is_written_behind_the_end_that_its_totals_would_leave_out(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)
    end = Record(event=EpisodeEnded(path=EPISODE, state="solved"), incarnation=1)
    prompt = Prompt(user("Go."))
    assert run(appended(journal, [call(1, prompt)], [end])) == [None, None]
    for _ in range(2):
        late, again = run(appended(journal, [call(2, prompt)], [end]))
        assert str(late) == "beehive/0/0/2: expected an episode that goes on, got one that has ended"
        assert isinstance(late, StaleIncarnation)
        assert again is None
        journal.close()
        journal = SqliteJournal(tmp_path / "journal.sqlite")
    assert [use.calls for _, used in journal.reader.attempts() for use in used] == [1]
    journal.close()


def test_an_episode_is_found_by_an_index_however_many_tasks_there_are() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        for query in (FIND, f"{EPISODE_QUERY} WHERE task.name = ? AND episode.epoch = ? AND episode.attempt = ?"):
            plan = journal.execute(f"EXPLAIN QUERY PLAN {query}", ("beehive", 0, 0)).fetchall()
            assert not [step for *_, step in plan if "SCAN" in step], plan


def test_a_reader_sees_the_prompt_of_every_call_that_it_sees(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)
    prompt = Prompt(user("Go."))
    run(journal.append([call(1, prompt)]))

    class Interrupted(JournalReader):
        def _messages(self, episode: int, prompts: PromptMessages) -> Iterator[MessageRow]:
            yield from super()._messages(episode, prompts)
            run(journal.append([call(2, prompt.extend(user("On.")), known=prompt)]))

    reader = Interrupted.open(tmp_path / "journal.sqlite")
    for calls in (1, 2):
        events = [record.event for record in reader.records(EPISODE)]
        assert [isinstance(event, CallMade) and bool(event.prompt) for event in events] == [True] * calls
    assert reader.damage == []
    reader.close()
    journal.close()


@pytest.mark.parametrize("turns", ["[1]", "[99, 1]", '{"a": 1, "b": 1}', '["x", 1]', "[0.5, 1]", "nonsense"])
def test_turns_that_are_damaged_are_reported(tmp_path: FilePath, turns: str) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    turn = Turn(completion="look", observation="A beehive.")
    answer = Exchanged(path=EPISODE, request="solve", subject="", reply="{}", turns=(turn,))
    run(journal.append([Record(event=answer, incarnation=1), decided(1)]))
    journal.close()
    with closing(connect(str(file))) as vandal:
        vandal.execute("UPDATE _exchanges SET turns = ?", (turns,))
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]
        assert "expected a row of this version, got 16777217" in reader.damage[0]


@pytest.mark.parametrize("session", [EPISODE, f"{EPISODE}/", f"{EPISODE}//1", f"{EPISODE}0", "/1", ""])
def test_a_session_of_any_name_comes_back(session: str) -> None:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    event = SessionOpened(path=child(EPISODE, 1), session=session, observation="")
    run(journal.append([Record(event=event, incarnation=1)]))
    assert [record.event for record in journal.reader.records()] == [event]


def test_a_foreign_file_is_refused(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    file.write_text("this is no database, however long it may be" * 100)
    with pytest.raises(UsageError, match="expected an SQLite file"):
        JournalReader.open(file)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(UsageError, match="got an SQLite file of something else"):
        SqliteJournal(other)
    with pytest.raises(UsageError, match="expected a file, found none"):
        JournalReader.open(tmp_path / "missing.sqlite")


def test_a_journal_that_is_cut_off_is_refused(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    os.truncate(file, file.stat().st_size // 2)
    for opened in (JournalReader.open, SqliteJournal):
        with pytest.raises(UsageError, match=f"expected a whole file that can be read, got .* malformed .{file}."):
            opened(file)


@pytest.mark.parametrize(
    ("version", "other"), [(1, "older"), (JOURNAL_VERSION - 1, "older"), (JOURNAL_VERSION + 1, "newer")]
)
def test_a_journal_of_another_version_is_refused(version: int, other: str, tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version={version}")
    connection.close()
    for opened in (JournalReader.open, SqliteJournal):
        with pytest.raises(
            UsageError, match=f"expected version {JOURNAL_VERSION}, got {version}; use the {other} quintet"
        ):
            opened(file)


def test_a_reader_can_read_while_the_run_writes(tmp_path: FilePath) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    reader = JournalReader.open(tmp_path / "journal.sqlite")
    journal.begin(EPISODE)
    run(journal.append([Record(event=EpisodeEnded(path=EPISODE, state="solved"), incarnation=1)]))
    assert [record.event.path for record in reader.ended()] == [EPISODE]
    assert reader.incarnations() == {EPISODE: 1}
    reader.close()
    journal.close()


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
    root = FilePath(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as writer:
        assert writer.stdout is not None
        acknowledged = [int(next(writer.stdout)) for _ in range(500)][-1]
        os.kill(writer.pid, signal.SIGKILL)
    reader = JournalReader.open(file)
    found = len(reader.records())
    reader.close()
    assert found >= acknowledged == 500


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


@pytest.mark.parametrize("size", [0, 5_000, 30_000, 1_000_000])
def test_a_journal_created_on_a_full_disk_is_complete_or_is_created_again(tmp_path: FilePath, size: int) -> None:
    file = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FilePath(__file__).parents[3])
    refused = "journal: expected to create one, got " in done.stdout
    assert refused == (size < 1_000_000)
    assert file.exists() != refused, "a file of that name is a whole journal"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(journal.append([decided(1)]))
    journal.close()
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(1)]


def test_the_tables_of_a_new_journal_are_in_its_file_and_not_in_a_log_that_may_not_fit_beside_it(
    tmp_path: FilePath,
) -> None:
    with closing(connect(str(tmp_path / "made"))) as making:
        making.executescript(CREATE)
        shutil.copy(tmp_path / "made", tmp_path / "alone")
    with closing(JournalReader.open(tmp_path / "alone")) as reader:
        assert reader.records() == []
        assert reader.damage == []
