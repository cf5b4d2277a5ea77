"""Reads the runs of an export and their rows, from one snapshot of each journal, one episode at a time."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath

from quintet.errors import UsageError
from quintet.export.rows import TableRow, episode_row, event_rows, version_rows
from quintet.export.tables import AttemptColumns, RunColumns
from quintet.journal.reader import JournalReader
from quintet.messages.paths import LEARNER, Path, attempt_of
from quintet.quota.prices import dollars
from quintet.reports.episodes import SIMULATED, results
from quintet.reports.learning.report import judging_version
from quintet.reports.rows import Attempts, read_attempts
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any


@dataclass(frozen=True)
class ExportedRun:
    """A run, with the name that its rows carry."""

    name: str
    arm: str | None
    folder: RunFolder
    damage: list[str] = field(default_factory=list[str])
    """What could not be read."""

    @cached_property
    def model(self) -> str:
        """The run's models, as reports show them."""
        return results(self.folder, range(0)).model

    @property
    def simulated(self) -> bool:
        """Whether any of its models was simulated: its name says so."""
        return f"({SIMULATED})" in self.model


def exported_runs(path: FilePath) -> list[ExportedRun]:
    """The run of a run folder, or the started arms of a study, in order.

    Raises:
        UsageError: the folder is neither, or has an unsupported version.
    """
    folder, name = open_any(path), path.resolve().name
    if isinstance(folder, StudyFolder):
        return [ExportedRun(f"{name}/{arm}", arm, run) for arm, run in folder.arms().items()]
    return [ExportedRun(name, None, folder)]


def read_rows(run: ExportedRun) -> Generator[TableRow, None, None]:
    """Every row of a run, from one snapshot of its journal. Close the generator, like a file.

    Raises:
        UsageError: the journal cannot be read, or a resume started to write to it meanwhile.
    """
    # A journal without a writer is read without locks. Only a check afterwards shows whether a resume started.
    journal = run.folder.journal
    before = _at_rest(journal)
    opened = run.folder.read_journal()
    if opened is None:
        return
    with closing(opened) as reader, reader.snapshot():
        yield from _rows(run, reader)
    if before is not None and _at_rest(journal) != before:
        raise UsageError(f"journal: expected one at rest, got a run that was resumed meanwhile; try again ({journal})")
    run.damage.extend(reader.damage)


def _rows(run: ExportedRun, reader: JournalReader) -> Iterator[TableRow]:
    record = run.folder.record
    of_run: RunColumns = {"run": run.name, "arm": run.arm}
    tasks = {task.name: task for task in (*record.training, *record.held_out, *record.tasks)}
    places = {task: place for place, task in enumerate(tasks)}

    def in_order(path: Path) -> tuple[int, int, int]:
        task, epoch, attempt = attempt_of(path)
        return epoch, places.get(task, len(places)), attempt

    attempts = Attempts(read_attempts(reader, run.folder.prices))
    counted = _counted_attempts(record, attempts, reader)
    starts = reader.starts()
    for path in sorted(starts, key=in_order):
        task, epoch, attempt = attempt_of(path)
        counts = path in counted
        of_attempt: AttemptColumns = {**of_run, "task": task, "epoch": epoch, "attempt": attempt, "counts": counts}
        records = reader.records(path)
        bill = attempts.by_path[path].bill
        usd = dollars(bill.nanodollars)
        yield episode_row(of_attempt, path, record, run.model, tasks.get(task), starts[path], bill.spent, usd, records)
        yield from event_rows(of_attempt, records)
        if path == LEARNER:
            yield from version_rows(of_run, records, reader.chosen_version())


def _counted_attempts(record: RunRecord, attempts: Attempts, reader: JournalReader) -> set[Path]:
    """The attempts that reports count."""
    version = judging_version(record, attempts, reader) if record.learns else None
    tests = {task.name for task in record.tasks}
    return {
        Path(f"{task}/{epoch}/{number}")
        for (task, epoch), number in attempts.newest.items()
        if task in tests and version in (None, epoch)
    }


def _at_rest(journal: FilePath) -> tuple[int, int] | None:
    """Identifies the state of a journal; None if it has a writer or does not exist."""
    if journal.with_name(f"{journal.name}-wal").exists() or not journal.exists():
        return None
    found = journal.stat()
    return found.st_mtime_ns, found.st_size
