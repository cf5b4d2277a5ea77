"""A run folder that is open to write: its parts are prepared, and no other process writes in it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from quintet.batches.store import BATCHES_FILE
from quintet.config.resolve import resolve_changes
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import is_prepared, prepare_journal, put_in_place
from quintet.launch.prepare import Prepared, prepare_again
from quintet.launch.refusals import refuse_budget_below_one_call, refuse_imported, refuse_sharded
from quintet.learned.kinds import discard_versions
from quintet.memory.schema import MEMORY_FILE
from quintet.plugins.brought import bringing
from quintet.quota.prices import Price
from quintet.runs.ends import RUN_END
from quintet.runs.files import LOCK, FolderLock, refuse_network_file_system, usable_folder
from quintet.runs.folder import CHANGES, LockedFolder, begin_in, read_changes, read_record, settings_of, write_change
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.runs.run_folder import RunFolder, newest_prices
from quintet.runs.study_folder import study_of
from quintet.trust.refusal import approve_run, refuse_untrusted

_OURS = {LOCK, "logs", f"{RUN_RECORD}.part", f"{JOURNAL_FILE}.part", f"{JOURNAL_FILE}.part-journal"}
"""Files that a run may have left if it was killed before it began."""


class WritableRun(LockedFolder, RunFolder):
    """One run on disk, which holds its lock until `close`."""

    def __init__(
        self,
        path: Path,
        record: RunRecord,
        prices: Mapping[str, Price],
        *locks: FolderLock,
        prepared: Prepared | None = None,
        new: bool = False,
        changes: Settings | None = None,
    ) -> None:
        RunFolder.__init__(self, path, record, prices)
        LockedFolder.__init__(self, *locks)
        self._prepared = prepared
        self._new = new
        self._changes = changes or {}
        self.on_begin: Callable[[], None] | None = None
        """Called when the run goes on under its settings."""

    @classmethod
    def create(cls, path: Path, run: Prepared | RunRecord, changes: Settings | None = None) -> "WritableRun":
        """A new run in a new or empty folder, which is on no network file system.

        Its journal is made first and gets its name last. So a folder with a record has, or had, a journal.

        Args:
            run: prepared; or its record alone, and the rest is prepared when it is needed.
            changes: settings that are changed from the beginning; only what cannot change results.
        """
        record, prepared = (run.record, run) if isinstance(run, Prepared) else (run, None)
        refuse_sharded(record)
        if changes:
            given = () if prepared is None else tuple(each.value for each in prepared.objects)
            prepared = prepare_again(record, changes, path, record.prices, given)
        approve_run(record, {})  # first, so that a run that is killed as it begins is this user's own
        if changes:
            approve_run(record, changes)
        journal = path / JOURNAL_FILE
        lock = begin_in(path, RUN_RECORD, record, ours=_OURS, before=lambda: prepare_journal(journal))
        folder = cls(path, record, record.prices, lock, prepared=prepared, new=True, changes=changes)
        folder._complete()
        return folder

    @classmethod
    def open(
        cls,
        path: Path,
        settings: Settings | None = None,
        *,
        anew: bool = False,
        objects: Sequence[object] = (),
        by_study: bool = False,
        trust: bool = False,
    ) -> "WritableRun":
        """A run to resume. An arm by itself that has a budget keeps the lock of its study: two would overdraw it.

        Args:
            settings: what changes from now on, beside what earlier resumes changed; only what cannot change results.
                `keep_changes` writes them down for later resumes.
            anew: make an empty journal if the run's own is lost.
            objects: those that the run was given from Python.
            by_study: whether the caller holds the lock of the study that the run is an arm of.
            trust: approve what the folder would run, import and contact.

        Raises:
            UsageError: no run of this version, another writer, other parts, a forbidden change, or a lost journal; or
                a run that this user neither started nor approved, of which nothing was touched.
        """
        record = read_record(path / RUN_RECORD, RunRecord)
        refuse_sharded(record)
        refuse_imported(record, path)
        refuse_network_file_system(path)
        refuse_untrusted(RunFolder(path, record, record.prices), trust=trust)
        earlier = read_changes(path)
        before = settings_of(earlier, path)
        try:
            changed = {**before, **(settings or {})}
            prepared = prepare_again(record, changed, path, newest_prices(record, earlier), objects)
        except UsageError as error:
            raise error if str(path) in str(error) else UsageError(f"{error} ({path / RUN_RECORD})") from error
        new = settings or {}
        changes = {key: each for key, each in new.items() if key not in before or before[key].value != each.value}
        if changes:
            approve_run(record, changed)
        limits = prepared.config.limits
        has_budget = limits.budget_usd is not None or limits.budget_tokens is not None
        study = study_of(path) if has_budget and not by_study else None
        with ExitStack() as held:
            locks: list[FolderLock] = []
            for locked in (study, path):
                if locked is not None:
                    locks.append(FolderLock(locked))
                    held.callback(locks[-1].release)
            folder = cls(path, record, prepared.prices, *locks, prepared=prepared, changes=changes)
            folder._complete(anew=anew)
            held.pop_all()
        return folder

    @property
    def config(self) -> RunConfig:
        return self.record.configuration if self._prepared is None else self._prepared.config

    @property
    def prepared(self) -> Prepared:
        """The run, ready to start."""
        if self._prepared is None:
            self._prepared = prepare_again(self.record, {}, self.path, self.prices)
        return self._prepared

    def _complete(self, *, anew: bool = False) -> None:
        try:
            if anew:
                if self.journal.exists():
                    raise UsageError(f"--anew: expected a run without a journal, got one that has it ({self.journal})")
                prepare_journal(self.journal)
            if not self.journal.exists():
                self._put_journal_in_place()
        except BaseException:
            self.close()
            raise

    def _put_journal_in_place(self) -> None:
        if not is_prepared(self.journal):
            raise self.lost_journal()
        with usable_folder(self.path):
            put_in_place(self.journal)

    def keep_changes(self) -> None:
        """Write down what this resume changed, once the run goes on under it; later resumes keep it."""
        changes, self._changes = self._changes, {}
        if changes:
            write_change(self.path, changes, self.prices)
        if self.on_begin is not None:
            self.on_begin()

    def change(self, settings: Settings) -> RunConfig:
        """Change settings of a run that goes on, and write them down for its resumes; returns the new configuration."""
        earlier = settings_of(read_changes(self.path), self.path)
        with bringing(self.prepared.objects):
            resolved = resolve_changes(self.record.configuration, {**earlier, **settings}, self.path)
        config = resolved.config
        refuse_budget_below_one_call(self.prepared.spec, config.limits, self.prices, settings)  # as a resume would
        write_change(self.path, settings, self.prices)
        self._prepared = replace(self.prepared, resolved=resolved)
        return config

    def discard(self) -> None:
        """Remove the folder if this process made it and nothing began, so that its name is free again."""
        if not self._new:
            return
        self.close()
        with suppress(OSError):
            for name in (RUN_RECORD, RUN_END, CHANGES, LOCK):
                (self.path / name).unlink(missing_ok=True)
            for file in (
                *self.path.glob(f"{JOURNAL_FILE}*"),
                *self.path.glob(f"{MEMORY_FILE}*"),
                *self.path.glob(f"{BATCHES_FILE}*"),
                *self.logs.glob("*.log*"),
            ):
                file.unlink()
            discard_versions(self.path)
            for folder in (self.logs, self.path):
                if folder.is_dir():
                    folder.rmdir()
