"""The findings of the studies in a report, for studies that define them over all arms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from quintet.blame.report import blame_report
from quintet.reports.learning.tables import COST_READING
from quintet.reports.load import Report, RunReport, comparisons
from quintet.reports.notes import left_out_tasks
from quintet.reports.text_tables import TextTable
from quintet.runs.study_folder import StudyFolder
from quintet.studies.cells import study_matrix
from quintet.studies.comparison import comparison_notes, comparison_tables
from quintet.studies.definition import (
    ComparisonFindings,
    CurveFindings,
    OverFindings,
    OverSetting,
    PooledFindings,
    StreamFindings,
    Study,
    TransferFindings,
    recorded_study,
)
from quintet.studies.grid import Grid
from quintet.studies.grid_tables import grid_content, grid_notes, grid_tables
from quintet.studies.learning_curves import (
    Curve,
    compare_curves,
    curves_content,
    curves_table,
    iterations,
    learning_curve,
)
from quintet.studies.memory_tables import memory_content, memory_notes, memory_tables
from quintet.studies.over_setting import over_notes, over_tables
from quintet.studies.pooled import pooled_tables
from quintet.studies.reproduction import any_simulated, reproductions
from quintet.studies.seeds import arms_without_runs, pool_seeds, runs_by_arm
from quintet.studies.stream_orders import stream_findings
from quintet.studies.transfer import Transfer, transfer_content, transfer_notes, transfer_table

_SIMULATED = "a simulated model repeats nothing, so what is published is not shown beside it"


@dataclass
class Findings:
    """The findings of a study."""

    tables: list[TextTable]
    notes: list[str]
    """Notes on the tables."""
    content: dict[str, Any] = field(default_factory=dict[str, Any])
    """The same for programs, as JSON values."""


class StudyFindings(NamedTuple):
    """A study of a report, and its findings."""

    part: Report
    """The report of its arms alone."""
    findings: Findings


def part_report(report: Report) -> tuple[Report, Mapping[str, StudyFindings]]:
    """Take the studies out of a report that have findings, by folder; the rest is shown arm by arm."""
    found: dict[str, StudyFindings] = {}
    runs, compared, missing = list(report.runs), list(report.compared), dict(report.missing)
    unpooled: list[str] = []
    for folder in report.studies:
        study, part = recorded_study(folder), _part(report, folder)
        is_blame = folder.record.blame is not None
        if not part.runs or not (study.findings or study.grid or study.seeds or is_blame):
            continue
        paths = {folder.arm_path(arm) for arm in folder.record.arms}
        labels = {run.label for run in runs if run.results.folder.path in paths}
        runs = [run for run in runs if run.label not in labels]
        compared = [each for each in compared if each.ours not in labels]
        if study.findings is None and not study.grid and not is_blame:
            runs += part.runs
            compared += part.compared
            missing = {label: path for label, path in missing.items() if path != folder.path} | dict(part.missing)
            unpooled += part.unpooled
            continue
        findings = Findings(*blame_report(folder)) if is_blame else summarise_arms(study, part)
        findings.notes += part.unpooled
        # The notes of these have all that a report notes of runs.
        if not isinstance(study.findings, ComparisonFindings | StreamFindings):
            findings.notes += left_out_tasks(part.runs)
        found[str(folder.path)] = StudyFindings(part, findings)
        missing = {label: path for label, path in missing.items() if path != folder.path}
    rest = replace(report, runs=tuple(runs), compared=tuple(compared), missing=missing, unpooled=tuple(unpooled))
    return rest, found


def _part(report: Report, folder: StudyFolder) -> Report:
    """A study's part of a report, with one run for each of its arms."""
    study, paths = recorded_study(folder), {folder.arm_path(arm) for arm in folder.record.arms}
    own = tuple(run for run in report.runs if run.results.folder.path in paths)
    runs, unpooled = pool_seeds(study, own)
    missing = {label: path for label, path in report.missing.items() if path == folder.path}
    prefix = own[0].label.removesuffix(own[0].arm) if own else ""
    if study.seeds:
        missing = {prefix + arm: folder.path for arm in arms_without_runs(folder)}
    if runs == own:
        labels = {run.label for run in runs}
        compared = tuple(each for each in report.compared if each.ours in labels)
    else:
        compared = tuple(comparisons(runs, prefix + study.reference))
    return Report(runs, compared, missing, studies=(folder,), unpooled=unpooled)


