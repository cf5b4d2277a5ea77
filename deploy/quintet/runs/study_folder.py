"""A study folder: its arms, written down first, and a run folder for each."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from quintet.config.resolve import resolve_changes
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.plugins.brought import BroughtObject, bringing
from quintet.runs.code import CodeRecord, find_recorded
from quintet.runs.files import MOUNTS, refuse_network_file_system, usable_folder
from quintet.runs.folder import (
    CHANGES,
    LockedFolder,
    Written,
    begin_in,
    read_changes,
    read_record,
    settings_of,
    write_change,
)
from quintet.runs.lock import LOCK, FolderLock
from quintet.runs.prepare import Prepared, prepare_config
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder

STUDY_RECORD = "study.json"
_OURS = {LOCK, "logs", f"{STUDY_RECORD}.part"}


def arm_name(name: str) -> str:
    """The name of an arm, which is a part of a path.

    Raises:
        ValueError: it has other characters, or too many.
    """
    if not re.fullmatch(r"[\w\-][\w.\-():=,+]{,99}", name):
        raise ValueError(f"expected at most 100 letters, digits and characters of '-_.():=,+', got {name[:100]!r}")
    return name


class ArmVersion(BaseModel):
    """One of the versions that an arm learns."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    arm: str
    version: int


class StudyRecord(Written):
    """The content of `study.json`."""

    quintet: Literal["study"] = "study"
    definition: Mapping[str, Any]
    """What the study is, as JSON (`recorded_study`): reports and pictures read it here, whatever is installed."""
    reference: str
    """The arm or version that the others are compared with."""
    arms: Mapping[Annotated[str, AfterValidator(arm_name)], RunConfig]
    """In order."""
    versions: Mapping[str, ArmVersion] = {}
    """What is shown as further arms, by name."""
    code: tuple[CodeRecord, ...] = ()
    """The user's objects that the arms were brought in place of names."""


class StudyFolder(LockedFolder):
    """One study on disk. `create` and `open_to_write` hold its lock until `close`; every arm has one of its own too."""

    def __init__(
        self,
        path: Path,
        record: StudyRecord,
        settings: Settings,
        lock: FolderLock | None = None,
        *,
        changes: Settings | None = None,
        objects: Sequence[BroughtObject] = (),
        prepared: Mapping[str, Prepared] | None = None,
    ) -> None:
        super().__init__(path, lock)
        self.record = record
        self.settings = settings
        """What resumes changed, for all arms."""
        self._objects = objects
        self._prepared = dict(prepared or {})
        """Arms that have not begun."""
        self._changes = changes or {}

    @classmethod
    def create(
        cls,
        path: Path,
        record: StudyRecord,
        objects: Sequence[BroughtObject] = (),
        prepared: Mapping[str, Prepared] | None = None,
        *,
        mounts: Path = MOUNTS,
    ) -> "StudyFolder":
        """A new study in a new or empty folder.

        Args:
            path: the folder.
            record: of the study.
            objects: those that its arms name.
            prepared: the arms, by name; one that is left out is prepared when it begins.
            mounts: see `refuse_network_file_system`.

        Raises:
            UsageError: the folder is not empty, cannot be written, or is on a network file system.
        """
        lock = begin_in(path, STUDY_RECORD, record, ours=_OURS, mounts=mounts)
        return cls(path, record, {}, lock, objects=objects, prepared=prepared)

    @classmethod
    def open_to_write(
        cls,
        path: Path,
        settings: Settings | None = None,
        *,
        objects: Sequence[object] = (),
        mounts: Path = MOUNTS,
    ) -> "StudyFolder":
        """A study to go on with.

        Args:
            path: the study folder.
            settings: what is to be changed from now on, in all arms; only what cannot change results. They are kept
                for later resumes by `keep_changes`.
            objects: those that the study was given from Python.
            mounts: see `refuse_network_file_system`.

        Raises:
            UsageError: no study of this version, another writer, a forbidden change, or an object that is missing or
                has changed.
        """
        record = read_record(path / STUDY_RECORD, StudyRecord)
        refuse_network_file_system(path, mounts)
        all_changes = {**settings_of(read_changes(path), path), **(settings or {})}
        found = find_recorded(record.code, objects, path)
        with bringing(found):
            for arm, config in record.arms.items():
                resolve_changes(config, all_changes, path / "arms" / arm)
        return cls(path, record, all_changes, FolderLock(path), changes=settings, objects=found)

    @classmethod
    def open_to_read(cls, path: Path) -> "StudyFolder":
        """A study to look at.

        Raises:
            UsageError: there is no study, or none that this version reads.
        """
        return cls(path, read_record(path / STUDY_RECORD, StudyRecord), {})

    def arm_path(self, arm: str) -> Path:
        """The run folder of an arm; not there before the arm begins."""
        return self.path / "arms" / arm

    def begun(self, arm: str) -> bool:
        """Whether the arm has a run to go on with or to look at."""
        return (self.arm_path(arm) / RUN_RECORD).is_file()

    def arms(self) -> dict[str, RunFolder]:
        """The arms that have begun, to look at, in order."""
        return {arm: RunFolder.open_to_read(self.arm_path(arm)) for arm in self.record.arms if self.begun(arm)}

    def create_arm(self, arm: str, *, mounts: Path = MOUNTS) -> RunFolder:
        """Begin the run of an arm, under what resumes of the study changed.

        Raises:
            UsageError: the arm cannot be prepared.
        """
        path = self.arm_path(arm)
        prepared = self._prepared.pop(arm, None) or prepare_config(self.record.arms[arm], f"arm {arm}", self._objects)
        record = prepared.record.model_copy(update={"created": datetime.now(UTC)})
        run = RunFolder.create(path, replace(prepared, record=record), self.settings, mounts=mounts)
        run.on_begin = self.keep_changes
        return run

    def open_arm(self, arm: str, *, mounts: Path = MOUNTS) -> RunFolder:
        """The run of an arm to resume, under what resumes of the study changed."""
        objects = [each.value for each in self._objects]
        run = RunFolder.open_to_write(self.arm_path(arm), self.settings, objects=objects, mounts=mounts)
        run.on_begin = self.keep_changes
        return run

    def keep_changes(self) -> None:
        """Write down what this resume changed, once an arm goes on under it.

        Raises:
            UsageError: the folder cannot be written.
        """
        changes, self._changes = self._changes, {}
        if changes:
            write_change(self.path, changes)

    def discard(self) -> None:
        """Remove the folder of a study if no arm began, so that its name is free again."""
        self.close()
        with suppress(OSError):
            for name in (STUDY_RECORD, CHANGES, LOCK):
                (self.path / name).unlink(missing_ok=True)
            for folder in (self.path / "arms", self.path):
                if folder.is_dir():
                    folder.rmdir()


def open_any(path: Path) -> RunFolder | StudyFolder:
    """A run or a study to look at.

    Raises:
        UsageError: it is neither, or none that this version reads.
    """
    with usable_folder(path, verb="read"):
        found = {record for record in (STUDY_RECORD, RUN_RECORD) if (path / record).is_file()}
        is_folder = path.is_dir()
    if not is_folder:
        raise UsageError(f"run folder: expected a folder, found none ({path})")
    if STUDY_RECORD in found:
        return StudyFolder.open_to_read(path)
    if RUN_RECORD not in found:
        raise UsageError(f"run folder: expected {RUN_RECORD} or {STUDY_RECORD} in it, found neither ({path})")
    return RunFolder.open_to_read(path)
