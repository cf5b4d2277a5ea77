"""Runs the arms of a study one after the other, going on where an earlier start left off."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from quintet.config.sections import RunConfig
from quintet.reports.episodes import results
from quintet.runs.ending import HowEnded
from quintet.runs.record import begin, git_commit, package_versions
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, StudyRecord
from quintet.studies.definition import Study

RunArm: TypeAlias = Callable[[RunFolder, str], HowEnded]
"""Runs what is left of a run; takes its folder and the label that a person sees."""


def create(study: Study, arms: dict[str, RunConfig], path: Path) -> StudyFolder:
    """Record a study and its arms before any of them begins.

    Raises:
        UsageError: an arm cannot begin, or the folder cannot be used.
    """
    for config in arms.values():
        begin(config)  # so that a wrong arm is refused now, not after the arms before it have run
    record = StudyRecord(
        created=datetime.now(UTC),
        packages=package_versions(),
        git_commit=git_commit(),
        name=study.name,
        reference=study.reference,
        arms=arms,
    )
    return StudyFolder.create(path, record)


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
    for number, (arm, config) in enumerate(folder.record.arms.items(), 1):
        if folder.begun(arm):
            before = results(RunFolder.open_to_read(folder.arm_path(arm)))
            if before.finished and not (retry_faulted and before.count("faulted")):
                ends.append(before.ended)
                continue
            run = folder.open_arm(arm)
        else:
            run = folder.create_arm(arm, begin(config), folder.settings)
        with run:
            ends.append(run_arm(run, f"arm {number} of {len(folder.record.arms)}: {arm}"))
        if ends[-1] in ("interrupted", "stopped", "spent"):
            return ends[-1]
    return "faulted" if "faulted" in ends else "done"
