"""A run folder: its record, its journal, its logs, and the right to write in it."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from deploy.config.resolve import changed
from deploy.config.sections import RunConfig
from deploy.config.settings import Setting, Settings
from deploy.folders.changes import CHANGES, read_changes, settings_of, write_change
from deploy.folders.lock import LOCK, FolderLock
from deploy.folders.place import MOUNTS, refuse_network_file_system
from deploy.folders.plans import discard_plans
from deploy.folders.record import RunRecord, prices_by_model, refuse_other_versions
from deploy.folders.written import begin_in, read_record
from deploy.prices.table import Price
from protocols.errors import UsageError

RECORD = "run.json"
_OURS = {LOCK, "logs", f"{RECORD}.part"}
"""What a run that was killed before it began may have left."""


class RunFolder:
    """One run on disk. `create` and `open_to_write` hold its lock until `close`; `open_to_read` holds none."""

    def __init__(
        self,
        path: Path,
        record: RunRecord,
        config: RunConfig,
        prices: Mapping[str, Price],
        lock: FolderLock | None = None,
        *,
        new: bool = False,
    ) -> None:
        self.path = path
        self.record = record
        self.config = config
        """What it runs under: the record's, but for what resumes were told to change. The record's, to look at."""
        self.prices = prices
        """By model: the record's, but for what resumes were told to change."""
        self._lock = lock
        self._new = new

    @classmethod
    def create(cls, path: Path, record: RunRecord, *, mounts: Path = MOUNTS) -> "RunFolder":
        """A new run in a new or empty folder.

        Raises:
            UsageError: the folder is not empty, cannot be written, or lies on a network file system.
        """
        lock = begin_in(path, RECORD, record, ours=_OURS, mounts=mounts)
        return cls(path, record, record.configuration, record.prices, lock, new=True)

    @classmethod
    def open_to_write(cls, path: Path, settings: Settings | None = None, *, mounts: Path = MOUNTS) -> "RunFolder":
        """A run to go on with.

        Args:
            path: the run folder.
            settings: what is to be changed from now on, beside what earlier resumes changed; only what cannot change
                results.
            mounts: see `refuse_network_file_system`.

        Raises:
            UsageError: no run of this version, another writer, another version of its parts, or a forbidden change.
        """
        record = read_record(path / RECORD, RunRecord)
        refuse_network_file_system(path, mounts)
        before = settings_of(read_changes(path), path)
        config = changed(record.configuration, {**before, **(settings or {})}, path)
        refuse_other_versions(record, config, path)
        folder = cls(path, record, config, prices_by_model(config, record.models), FolderLock(path))
        folder.write_down({key: new for key, new in (settings or {}).items() if _differs(before.get(key), new)})
        return folder

    @classmethod
    def open_to_read(cls, path: Path) -> "RunFolder":
        """A run to look at, also while it is being written.

        Raises:
            UsageError: there is no run, or none that this version reads.
        """
        record = read_record(path / RECORD, RunRecord)
        prices = next((change.prices for change in reversed(read_changes(path)) if change.prices), record.prices)
        return cls(path, record, record.configuration, prices)

    @property
    def journal(self) -> Path:
        """The journal's file; not there before the run begins."""
        return self.path / "journal.sqlite"

    @property
    def logs(self) -> Path:
        """The folder of logs, one file per host; made with the first line."""
        return self.path / "logs"

    def write_down(self, settings: Settings) -> None:
        """Remember what was changed, if anything.

        Raises:
            UsageError: the folder cannot be written; it is closed then.
        """
        try:
            if settings:
                write_change(self.path, settings, self.prices)
        except UsageError:
            self.close()
            raise

    def discard(self) -> None:
        """Remove the folder, if this process made it, of a run in which nothing began: its place can be taken again."""
        if not self._new:
            return
        self.close()
        with suppress(OSError):
            for name in (RECORD, CHANGES, LOCK):
                (self.path / name).unlink(missing_ok=True)
            for file in (*self.path.glob(f"{self.journal.name}*"), *self.logs.glob("*.log")):
                file.unlink()
            discard_plans(self.path)
            for folder in (self.logs, self.path):
                if folder.is_dir():
                    folder.rmdir()

    def close(self) -> None:
        """Let others write; a second time does nothing."""
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _differs(before: Setting | None, now: Setting) -> bool:
    return before is None or before.value != now.value
