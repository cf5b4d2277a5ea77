"""Which cells of a grid are not compared, since they meet other conditions than the first cell of their world."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from quintet.reports.load import condition_difference
from quintet.runs.record import RunRecord
from quintet.studies.axes import has_own_tasks, keys_of
from quintet.studies.definition import Study


class Incomparable(NamedTuple):
    """Cells that are not compared with the first one of their world."""

    key: str
    """The first condition in which they differ."""
    first: str
    """The name of the first cell."""
    theirs: str
    """The condition's value there."""
    ours: str
    cells: tuple[str, ...]
    """Their names."""


class GridConditions:
    """The axes of a grid, and what its cells have in common, by their names and records.

    Args:
        study: its definition.
        levels: by the name of each cell, in order, its level on each axis.
    """

    def __init__(self, study: Study, levels: Mapping[str, Mapping[str, str]]) -> None:
        self._levels = levels
        self._keys = {axis: keys_of(axis, levels) for axis, levels in study.grid.items()}
        axes = dict.fromkeys(axis for its in levels.values() for axis in its)
        found = {axis: tuple(dict.fromkeys(its[axis] for its in levels.values())) for axis in axes}
        self.axes = {axis: at for axis, at in found.items() if len(at) > 1}
        """The levels of each axis with several, in order."""
        self.worlds = tuple(axis for axis in self.axes if axis in study.grid and has_own_tasks(axis, study.grid[axis]))
        """Those whose levels have tasks of their own."""

    def incomparable(self, records: Mapping[str, RunRecord]) -> list[Incomparable]:
        """The cells, among those with a record, that meet other conditions than the first one of their world."""
        firsts: dict[tuple[str, ...], str] = {}
        found: dict[tuple[str, str, str, str], list[str]] = {}
        for name in self._levels:
            if name in records:
                first = firsts.setdefault(tuple(self._levels[name][axis] for axis in self.worlds), name)
                if (differs := self.difference(first, name, records)) is not None:
                    key, theirs, ours = differs
                    found.setdefault((key, first, theirs, ours), []).append(name)
        return [Incomparable(*differs, tuple(cells)) for differs, cells in found.items()]

    def difference(self, first: str, other: str, records: Mapping[str, RunRecord]) -> tuple[str, str, str] | None:
        """The first condition in which two cells differ, but for what their axes set and their seeds."""
        ours, theirs = records[first], records[other]
        mine, its = (record.configuration.environment.name for record in (ours, theirs))
        if mine != its:  # they may name their tasks alike
            return "environment.name", mine, its
        axes = [axis for axis in self._keys if self._levels[first][axis] != self._levels[other][axis]]
        but = ["run.seed", *(key for axis in axes for key in self._keys[axis])]
        if any(key.startswith("environment.") for key in but):  # which a world's version may name
            but.append(f"version of {ours.configuration.environment.name}")
        if (found := condition_difference(ours, theirs, but=but)) is not None:
            return found
        # Options that an axis sets may make other tasks under the same names.
        for part in dict.fromkeys((*ours.content, *theirs.content)):
            mine, its = ours.content.get(part, "none"), theirs.content.get(part, "none")
            if mine != its:
                return part, mine, its
        return None

    def label(self, cells: Collection[str]) -> str:
        """Cells as a note names them: by the levels that have them all and no others, or else each by itself."""
        chosen = set(cells)
        if len(chosen) == len(self._levels):
            return "all"
        for axis, levels in self.axes.items():
            at = {level: {name for name, its in self._levels.items() if its[axis] == level} for level in levels}
            whole = [level for level in levels if at[level] and at[level] <= chosen]
            if chosen == set[str]().union(*(at[level] for level in whole)):
                return ", ".join(whole)
        return ", ".join(cells)

    def notes(self, records: Mapping[str, RunRecord]) -> Iterator[str]:
        """Which cells are not compared, and what would make them comparable, each in one line."""
        for each in self.incomparable(records):
            remedy = ""
            if each.key.startswith(("environment.", "run.")):
                at = [f"{self._levels[each.first][axis]} of [grid.{axis}]" for axis in self.worlds]
                where = f"{each.key} set by the level {at[0]}" if at else f"--set {each.key}=..."
                remedy = f"; {where} gives all the same"
            differs = f"{each.key} is {each.theirs} in {each.first}, {each.ours} in {self.label(each.cells)}"
            yield f"not compared: {differs}{remedy}"
