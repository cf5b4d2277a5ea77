"""What a page says of a run, and of two runs beside each other."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from quintet.quota.cost import Cost
from quintet.reports.exports import cost_content
from quintet.reports.intervals import Estimate
from quintet.reports.learning.tables import learning_tables
from quintet.reports.load import Report, RunReport, comparisons
from quintet.reports.notes import notes, title
from quintet.reports.rows import RowState
from quintet.reports.summary import heading
from quintet.reports.tables import report_tables
from quintet.reports.text_tables import TextTable
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.reproduction import published_tables
from quintet.view.folder import FileTimes, ShownRun, ViewedFolder, file_times, view_progress
from quintet.view.report import read_report
from quintet.view.study import StudyView, view_study

_KEPT = 4
"""Runs."""


class RunRequest(Struct, forbid_unknown_fields=True):
    """Asks for a run or a study."""

    run: str


class CompareRequest(Struct, forbid_unknown_fields=True):
    """Asks for two runs beside each other."""

    ours: str
    theirs: str


class RunView(Struct, frozen=True, kw_only=True, tag="run"):
    """A run as its page shows it."""

    run: str
    label: str
    """Its method, and what that was given."""
    environment: str
    model: str
    progress: ShownRun
    title: str
    states: Mapping[RowState, int]
    """How many episodes are in each; of a run that learns, with all versions."""
    success: Estimate | None
    """Of a run that learns, with the version that judges it."""
    spent: Mapping[str, Any]
    """All together."""
    phases: tuple[Mapping[str, Any], ...]
    """The same by what the calls were for."""
    seconds: float
    metadata: Mapping[str, tuple[str, ...]]
    """The values of each label of its tasks."""
    learns: bool
    remembers: bool
    searches: bool
    """Whether an episode has a search tree."""
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...]
    configuration: Mapping[str, Any]
    prompts: Mapping[str, str]
    """SHA-256 by name."""
    packages: Mapping[str, str]
    commit: str | None
    damage: tuple[str, ...]


class ShownDifference(Struct, frozen=True):
    """The success of one run minus that of another, on the tasks of a group that ended in both."""

    group: str
    tasks: int
    points: Estimate


class CompareView(Struct, frozen=True):
    """Two runs beside each other."""

    title: str
    differences: tuple[ShownDifference, ...]
    unpaired: tuple[int, int]
    """How many tasks ended in the first only, and in the second only."""
    tables: tuple[TextTable, ...]


def view_any(viewed: ViewedFolder, request: RunRequest) -> RunView | StudyView:
    """A run or a study."""
    folder = open_any(viewed.path(request.run))
    if isinstance(folder, StudyFolder):
        return view_study(viewed, folder)
    report = read_report(folder.path)
    (run,) = report.runs
    results, record = run.results, folder.record
    return RunView(
        run=viewed.identify(folder.path),
        label=record.label,
        environment=record.configuration.environment.name,
        model=results.model,
        progress=view_progress(viewed, request.run),
        title=title(report),
        states=dict(results.states),
        success=run.summary.overall.success,
        spent=cost_content(results.cost),
        phases=shown_phases(results.phases),
        seconds=results.seconds,
        metadata=_metadata(run),
        learns=record.learns,
        remembers=folder.memory.is_file(),
        searches=_searches(folder.path, file_times(folder.path)),
        tables=(*report_tables(report), *learning_tables(report), *published_tables(report, ())),
        notes=tuple(notes(report)),
        configuration=record.configuration.model_dump(mode="json", exclude_none=True),
        prompts=record.prompts,
        packages=record.packages,
        commit=record.git_commit,
        damage=report.damage,
    )


@lru_cache(maxsize=_KEPT)
def _searches(path: Path, _times: FileTimes) -> bool:
    with RunFolder.open_to_read(path).read_journals() as (journals, _):
        return any(reader.with_nodes(1) for _, reader in journals)


def shown_phases(phases: Mapping[str, Cost]) -> tuple[Mapping[str, Any], ...]:
    """What was spent by phase, as a page shows it."""
    return tuple({"phase": name, **cost_content(cost)} for name, cost in phases.items())


def _metadata(run: RunReport) -> Mapping[str, tuple[str, ...]]:
    record = run.results.folder.record
    found: dict[str, dict[str, None]] = {}
    for task in (*record.tasks, *record.training, *record.held_out):
        for label, value in task.metadata.items():
            found.setdefault(label, {})[value] = None
    return {label: tuple(values) for label, values in found.items()}


def view_two(viewed: ViewedFolder, request: CompareRequest) -> CompareView:
    """Two runs beside each other. Their episodes are joined by the page, which has them of both."""
    runs: list[RunReport] = []
    for identifier in (request.ours, request.theirs):
        folder = viewed.open_run(identifier)
        (run,) = read_report(folder.path).runs
        runs.append(RunReport(identifier, run.results, run.summary, run.to_resume))
    compared = comparisons(runs, request.theirs) if request.ours != request.theirs else []
    report = Report(tuple(runs), tuple(compared))
    return CompareView(
        title=title(report),
        differences=tuple(
            ShownDifference(heading(group), each.tasks, each.points)
            for comparison in compared
            for group, each in comparison.differences.items()
        ),
        unpaired=compared[0].unpaired if compared else (0, 0),
        tables=tuple(report_tables(report)),
    )
