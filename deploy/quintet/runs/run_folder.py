"""A run folder, to look at: its record, its journal and its logs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import is_prepared
from quintet.memory.schema import MEMORY_FILE
from quintet.quota.prices import Price
from quintet.runs.folder import ResumeChanges, read_changes, read_record, shell_command
from quintet.runs.record import RUN_RECORD, RunRecord


class RunFolder:
    """One run on disk.

    Args:
        prices: by model: the record's, or those of the newest resume that changed them.
        damage: which of its changes cannot be read.
    """

    def __init__(self, path: Path, record: RunRecord, prices: Mapping[str, Price], damage: Sequence[str] = ()) -> None:
        self.path = path
        self.record = record
        self.prices = prices
        self.damage = tuple(damage)

    @classmethod
    def open_to_read(cls, path: Path) -> "RunFolder":
        """A run to look at, also while it is being written."""
        record = read_record(path / RUN_RECORD, RunRecord)
        changes = read_changes(path)
        damage = [*changes.damage, *([changes.torn] if changes.torn else [])]
        return cls(path, record, newest_prices(record, changes), damage)

    @property
    def config(self) -> RunConfig:
        """What it runs under: the record's configuration, with the changes of resumes if it is open to write."""
        return self.record.configuration

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.path / JOURNAL_FILE

    @property
    def memory(self) -> Path:
        """The file of the store, if it has a memory."""
        return self.path / MEMORY_FILE

    def read_journal(self) -> JournalReader | None:
        """Its journal, to look at; None before the run begins."""
        prepared = is_prepared(self.journal)  # looked for first, since it is a journal a moment later
        if self.journal.exists():
            return JournalReader.open(self.journal)
        if not prepared:
            raise self.lost_journal()
        return None

    def lost_journal(self) -> UsageError:
        """The error that says so."""
        return UsageError(
            f"journal: expected {JOURNAL_FILE}, which has every answer of the run, got none ({self.journal}); "
            f"put it back, or make and pay every call again: {shell_command('resume', self.path, '--anew')}"
        )

    @property
    def logs(self) -> Path:
        """The folder of logs, one file per host; made with the first line."""
        return self.path / "logs"


def newest_prices(record: RunRecord, changes: ResumeChanges) -> Mapping[str, Price]:
    """By model: the record's, or those of the newest resume that changed them."""
    return next((change.prices for change in reversed(changes.sound) if change.prices), record.prices)
