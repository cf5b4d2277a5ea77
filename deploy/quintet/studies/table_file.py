"""Writes the table of a study's cells into one file, in the format of its name: CSV, Parquet or LaTeX."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from quintet.errors import UsageError
from quintet.export.parquet import pyarrow
from quintet.plugins.catalogue import one_of
from quintet.reports.csv_tables import to_csv
from quintet.reports.latex import as_latex
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.runs.files import named_path, usable_folder, write_whole
from quintet.studies.cells import study_matrix
from quintet.studies.definition import recorded_study
from quintet.studies.findings import part_report
from quintet.studies.grid import Grid
from quintet.studies.grid_tables import grid_notes, grid_rows, grid_tables


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
    file = named_path(file, "--table")
    if file.suffix not in (known := (*_FORMATS, _LATEX)):
        raise UsageError(f"--table: expected a name that ends in {one_of(known, file.suffix)}, got {file.name!r}")
    report = load_report([path], NO_EPISODES)
    if not report.studies:
        raise UsageError(f"--table: expected a study, got a run ({path})")
    study = report.studies[0]
    grid = Grid(recorded_study(study), study_matrix(study, report.runs))
    written = _latex(report, grid) if file.suffix == _LATEX else _FORMATS[file.suffix](grid)
    with usable_folder(file.parent, "--table", "made"):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, written)
    return WrittenTable(len(grid.cells), report.damage)


def _csv(grid: Grid) -> str:
    rows = grid_rows(grid)
    return to_csv(list(rows[0]), rows)


def _parquet(grid: Grid) -> bytes:
    arrow, out, rows = pyarrow(), io.BytesIO(), grid_rows(grid)
    kinds: Mapping[type, Any] = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_(), float: arrow.float64()}
    fields = [(name, kinds[_kind(row[name] for row in rows)]) for name in rows[0]]
    arrow.parquet.write_table(arrow.Table.from_pylist(rows, arrow.schema(fields)), out, compression="zstd")
    return out.getvalue()


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


_LATEX = ".tex"

_FORMATS: Mapping[str, Callable[[Grid], str | bytes]] = {".csv": _csv, ".parquet": _parquet}
