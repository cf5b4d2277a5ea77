"""A run folder: its record, its journal, its logs, and the right to write in it."""

from pathlib import Path
from types import TracebackType

from deploy.config.resolve import changed
from deploy.config.sections import RunConfig
from deploy.config.settings import Settings
from deploy.folders.lock import LOCK, FolderLock
from deploy.folders.place import MOUNTS, refuse_network_file_system
from deploy.folders.record import RunRecord, refuse_other_versions
from deploy.folders.written import begin_in, read_record

RECORD = "run.json"
_OURS = {LOCK, "logs", f"{RECORD}.part"}
"""What a run that was killed before it began may have left."""


class RunFolder:
    """One run on disk. `create` and `open_to_write` hold its lock until `close`; `open_to_read` holds none."""

    def __init__(self, path: Path, record: RunRecord, config: RunConfig, lock: FolderLock | None = None) -> None:
        self.path = path
        self.record = record
        self.config = config
        """What this process runs under: the record's, but for what a resume was told to change."""
        self._lock = lock

    @classmethod
    def create(cls, path: Path, record: RunRecord, *, mounts: Path = MOUNTS) -> "RunFolder":
        """A new run in a new or empty folder.

        Raises:
            UsageError: the folder is not empty, cannot be written, or lies on a network file system.
        """
        lock = begin_in(path, RECORD, record, ours=_OURS, mounts=mounts)
        return cls(path, record, record.configuration, lock)

    @classmethod
    def open_to_write(cls, path: Path, settings: Settings | None = None, *, mounts: Path = MOUNTS) -> "RunFolder":
        """A run to go on with.

        Args:
            path: the run folder.
            settings: what is to be changed; only what cannot change results.
            mounts: see `refuse_network_file_system`.

        Raises:
            UsageError: no run of this version, another writer, another version of its parts, or a forbidden change.
        """
        record = read_record(path / RECORD, RunRecord)
        refuse_network_file_system(path, mounts)
        config = changed(record.configuration, settings, path)
        refuse_other_versions(record, path)
        return cls(path, record, config, FolderLock(path))

    @classmethod
    def open_to_read(cls, path: Path) -> "RunFolder":
        """A run to look at, also while it is being written.

        Raises:
            UsageError: there is no run, or none that this version reads.
        """
        record = read_record(path / RECORD, RunRecord)
        return cls(path, record, record.configuration)

    @property
    def journal(self) -> Path:
        """The journal's file; not there before the run begins."""
        return self.path / "journal.sqlite"

    @property
    def logs(self) -> Path:
        """The folder of logs, one file per host; made with the first line."""
        return self.path / "logs"

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