def paper_findings(report: Report) -> Mapping[str, Findings]:
    """By folder, the papers' tables that the studies of a report reproduce, as far as their arms have begun.

    If any run of the report is of a simulated model, nothing that is published is shown.
    """
    found: dict[str, Findings] = {}
    for folder in report.studies:
        study, arms = recorded_study(folder), {run.arm: run for run in _part(report, folder).runs}
        if study.reproduces and arms and any_simulated(report.runs):
            found[str(folder.path)] = Findings([], [f"{table.source}: {_SIMULATED}" for table in study.reproduces])
        elif study.reproduces and arms:
            tables, notes, content = reproductions(study, arms)
            found[str(folder.path)] = Findings(tables, notes, {"reproduces": content})
    return found


def paper_sources(report: Report) -> set[str]:
    """The papers' tables that `paper_findings` shows."""
    return {table.source for folder in report.studies for table in recorded_study(folder).reproduces}


def summarise_arms(study: Study, part: Report) -> Findings:
    """Summarise the arms of a study."""
    arms = {run.arm: run for run in part.runs}
    if study.grid:
        grid = Grid(study, study_matrix(part.studies[0], part.runs))
        return Findings(grid_tables(grid), list(grid_notes(grid)), grid_content(grid))
    match study.findings, study.over:
        case OverFindings(), OverSetting() as over:
            tables, content = over_tables(study, over, arms)
            return Findings(tables, list(over_notes(study, over, arms)), content)
        case PooledFindings(label=label), _:
            tables, content = pooled_tables(study.pooled, arms, label)
            return Findings(tables, [COST_READING], content)
        case CurveFindings() as curves, _:
            return _find_curves(curves, arms)
        case StreamFindings(), _:
            return Findings(*stream_findings(study, part))
        case TransferFindings() as wanted, _:
            transfer = Transfer(study, wanted, arms)
            given = replace(part, runs=transfer.runs, compared=tuple(transfer.compared.values()))
            tables = [transfer_table(transfer), *memory_tables(given)]
            content = {**transfer_content(transfer), "memories": memory_content(given)}
            return Findings(tables, [*transfer_notes(transfer), *memory_notes(given)], content)
        case ComparisonFindings(noise=noise), _:
            given = _without_learners(study, part)
            tables, content = comparison_tables(given, noise)
            return Findings(tables, list(comparison_notes(given, noise)), content)
        case _:
            return Findings([], [])


def _without_learners(study: Study, part: Report) -> Report:
    """A study without the arms that learn what others are given: what that cost stands beside those."""
    runs = tuple(run for run in part.runs if run.arm not in study.given.values())
    labels = {run.label for run in runs}
    return replace(part, runs=runs, compared=tuple(each for each in part.compared if each.ours in labels))


def study_curves(findings: CurveFindings, arms: Mapping[str, RunReport]) -> dict[str, Curve]:
    """The curve of every group, by arm."""
    repeated = runs_by_arm(arms.values())
    return {arm: learning_curve(label, repeated.get(arm, [])) for arm, label in findings.groups.items()}


def _find_curves(findings: CurveFindings, arms: Mapping[str, RunReport]) -> Findings:
    versions, curves = iterations(arms.values()), study_curves(findings, arms)
    found = Findings([curves_table(list(curves.values()), versions)], [])
    found.content["curves"] = curves_content(list(curves.values()), versions)
    if (wanted := findings.t_tests) is not None:
        table, notes, found.content["t_tests"] = compare_curves(wanted, curves, versions)
        found.tables.append(table)
        found.notes += notes
    return found
