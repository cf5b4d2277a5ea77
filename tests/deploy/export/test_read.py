"""The rows of a run: which attempts count, in which order, and from which state of the journal."""

import asyncio
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.events import Decided, Record
from quintet.export.read import ExportedRun, exported_runs, read_rows
from quintet.export.rows import TableRow
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import VISIT, Path, child, episode_path
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went


def _run(path: FilePath, went: dict[str, Went], *tasks: str) -> ExportedRun:
    (run,) = exported_runs(samples.write(path, samples.record("react", tasks or tuple(went)), went))
    return run


def _rows(run: ExportedRun, table: str) -> list[TableRow]:
    with closing(read_rows(run)) as found:
        return [row for row in found if row.table == table]


def _decide(journal: SqliteJournal, episode: Path, *, begin: bool = True) -> None:
    if begin:
        journal.begin(episode)
    event = Decided(path=child(episode, 99), question="which", answer="1")
    asyncio.run(journal.append([Record(event=event, incarnation=1)]))


def test_episodes_come_as_the_run_has_them_and_their_events_as_the_conversation_went(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"cake": Went(calls=6), "beehive": Went()}, "beehive", "cake")
    assert [row.values["path"] for row in _rows(run, "episodes")] == ["beehive/0/0", "cake/0/0"]
    steps = [row.values for row in _rows(run, "steps") if row.values["task"] == "cake"]
    assert [step["number"] for step in steps] == [1, 2, 3, 4, 5, 6]
    assert [step["path"] for step in steps] == [f"cake/0/0/2/{number}" for number in (2, 4, 6, 8, 10, 12)]


def test_all_attempts_are_there_and_the_newest_counts(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went("faulted")})
    samples.journal(run.folder, {"beehive": Went()}, attempt=1)
    found = [row.values for row in _rows(run, "episodes")]
    assert [(row["attempt"], row["counts"], row["state"], row["fault"]) for row in found] == [
        (0, False, "faulted", "WorldFault"),
        (1, True, "solved", None),
    ]
    assert [row.values["counts"] for row in _rows(run, "completions")] == [False, True]


def test_an_attempt_without_an_end_has_null_end_columns(tmp_path: FilePath) -> None:
    (row,) = _rows(_run(tmp_path, {"beehive": Went(None)}), "episodes")
    assert row.values["state"] == "unfinished"
    unknown = ("host", "ended", "seconds", "success", "reward", "claimed", "depth", "fault")
    assert [row.values[name] for name in unknown] == [None] * len(unknown)


def test_requests_outside_any_episode_do_not_count(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went()})
    journal = SqliteJournal(run.folder.journal)
    _decide(journal, Path(f"{VISIT}/0/0"))
    journal.close()
    (decision,) = _rows(run, "decisions")
    assert (decision.values["task"], decision.values["counts"]) == (VISIT, False)
    assert [row.values["task"] for row in _rows(run, "episodes")] == ["beehive", VISIT]


def test_a_run_that_is_being_written_is_one_state_of_its_journal(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went()})
    journal = SqliteJournal(run.folder.journal)
    episode = episode_path("cake", 0, 0)
    _decide(journal, episode_path("beehive", 0, 1))
    with closing(read_rows(run)) as found:
        first = next(found)
        _decide(journal, episode)
        rest = list(found)
    assert first.table == "episodes"
    assert len([row for row in rest if row.table == "decisions"]) == 1
    assert len(_rows(run, "decisions")) == 2
    journal.close()


def test_a_resume_that_begins_meanwhile_is_noticed(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went(None)})
    with closing(read_rows(run)) as found:
        next(found)
        samples.journal(run.folder, {"beehive": Went()}, attempt=1)
        with pytest.raises(UsageError, match="expected one at rest, got a run that was resumed meanwhile"):
            list(found)


def test_one_episode_is_held_at_a_time(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path | None] = []
    records = JournalReader.records

    def remembered(self: JournalReader, episode: Path | None = None) -> list[Record]:
        asked.append(episode)
        return records(self, episode)

    monkeypatch.setattr(JournalReader, "records", remembered)
    run = _run(tmp_path, {"beehive": Went(), "cake": Went()})
    with closing(read_rows(run)) as found:
        for row in found:
            if row.table == "completions":
                assert asked[-1] == f"{row.values['task']}/0/0"
    assert asked == ["beehive/0/0", "cake/0/0"]


def test_a_run_without_a_journal_has_no_rows(tmp_path: FilePath) -> None:
    with (
        RunFolder.create(tmp_path, samples.record(), mounts=samples.NOWHERE) as folder,
        closing(read_rows(ExportedRun("one", None, folder))) as found,
    ):
        assert list(found) == []
