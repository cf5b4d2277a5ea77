"""The picture of a grid: small multiples, one for each combination of all axes but the compared one."""

from typing import Any

from quintet.studies.grid import Grid

_WIDTH, _LINE, _AROUND = 3.0, 0.3, 0.7
"""Inches: of a small picture, of a level in it, and above and below its levels."""
_LEAST_WIDTH = 7.5


def grid_figure(grid: Grid) -> Any:
    """Draw success at each level of the compared axis, with its interval; a cell without a result is left out.

    Worlds stand side by side, or else the levels of the next axis; the combinations of the others below each other.
    """
    from matplotlib.figure import Figure

    others = [axis for axis in grid.axes if axis != grid.compared]
    across = next(iter((*grid.worlds, *others)), None)
    columns = ("",) if across is None else grid.axes[across]
    placed = [
        (tuple(level for axis, level in levels.items() if axis != across), levels.get(across or "", ""), cells)
        for levels, cells in grid.panels()
    ]
    rows = list(dict.fromkeys(row for row, _, _ in placed))
    levels = list(grid.axes[grid.compared]) if grid.compared else [cell.name for cell in grid.cells]
    size = max(_LEAST_WIDTH, _WIDTH * (len(columns) + 0.5)), len(rows) * (_LINE * len(levels) + _AROUND) + 1
    # Any: matplotlib's annotations leave its keyword arguments open.
    figure: Any = Figure(figsize=size, layout="constrained")
    small = figure.subplots(len(rows), len(columns), squeeze=False, sharex=True, sharey=True)
    for axes in small.flat:
        axes.set_visible(False)
    for row, column, cells in placed:
        axes = small[rows.index(row), columns.index(column)]
        axes.set_visible(True)
        axes.set_title(", ".join(filter(None, (column, *row))), fontsize="small")
        found = {
            levels.index(grid.level(cell, grid.compared) if grid.compared else cell.name): cell.success
            for cell in cells
            if cell.success is not None
        }
        values = [100 * each.value for each in found.values()]
        errors = [[100 * (each.value - each.low) for each in found.values()]]
        errors.append([100 * (each.high - each.value) for each in found.values()])
        axes.errorbar(values, list(found), xerr=errors, fmt="o", capsize=3)
        axes.set(yticks=range(len(levels)), yticklabels=levels, ylim=(len(levels) - 0.5, -0.5), xlim=(-4, 104))
        axes.grid(axis="x", alpha=0.3)
    figure.supxlabel("success in percent", fontsize="small")
    return figure
