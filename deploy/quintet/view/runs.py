"""What a page says of a run, of a study's arms, and of two runs beside each other."""

from collections.abc import Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from quintet.quota.cost import Cost
from quintet.reports.exports import cost_content
from quintet.reports.intervals import Estimate
from quintet.reports.learning.tables import learning_tables
from quintet.reports.load import Report, RunReport, comparisons, load_report
from quintet.reports.notes import notes, title
from quintet.reports.rows import WITHOUT_END, RowState
from quintet.reports.summary import heading
from quintet.reports.tables import report_tables
from quintet.reports.text_tables import TextTable
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.findings import paper_findings, paper_sources, part_report
from quintet.studies.reproduction import published_tables
from quintet.view.folder import FileTimes, ShownRun, ViewedFolder, file_times, view_progress

_KEPT = 4
"""Runs and studies that were read and not looked at again since."""


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


class ShownArm(Struct, frozen=True):
    """A study's arm."""

    name: str
    run: str
    """The id of its run."""
    label: str
    model: str
    done: int
    episodes: int
    success: Estimate | None


class StudyView(Struct, frozen=True, kw_only=True, tag="study"):
    """A study as its page shows it."""

    run: str
    progress: ShownRun
    title: str
    arms: tuple[ShownArm, ...]
    """Those that have begun, and the versions that are shown as further arms."""
    waiting: tuple[str, ...]
    """Those that have not."""
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...]
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


def read_report(path: Path) -> Report:
    """The report of a run or a study, with all its episodes. It is read again only if a file of it has changed."""
    return _read_report(path, file_times(path))


@lru_cache(maxsize=_KEPT)
def _read_report(path: Path, _times: FileTimes) -> Report:
    return load_report([path])


def view_any(viewed: ViewedFolder, request: RunRequest) -> RunView | StudyView:
    """A run or a study."""
    folder = open_any(viewed.path(request.run))
    if isinstance(folder, StudyFolder):
        return _study(viewed, folder)
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
    reader = RunFolder.open_to_read(path).read_journal()
    if reader is None:
        return False
    with closing(reader):
        return bool(reader.with_nodes(1))


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


def _study(viewed: ViewedFolder, folder: StudyFolder) -> StudyView:
    report = read_report(folder.path)
    rest, studies = part_report(report)
    tables = [*report_tables(rest), *learning_tables(rest), *published_tables(rest, paper_sources(report))]
    remarks = notes(rest)
    for found in (*(each.findings for each in studies.values()), *paper_findings(report).values()):
        tables += found.tables
        remarks += found.notes
    identifier = viewed.identify(folder.path)
    return StudyView(
        run=identifier,
        progress=view_progress(viewed, identifier),
        title=title(report),
        arms=tuple(_arm(viewed, run) for run in report.runs if viewed.has(run.results.folder.path)),
        waiting=tuple(report.missing),
        tables=tuple(tables),
        notes=tuple(remarks),
        damage=report.damage,
    )


def _arm(viewed: ViewedFolder, run: RunReport) -> ShownArm:
    results = run.results
    return ShownArm(
        name=run.label,
        run=viewed.identify(results.folder.path),
        label=results.folder.record.label,
        model=results.model,
        done=results.episodes - results.count(*WITHOUT_END),
        episodes=results.episodes,
        success=run.summary.overall.success,
    )


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
