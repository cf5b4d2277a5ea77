"""Runs the arms of a study one after the other, going on where an earlier start left off."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from quintet.config.resolve import resolve_changes
from quintet.config.settings import Settings
from quintet.launch.prepare import Prepared, prepare_config
from quintet.launch.versions import find_recorded, git_commit, package_versions, record_code
from quintet.launch.writable_run import WritableRun
from quintet.plugins.brought import BroughtObject, bringing
from quintet.reports.episodes import results
from quintet.runs.blame_record import BlameRecord
from quintet.runs.ends import EARLY, HowEnded, RunStop
from quintet.runs.files import LOCK, FolderLock, refuse_network_file_system, usable_folder, write_whole
from quintet.runs.folder import CHANGES, LockedFolder, begin_in, read_changes, read_record, settings_of, write_change
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import ARMS, STUDY_RECORD, PromptOptimization, StudyFolder, StudyRecord
from quintet.studies.arms import given_to_each, versions
from quintet.studies.definition import Study
from quintet.studies.given_arms import given_configs, refuse_unlearnt
from quintet.trust.refusal import approve_study, refuse_untrusted

_OURS = {LOCK, "logs", f"{STUDY_RECORD}.part"}


class WritableStudy(LockedFolder, StudyFolder):
    """One study on disk, which holds its lock until `close`; every arm has one of its own too."""

    def __init__(
        self,
        path: Path,
        record: StudyRecord,
        settings: Settings,
        lock: FolderLock,
        *,
        changes: Settings | None = None,
        objects: Sequence[BroughtObject] = (),
        prepared: dict[str, Prepared] | None = None,
        trust: bool = False,
    ) -> None:
        StudyFolder.__init__(self, path, record)
        LockedFolder.__init__(self, lock)
        self.settings = settings
        """What resumes changed, for all arms."""
        self._objects = objects
        self._prepared = {} if prepared is None else prepared
        self._changes = changes or {}
        self._trust = trust

    @classmethod
    def open(
        cls,
        path: Path,
        settings: Settings | None = None,
        *,
        objects: Sequence[object] = (),
        trust: bool = False,
    ) -> "WritableStudy":
        """A study to go on with.

        Args:
            settings: what is to be changed from now on, in all arms; only what cannot change results. They are kept
                for later resumes by `keep_changes`.
            trust: approve what the study and its arms would run, import and contact.

        Raises:
            UsageError: no study of this version, another writer, a forbidden change, or an object that is missing or
                has changed; or a study that this user neither started nor approved.
        """
        record = read_record(path / STUDY_RECORD, StudyRecord)
        refuse_network_file_system(path)
        refuse_untrusted(StudyFolder(path, record), trust=trust)
        all_changes = {**settings_of(read_changes(path), path), **(settings or {})}
        found = find_recorded(record.code, objects, path)
        with bringing(found):
            for arm, config in record.arms.items():
                resolve_changes(config, all_changes, path / "arms" / arm)
        approve_study(record, all_changes)
        return cls(path, record, all_changes, FolderLock(path), changes=settings, objects=found, trust=trust)

    @property
    def objects(self) -> Sequence[BroughtObject]:
        """Those that its arms name."""
        return self._objects

    def add_arm(self, arm: str, prepared: Prepared) -> None:
        """Write down a further arm, to be created."""
        self._rewrite({"arms": {**self.record.arms, arm: prepared.config}})
        self._prepared[arm] = prepared

    def end_growth(self) -> None:
        """Write down that no further arm follows."""
        about = self.record.growth
        if about is not None and not about.ended:
            field = "blame" if isinstance(about, BlameRecord) else "optimization"
            self._rewrite({field: about.model_copy(update={"ended": True})})

    def _rewrite(self, changed: Mapping[str, Any]) -> None:
        record = self.record.model_copy(update=changed)
        approve_study(record, self.settings)
        with usable_folder(self.path):
            write_whole(self.path / STUDY_RECORD, record.model_dump_json(indent=2) + "\n")
        self.record = record

    def create_arm(self, arm: str) -> WritableRun:
        """Begin the run of an arm, under what resumes of the study changed.

        Raises:
            UsageError: the arm cannot be prepared.
        """
        path = self.arm_path(arm)
        learner, prepared = self.record.given.get(arm), self._prepared.pop(arm, None)
        if learner is not None:
            refuse_unlearnt(arm, self.arm_path(learner))
        if prepared is None:
            given = learner is not None  # what is learnt may be nothing
            prepared = prepare_config(self.record.arms[arm], f"arm {arm}", self._objects, empty_memory=given)
        record = prepared.record.model_copy(update={"created": datetime.now(UTC)})
        run = WritableRun.create(path, replace(prepared, record=record), self.settings)
        run.on_begin = self.keep_changes
        return run

    def open_arm(self, arm: str) -> WritableRun:
        """The run of an arm to resume, under what resumes of the study changed."""
        objects = [each.value for each in self._objects]
        run = WritableRun.open(self.arm_path(arm), self.settings, objects=objects, by_study=True, trust=self._trust)
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


RunArm: TypeAlias = Callable[[WritableRun, str], RunStop]
"""Runs what is left of a run; takes its folder and the label that a person sees."""


def create(
    study: Study,
    arms: dict[str, Prepared],
    path: Path,
    objects: Sequence[BroughtObject] = (),
    growth: PromptOptimization | BlameRecord | None = None,
) -> WritableStudy:
    """Record a study and its arms in a new or empty folder, before any of them begins.

    Args:
        arms: by name. Each is taken out when it begins, so that nothing keeps it once it has ended.
        objects: that the arms name.
        growth: what further arms follow from; None: there will be none.

    Raises:
        UsageError: the folder is not empty, cannot be written, or is on a network file system.
    """
    given = given_to_each(study, arms)
    known_later = given_configs(given, arms, path.absolute() / ARMS, objects)
    record = StudyRecord(
        created=datetime.now(UTC),
        packages=package_versions(),
        git_commit=git_commit(),
        definition=msgspec.to_builtins(study, str_keys=True),
        reference=study.reference,
        arms={name: known_later.get(name, arm.config) for name, arm in arms.items()},
        given={arm: each.learner for arm, each in given.items()},
        versions=versions(study),
        code=record_code(objects),
        optimization=growth if isinstance(growth, PromptOptimization) else None,
        blame=growth if isinstance(growth, BlameRecord) else None,
    )
    approve_study(record, {})  # first, so that a study that is killed as it begins is this user's own
    lock = begin_in(path, STUDY_RECORD, record, ours=_OURS)
    for name in known_later:
        del arms[name]
    return WritableStudy(path, record, {}, lock, objects=objects, prepared=arms)


def run_study(folder: WritableStudy, run_arm: RunArm, *, retry_faulted: bool = False) -> RunStop:
    """Run every arm that is not finished. After an interruption the remaining arms wait for a resume.

    Raises:
        UsageError: an arm cannot begin or go on.
    """
    ends: list[HowEnded] = []
    for number, arm in enumerate(folder.record.arms, 1):
        label = f"arm {number} of {len(folder.record.arms)}: {arm}"
        stop = run_one(folder, arm, run_arm, label, retry_faulted=retry_faulted)
        if stop.ended in EARLY:
            return stop
        ends.append(stop.ended)
    return RunStop("faulted" if "faulted" in ends else "done")


def run_one(folder: WritableStudy, arm: str, run_arm: RunArm, label: str, *, retry_faulted: bool = False) -> RunStop:
    """Run what is left of an arm, and say how it ended, now or before.

    Raises:
        UsageError: it cannot begin or go on.
    """
    if folder.begun(arm):
        before = results(RunFolder.open_to_read(folder.arm_path(arm)))
        if before.finished and not (retry_faulted and before.count("faulted")):
            return RunStop(before.ended)
        run = folder.open_arm(arm)
    else:
        run = folder.create_arm(arm)
    with run:
        return run_arm(run, label)
