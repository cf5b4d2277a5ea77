"""The tables of a grid, the same for programs, and its notes."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from quintet.reports.exports import estimate_content
from quintet.reports.notes import assumptions, declarations
from quintet.reports.text_tables import NONE, TextTable, p_value, percent, percentage_points
from quintet.studies.cells import StudyCell
from quintet.studies.comparison import budget_title
from quintet.studies.costs import COST_KINDS, COSTS_NEED_SCIPY, cost_cell, costs_of
from quintet.studies.grid import Grid, PairedCells
from quintet.studies.panels import CostKind


def grid_tables(grid: Grid) -> list[TextTable]:
    """A row for each cell, for each test, and for each level."""
    return [_cell_table(grid), *_test_tables(grid), *_effect_tables(grid)]


def _cell_table(grid: Grid) -> TextTable:
    runs = [cell.run for cell in grid.cells if cell.run is not None]
    kinds: list[CostKind] = [
        kind for kind in COST_KINDS if kind != "USD" or any(run.summary.record.prices for run in runs)
    ]
    scored = any(cell.score is not None for cell in grid.cells)

    def row(cell: StudyCell) -> Iterator[str]:
        yield from (grid.level(cell, axis) for axis in grid.axes)
        yield NONE if cell.run is None else str(cell.run.summary.overall.tasks)
        yield f"{cell.ended} of {cell.episodes}" if cell.episodes else NONE
        yield from [percent(cell.score)] * scored
        yield percent(cell.success)
        costs = {} if cell.run is None else costs_of(cell.run)
        yield from (cost_cell(kind, costs.get(kind)) for kind in kinds)

    repeated = ", pooled over seeds" * any(len(cell.seeds) > 1 for cell in grid.cells)
    what = "Score (mean reward x 100) and success" if scored else "Success"
    title = f"{what} in percent and costs per episode{repeated} ({budget_title(runs)}; 95 % intervals)"
    columns = (*grid.axes, "n", "episodes", *["score"] * scored, "success", *kinds)
    return TextTable(title, columns, tuple(tuple(row(cell)) for cell in grid.cells), left=max(1, len(grid.axes)))


def _test_tables(grid: Grid) -> list[TextTable]:
    """A table of the tests; none if nothing is compared."""
    if grid.compared is None or not grid.tests:
        return []
    others = [axis for axis in grid.axes if axis != grid.compared]
    first = grid.axes[grid.compared][0]
    rows = tuple(
        (
            f"{grid.level(each.ours, grid.compared)} - {first}",
            *(grid.level(each.ours, axis) for axis in others),
            str(each.paired.tasks),
            percentage_points(each.paired.points),
            str(each.paired.only_ours),
            str(each.paired.only_theirs),
            p_value(each.paired.p),
            p_value(each.corrected),
        )
        for each in grid.tests
    )
    columns = ("n", "difference", "only it", f"only {first}", "p", f"p, Holm over {len(rows)}")
    title = f"Success less that of {first}, in percentage points, paired by task (95 % interval)"
    return [TextTable(title, (grid.compared, *others, *columns), rows, left=1 + len(others))]


def _effect_tables(grid: Grid) -> list[TextTable]:
    """A table of the effects; none of a grid with one axis, whose tests say the same."""
    if len(grid.axes) < 2:
        return []
    tested = sum(each.paired is not None for each in grid.effects)
    rows = tuple(
        (
            each.axis,
            each.level,
            str(each.tasks),
            percent(each.success),
            percentage_points(None if each.paired is None else each.paired.points),
            NONE if each.paired is None else p_value(each.paired.p),
            NONE if each.corrected is None else p_value(each.corrected),
        )
        for each in grid.effects
    )
    title = (
        "Effect of each axis: success in percent over the other axes, and less that of its first level, in percentage "
        "points, paired by task (95 % interval)"
    )
    columns = ("axis", "level", "n", "success", "difference", "p", f"p, Holm over {tested}")
    return [TextTable(title, columns, rows, left=2)]


def grid_rows(grid: Grid) -> list[dict[str, Any]]:
    """A flat row for each cell: its levels by axis, its state, and its figures; None where there is none."""
    rows: list[dict[str, Any]] = []
    for cell in grid.cells:
        costs = {} if cell.run is None else costs_of(cell.run)
        row: dict[str, Any] = {
            "state": cell.state,
            "seeds": len(cell.seeds),
            "tasks": 0 if cell.run is None else cell.run.summary.overall.tasks,
            "episodes": cell.episodes,
            "ended": cell.ended,
            "faulted": cell.faulted,
            "simulated": None if cell.run is None else cell.run.results.simulated,
        }
        for name, estimate in (("success", cell.success), ("score", cell.score)):
            found = None if estimate is None else (estimate.value, (estimate.low, estimate.high))
            row |= _figure(name, found)
        for kind in COST_KINDS:
            row |= _figure(kind.lower(), costs.get(kind))
        levels = {f"{axis}_level" if axis in row else axis: grid.level(cell, axis) for axis in grid.axes}
        rows.append((levels or {"cell": cell.name}) | row)
    return rows


def _figure(name: str, found: tuple[float, tuple[float, float] | None] | None) -> dict[str, float | None]:
    """The columns of a figure: its value, and its interval where it has one."""
    value, interval = (None, None) if found is None else found
    low, high = interval or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def grid_content(grid: Grid) -> dict[str, Any]:
    """The same for programs, as JSON values."""
    return {
        "cells": [{**row, "runs": _runs(cell)} for row, cell in zip(grid_rows(grid), grid.cells, strict=True)],
        "tests": [
            {"cell": each.ours.name, "from": each.theirs.name, **_paired(each.paired), "p_holm": each.corrected}
            for each in grid.tests
        ],
        "effects": [
            {
                "axis": each.axis,
                "level": each.level,
                "tasks": each.tasks,
                "success": estimate_content(each.success),
                "difference": None if each.paired is None else {**_paired(each.paired), "p_holm": each.corrected},
            }
            for each in grid.effects
        ],
    }


def _runs(cell: StudyCell) -> dict[str, str]:
    return {str(seed): str(folder) for seed, folder in cell.folders.items()}


def _paired(found: PairedCells) -> dict[str, Any]:
    return {
        "tasks": found.tasks,
        "points": estimate_content(found.points),
        "only_cell": found.only_ours,
        "only_from": found.only_theirs,
        "p": found.p,
    }


def grid_notes(grid: Grid) -> Iterator[str]:
    """Which cells are not compared, what the p-values are of, and what cells use rewards for, each in one line."""
    yield from grid.conditions.notes(grid.records)
    if grid.tests:
        yield (
            "p: exact test that flips the signs of tasks' differences, two-sided; a task's seeds and epochs are one "
            "observation, for intervals too"
        )
    if len(grid.axes) > 1:
        yield (
            "effect: each task of each world counts once, whatever the other axes; a difference is over the cells that "
            "both levels have"
        )
    if grid.worlds:
        yield f"{', '.join(grid.worlds)}: other tasks at each level, so no difference is paired"
    if find_spec("scipy") is None:
        yield COSTS_NEED_SCIPY
    if simulated := [cell.name for cell in grid.cells if cell.run is not None and cell.run.results.simulated]:
        yield f"{grid.conditions.label(simulated)}: simulated, so no evidence about language models"
    declared: dict[str, list[str]] = {}
    for name, record in grid.records.items():
        for text in declarations(record):
            declared.setdefault(text, []).append(name)
    yield from (f"{grid.conditions.label(cells)}: {text}" for text, cells in declared.items())
    yield from assumptions(grid.records.values())
