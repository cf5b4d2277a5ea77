"""Writes the table of a study's cells into one file, in the format of its name: CSV, Parquet or LaTeX."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from quintet.errors import UsageError
from quintet.export.table_file import encode_rows, named_table, write_table
from quintet.reports.latex import as_latex
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.studies.cells import study_matrix
from quintet.studies.definition import recorded_study
from quintet.studies.findings import part_report
from quintet.studies.grid import Grid
from quintet.studies.grid_tables import grid_notes, grid_rows, grid_tables

_LATEX: Final = ".tex"


class WrittenTable(NamedTuple):
    """The result of an export."""

    rows: int
    damage: Sequence[str]
    """What could not be read, and is missing from the table."""


def write_study_table(path: Path, file: Path) -> WrittenTable:
    """Write a row for each cell of a study, or arm, even while it runs; a file that is there is replaced.

    CSV and Parquet have the figures as numbers, shares in [0, 1]; LaTeX has the report's tables, of tests and effects
    too.

    Raises:
        UsageError: there is no study, `file` is of no known format or cannot be written, or pyarrow is missing.
    """
    file = named_table(file, "--table", _LATEX)
    report = load_report([path], NO_EPISODES)
    if not report.studies:
        raise UsageError(f"--table: expected a study, got a run ({path})")
    study = report.studies[0]
    grid = Grid(recorded_study(study), study_matrix(study, report.runs))
    written = _latex(report, grid) if file.suffix == _LATEX else _rows(grid, file.suffix)
    write_table(file, "--table", written)
    return WrittenTable(len(grid.cells), report.damage)


def _rows(grid: Grid, suffix: str) -> str | bytes:
    rows = grid_rows(grid)
    return encode_rows(rows, {name: _kind(row[name] for row in rows) for name in rows[0]}, suffix)


def _kind(values: Iterable[object]) -> type:
    """That of a column's values; one without any is of figures."""
    return next((type(value) for value in values if value is not None), float)


def _latex(report: Report, grid: Grid) -> str:
    """The tables of the study's findings; of one without, success of its arms."""
    _, found = part_report(report)
    for study in found.values():
        if study.findings.tables:
            return as_latex(study.findings.tables, study.findings.notes)
    return as_latex(grid_tables(grid), list(grid_notes(grid)))
