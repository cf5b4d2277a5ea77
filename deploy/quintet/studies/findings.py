"""What the studies of a report come to, where a study says that itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from quintet.reports.load import Report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.catalogue import STUDIES
from quintet.studies.definition import Findings


class Found(NamedTuple):
    """A study of a report, and what it comes to."""

    part: Report
    """The report of its arms alone."""
    findings: Findings


def findings(report: Report) -> tuple[Report, Mapping[str, Found]]:
    """Part a report.

    Returns:
        The report of everything that is said arm by arm; and by folder every study that says itself what it comes to.
    """
    found: dict[str, Found] = {}
    for folder in report.studies:
        study = STUDIES.get(folder.record.name)
        part = _part(report, folder)
        if study is not None and study.findings is not None and part.runs:
            arms = {run.arm: run for run in part.runs}
            found[str(folder.path)] = Found(part, study.findings(arms))
    told = {run.label for each in found.values() for run in each.part.runs}
    waiting = {label for each in found.values() for label in each.part.missing}
    rest = replace(
        report,
        runs=tuple(run for run in report.runs if run.label not in told),
        missing=tuple(label for label in report.missing if label not in waiting),
    )
    return rest, found


def _part(report: Report, folder: StudyFolder) -> Report:
    paths = {folder.arm_path(arm) for arm in folder.record.arms}
    runs = tuple(run for run in report.runs if run.results.folder.path in paths)
    prefix = "" if len(report.studies) == 1 and len(runs) == len(report.runs) else f"{folder.path.name}/"
    missing = (f"{prefix}{arm}" for arm in folder.record.arms if not folder.begun(arm))
    return Report(runs, missing=tuple(label for label in missing if label in report.missing), studies=(folder,))
