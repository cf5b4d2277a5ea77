"""Reads the runs of an export and their rows, from one snapshot of each journal, in batches."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from quintet.config.tasks import TaskEntry
from quintet.errors import UsageError
from quintet.export.tables import EXPORTED_TABLES, TableName, ViewQuery
from quintet.journal.codes import EPISODE_BITS
from quintet.journal.reader import JournalReader
from quintet.journal.sums import FingerprintRow
from quintet.reports.episodes import is_simulated, show_models
from quintet.runs.ends import newest_at_tasks
from quintet.runs.judged import judging_version
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import PartJournal, RunFolder
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
    def parts(self) -> tuple[RunFolder, ...]:
        """The run folders that have its journals, opened once; raises as `RunFolder.parts`."""
        return self.folder.parts

    @cached_property
    def models(self) -> str:
        """The run's models, as reports show them."""
        fingerprints: list[FingerprintRow] = []
        for part in self.parts:
            if (opened := part.read_journal()) is not None:
                with closing(opened) as reader:
                    fingerprints += reader.fingerprints()
        return show_models(self.folder.record, fingerprints)

    @property
    def simulated(self) -> bool:
        """Whether any of its models was simulated: its name says so."""
        return is_simulated(self.models)


def exported_runs(path: FilePath) -> list[ExportedRun]:
    """A run, or a study's started arms in order; a `UsageError` if it is neither, or of another version."""
    folder, name = open_any(path), path.resolve().name
    if isinstance(folder, StudyFolder):
        return [ExportedRun(f"{name}/{arm}", arm, run) for arm, run in folder.arms().items()]
    return [ExportedRun(name, None, folder)]


def snapshots_of(run: ExportedRun) -> Generator[PartJournal, None, None]:
    """The journals of a run that has begun, one after the other, each in one state; close it like a file.

    Raises:
        UsageError: one cannot be read, or its run was resumed meanwhile.
    """
    for part in run.parts:
        # A journal without a writer is read without locks. Only a check afterwards shows whether a resume started.
        before = _at_rest(part.journal)
        opened = part.read_journal()
        if opened is None:
            continue
        with closing(opened) as reader, reader.snapshot():
            yield PartJournal(part, reader)
        if before is not None and _at_rest(part.journal) != before:
            got = f"got a run that was resumed meanwhile; try again ({part.journal})"
            raise UsageError(f"journal: expected one at rest, {got}")
        run.damage.extend(reader.damage)


def read_rows(
    run: ExportedRun, tables: Collection[TableName] = tuple(EXPORTED_TABLES)
) -> Generator[tuple[TableName, list[Sequence[object]]], None, None]:
    """The rows of a run, in batches: a table's name and its columns. Close it like a file; raises as `snapshots_of`."""
    with closing(snapshots_of(run)) as journals:
        for part, reader in journals:
            add = _record_columns(run, reader) if "episodes" in tables else None
            numbered = _NumbersInRun(part.record)
            for table in tables:
                view = ViewQuery(table)
                unit = 1 if table in ("episodes", "usage", "prompts") else 1 << EPISODE_BITS
                for rows in reader.scan(view.query, view.check, unit=unit):
                    names = [run.name] * len(rows), [run.arm] * len(rows)
                    columns = list(zip(*rows, strict=True))
                    added = add(columns) if add and table == "episodes" else ()
                    yield table, [*names, *numbered.columns(table, columns), *added]


class _NumbersInRun:
    """Numbers rows of a journal so that no other shard of its run has the same; those of a whole run stay."""

    def __init__(self, record: RunRecord) -> None:
        self._shard = record.shard
        self._shards = record.configuration.runtime.shards

    def columns(self, table: TableName, columns: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
        """The columns of a table, with other numbers."""
        numbers = {"id", "episode"} | {"calls": {"prompt"}, "tokens": {"base"}, "prompts": {"parent"}}.get(table, set())
        for column, cells in zip(EXPORTED_TABLES[table], columns, strict=True):
            if self._shard is None or column.name not in numbers:
                yield cells
            else:
                yield [each * self._shards + self._shard if isinstance(each, int) else each for each in cells]


def _record_columns(
    run: ExportedRun, reader: JournalReader
) -> Callable[[Sequence[Sequence[Any]]], Sequence[Sequence[object]]]:
    """A function from the columns of the view `episodes` to those that the run's record adds."""
    record = run.folder.record
    of_run = record.label, record.configuration.environment.name, run.models
    tasks = {name: (tuple(entry.metadata.items()), record.use_of(name)) for name, entry in task_entries(record).items()}
    version = counted_version(run, reader)

    def added(columns: Sequence[Sequence[Any]]) -> Sequence[Sequence[object]]:
        _, _, names, epochs, _, newest, *_ = columns
        metadata, uses = zip(*(tasks.get(name, ((), None)) for name in names), strict=True)
        counts = [
            int(each and use == "test" and version in (None, epoch))
            for each, use, epoch in zip(newest, uses, epochs, strict=True)
        ]
        return counts, *([each] * len(names) for each in of_run), metadata, uses

    return added


def task_entries(record: RunRecord) -> dict[str, TaskEntry]:
    """All tasks of a run by name, those that it learns from included."""
    return {task.name: task for task in (*record.training, *record.held_out, *record.tasks)}


def counted_version(run: ExportedRun, reader: JournalReader) -> int | None:
    """The version whose episodes reports count; None where they count all: without learning, and along a stream."""
    record = run.folder.record
    if not record.learns:
        return None
    newest = newest_at_tasks(reader.episodes())
    return judging_version(record, newest, reader.chosen_version())


def _at_rest(journal: FilePath) -> tuple[int, int] | None:
    """Identifies the state of a journal; None if it has a writer or does not exist."""
    if journal.with_name(f"{journal.name}-wal").exists() or not journal.exists():
        return None
    found = journal.stat()
    return found.st_mtime_ns, found.st_size
