"""A study as its page shows it: a matrix of cells, the runs of each, and the report."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from quintet.reports.intervals import Estimate
from quintet.reports.learning.tables import learning_tables
from quintet.reports.load import RunReport
from quintet.reports.notes import notes, title
from quintet.reports.tables import report_tables
from quintet.reports.text_tables import TextTable
from quintet.runs.study_folder import StudyFolder
from quintet.studies.cells import CellState, StudyCell, study_matrix
from quintet.studies.findings import paper_findings, paper_sources, part_report
from quintet.studies.reproduction import published_tables
from quintet.view.folder import ShownRun, ViewedFolder, view_progress
from quintet.view.report import read_report


class ShownAxis(Struct, frozen=True):
    """An axis of a matrix."""

    name: str
    levels: tuple[str, ...]


class CellRun(Struct, frozen=True):
    """A run of a cell."""

    seed: int
    run: str
    """Its id."""


class ShownCell(Struct, frozen=True, kw_only=True):
    """A cell of a matrix; see `quintet.studies.cells.StudyCell`."""

    name: str
    levels: tuple[str, ...]
    """One on each axis; empty: it is on none of that."""
    state: CellState
    runs: tuple[CellRun, ...]
    """Those that have begun."""
    seeds: int
    """How many runs it has in all."""
    ended: int
    faulted: int
    episodes: int
    success: Estimate | None
    score: Estimate | None
    label: str
    """Its method, and what that was given; empty before its first run begins."""
    model: str


class StudyView(Struct, frozen=True, kw_only=True, tag="study"):
    """A study as its page shows it."""

    run: str
    progress: ShownRun
    title: str
    axes: tuple[ShownAxis, ...]
    cells: tuple[ShownCell, ...]
    """In the order of its file; a combination without a cell is left out."""
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...]
    damage: tuple[str, ...]


def view_study(viewed: ViewedFolder, folder: StudyFolder) -> StudyView:
    """A study, also while it runs."""
    report = read_report(folder.path)
    matrix = study_matrix(folder, report.runs)
    rest, studies = part_report(report)
    tables = [*report_tables(rest), *learning_tables(rest), *published_tables(rest, paper_sources(report))]
    remarks = notes(rest)
    for found in (*(each.findings for each in studies.values()), *paper_findings(report).values()):
        tables += found.tables
        remarks += found.notes
    identifier = viewed.identify(folder.path)
    by_folder = {run.results.folder.path: run for run in report.runs}
    return StudyView(
        run=identifier,
        progress=view_progress(viewed, identifier),
        title=title(report),
        axes=tuple(ShownAxis(name, levels) for name, levels in matrix.axes.items()),
        cells=tuple(_shown(viewed, cell, by_folder) for cell in matrix.cells),
        tables=tuple(tables),
        notes=tuple(dict.fromkeys((*remarks, *matrix.notes))),
        damage=report.damage,
    )


def _shown(viewed: ViewedFolder, cell: StudyCell, by_folder: Mapping[Path, RunReport]) -> ShownCell:
    run = next((by_folder[path] for path in cell.folders.values() if path in by_folder), None)
    return ShownCell(
        name=cell.name,
        levels=cell.levels,
        state=cell.state,
        runs=tuple(CellRun(seed, viewed.identify(path)) for seed, path in cell.folders.items() if viewed.has(path)),
        seeds=len(cell.seeds),
        ended=cell.ended,
        faulted=cell.faulted,
        episodes=cell.episodes,
        success=cell.success,
        score=cell.score,
        label="" if run is None else run.results.folder.record.label,
        model="" if run is None else run.results.model,
    )
