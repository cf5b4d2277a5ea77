"""The axes of a study's grid, and its cells: every combination of their levels."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

from quintet.config.settings import flatten
from quintet.plugins.catalogue import one_of
from quintet.runs.study_folder import arm_name

_NAMES: Final[Mapping[str, str]] = {
    "method": "method.name",
    "environment": "environment.name",
    "model": "model.name",
    "memory": "memory.source",
}
"""The axes whose levels may be a list, and what an entry of it sets."""

_NONE = "none"
"""The entry of a list that sets nothing: `memory = ["none", "RUN@3"]`."""

_OF_TASKS = frozenset({"environment.name", "run.split", "run.tasks", "run.task_type", "run.per_type"})
"""What levels set that have tasks of their own."""

_JOINT = "+"
"""Joins the levels in the name of a cell."""

_MOST_CELLS = 10_000

Axis: TypeAlias = tuple[str, ...] | Mapping[str, Mapping[str, Any]]
"""The levels: a list of names, or by the name of each level its settings, as those of an arm."""


class GridCell(NamedTuple):
    """A combination of levels."""

    levels: Mapping[str, str]
    """By axis."""
    settings: Mapping[str, Any]
    """By dotted key: those of all its levels."""


def axis_levels(name: str, axis: Axis) -> dict[str, Mapping[str, Any]]:
    """The settings of each level of an axis, by dotted key.

    Raises:
        ValueError: a list on an axis of another name, no level, or one twice or with a name that no folder can have.
    """
    levels: dict[str, Mapping[str, Any]]
    if isinstance(axis, Mapping):
        levels = {level: dict(flatten(table)) for level, table in axis.items()}
    elif name not in _NAMES:
        raise ValueError(f"grid.{name}: expected a table with the settings of each level, got a list")
    elif len(set(axis)) < len(axis):
        raise ValueError(f"grid.{name}: expected each level once, got {', '.join(axis)}")
    else:
        levels = {level: {} if level == _NONE else {_NAMES[name]: level} for level in axis}
    if not levels:
        raise ValueError(f"grid.{name}: expected at least one level, got none")
    for level in levels:
        try:
            arm_name(level)
            if _JOINT in level:
                raise ValueError(f"expected no {_JOINT!r}, which joins the levels of a cell, got {level!r}")
        except ValueError as error:
            remedy = f'a table names it: [grid.{name}] NAME = {{ {_NAMES.get(name, "KEY")} = "..." }}'
            raise ValueError(f"grid.{name}: {error}; {remedy}") from error
    return levels


def check_axes(grid: Mapping[str, Axis], leave_out: Sequence[Mapping[str, str]]) -> None:
    """Make sure that a grid has cells, each with a name and settings of its own.

    Raises:
        ValueError: it has not.
    """
    levels = {name: axis_levels(name, axis) for name, axis in grid.items()}
    for left in leave_out:
        if not left:
            raise ValueError("leave_out: expected a level on some axis, got none")
        for name, level in left.items():
            if level not in levels.get(name, {}):
                expected = one_of(levels.get(name, levels), level if name in levels else name)
                raise ValueError(f"leave_out: expected {expected}, got {name} = {level!r}")
    setters: dict[str, str] = {}
    for name, axis in levels.items():
        for key in {key for settings in axis.values() for key in settings}:
            if (other := setters.setdefault(key, name)) != name:
                raise ValueError(f"grid: expected {key} to be set by one axis, got {other} and {name}")
    number = 1
    for axis in levels.values():
        number *= len(axis)
    if number > _MOST_CELLS:
        raise ValueError(f"grid: expected at most {_MOST_CELLS:,} cells, got {number:,}")
    cells = grid_cells(grid, leave_out)
    if grid and not cells:
        raise ValueError("leave_out: expected some cells of the grid to be left, got none")
    for cell in cells:
        arm_name(cell)


def grid_cells(grid: Mapping[str, Axis], leave_out: Sequence[Mapping[str, str]]) -> dict[str, GridCell]:
    """The cells by name: their levels on the axes that have several, joined; the first axis varies slowest."""
    if not grid:
        return {}
    axes = {name: axis_levels(name, axis) for name, axis in grid.items()}
    named = [name for name, levels in axes.items() if len(levels) > 1] or [next(iter(axes))]
    found: dict[str, GridCell] = {}
    for chosen in product(*axes.values()):
        levels = dict(zip(axes, chosen, strict=True))
        if any(left.items() <= levels.items() for left in leave_out):
            continue
        settings = {key: value for name, level in levels.items() for key, value in axes[name][level].items()}
        found[_JOINT.join(levels[name] for name in named)] = GridCell(levels, settings)
    return found


def keys_of(name: str, axis: Axis) -> frozenset[str]:
    """The settings in which the levels of an axis may differ."""
    return frozenset(key for settings in axis_levels(name, axis).values() for key in settings)


def has_own_tasks(name: str, axis: Axis) -> bool:
    """Whether the levels of an axis are worlds, or other tasks."""
    return not _OF_TASKS.isdisjoint(keys_of(name, axis))
