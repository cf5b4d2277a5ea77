"""Runs the arms of a study one after the other, going on where an earlier start left off."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import msgspec

from quintet.plugins.brought import BroughtObject
from quintet.reports.episodes import results
from quintet.runs.attempts import HowEnded
from quintet.runs.code import record_code
from quintet.runs.prepare import Prepared
from quintet.runs.record import git_commit, package_versions
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, StudyRecord
from quintet.studies.arms import versions
from quintet.studies.definition import Study

RunArm: TypeAlias = Callable[[RunFolder, str], HowEnded]
"""Runs what is left of a run; takes its folder and the label that a person sees."""


def create(
    study: Study, arms: Mapping[str, Prepared], path: Path, objects: Sequence[BroughtObject] = ()
) -> StudyFolder:
    """Record a study and its arms before any of them begins.

    Args:
        study: its definition.
        arms: prepared, by name.
        path: the folder, new or empty.
        objects: that the arms name.

    Raises:
        UsageError: the folder is not empty or cannot be written.
    """
    record = StudyRecord(
        created=datetime.now(UTC),
        packages=package_versions(),
        git_commit=git_commit(),
        definition=msgspec.to_builtins(study, str_keys=True),
        reference=study.reference,
        arms={name: arm.config for name, arm in arms.items()},
        versions=versions(study),
        code=record_code(objects),
    )
    return StudyFolder.create(path, record, objects, arms)


def run_study(folder: StudyFolder, run_arm: RunArm, *, retry_faulted: bool = False) -> HowEnded:
    """Run every arm that is not finished. After an interruption the remaining arms wait for a resume.

    Args:
        folder: open for writing.
        run_arm: runs one arm.
        retry_faulted: whether an arm with faulted episodes counts as unfinished.

    Raises:
        UsageError: an arm cannot begin or go on.
    """
    ends: list[HowEnded] = []
    for number, arm in enumerate(folder.record.arms, 1):
        if folder.begun(arm):
            before = results(RunFolder.open_to_read(folder.arm_path(arm)))
            if before.finished and not (retry_faulted and before.count("faulted")):
                ends.append(before.ended)
                continue
            run = folder.open_arm(arm)
        else:
            run = folder.create_arm(arm)
        with run:
            ends.append(run_arm(run, f"arm {number} of {len(folder.record.arms)}: {arm}"))
        if ends[-1] in ("interrupted", "stopped", "spent"):
            return ends[-1]
    return "faulted" if "faulted" in ends else "done"
