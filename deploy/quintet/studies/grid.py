"""What a grid comes to: its cells, paired tests within each world and model, and the effect of each axis."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from statistics import fmean
from typing import NamedTuple, TypeAlias

from quintet.reports.intervals import Estimate, difference, rate
from quintet.reports.load import condition_difference
from quintet.reports.rows import TaskResult
from quintet.reports.summary import paired_episodes, stepless
from quintet.studies.axes import has_own_tasks, keys_of
from quintet.studies.cells import StudyCell, StudyMatrix
from quintet.studies.comparison import discordant, holm, sign_flip_test
from quintet.studies.definition import Study

_Task: TypeAlias = tuple[str, str]
"""A task: its environment, and its name. In cells with other seeds, or a part of the tasks, it is the same."""


class PairedCells(NamedTuple):
    """Success of cells less that of others that differ on one axis, on the episodes that ended in both."""

    tasks: int
    points: Estimate
    only_ours: int
    """Episodes, by task, seed and epoch, in which only ours succeeded."""
    only_theirs: int
    p: float


class CellTest(NamedTuple):
    """A cell beside the one at the first level of the compared axis, at the same levels of all others."""

    ours: StudyCell
    theirs: StudyCell
    paired: PairedCells
    corrected: float
    """The p-value, corrected for the number of tests of the grid."""


class LevelEffect(NamedTuple):
    """A level of an axis, over the cells at it."""

    axis: str
    level: str
    tasks: int
    success: Estimate | None
    """Over the combinations of the other axes that every level has a result at."""
    paired: PairedCells | None
    """Beside the first level, over the combinations that both have; None: it is the first, or no task is in both."""
    corrected: float | None
    """The p-value, corrected for the number of effects of the grid."""


class Incomparable(NamedTuple):
    """Cells that are not compared with the first one of their world, since they met other conditions."""

    key: str
    """The first condition in which they differ."""
    theirs: str
    """Its value in the first cell."""
    ours: str
    cells: tuple[StudyCell, ...]


class Grid:
    """The results of a grid.

    Args:
        study: its definition.
        matrix: its cells.
    """

    def __init__(self, study: Study, matrix: StudyMatrix) -> None:
        self.cells = matrix.cells
        self.axes = {axis: levels for axis, levels in matrix.axes.items() if len(levels) > 1}
        """Those with several levels."""
        self.worlds = tuple(axis for axis in self.axes if axis in study.grid and has_own_tasks(axis, study.grid[axis]))
        """Those whose levels have tasks of their own."""
        self.compared = next((axis for axis in self.axes if axis not in self.worlds), None)
        """The axis whose levels are tested within each combination of the others: the first that is not of worlds."""
        self._environments = {name: cell.settings.get("environment.name", "") for name, cell in study.cells.items()}
        """By the names of cells, what the grid sets."""
        self._keys = {axis: keys_of(axis, levels) for axis, levels in study.grid.items()}
        self._order = list(matrix.axes)
        self._by_levels = {cell.levels: cell for cell in matrix.cells}

    def level(self, cell: StudyCell, axis: str) -> str:
        """The level of a cell on an axis."""
        return cell.levels[self._order.index(axis)]

    def at(self, cell: StudyCell, axis: str, level: str) -> StudyCell | None:
        """The cell at another level of an axis; None: it was left out."""
        place = self._order.index(axis)
        return self._by_levels.get((*cell.levels[:place], level, *cell.levels[place + 1 :]))

    def world(self, cell: StudyCell) -> tuple[str, ...]:
        """The levels of a cell on the axes of worlds."""
        return tuple(self.level(cell, axis) for axis in self.worlds)

    @cached_property
    def tests(self) -> list[CellTest]:
        """Each level of the compared axis beside its first one, within each combination of the other axes."""
        if self.compared is None:
            return []
        first = self.axes[self.compared][0]
        found: list[tuple[StudyCell, StudyCell, PairedCells]] = []
        for theirs in self.cells:
            if self.level(theirs, self.compared) == first:
                for level in self.axes[self.compared][1:]:
                    ours = self.at(theirs, self.compared, level)
                    if ours is not None and (paired := self._paired([(ours, theirs)])) is not None:
                        found.append((ours, theirs, paired))
        corrected = holm([paired.p for _, _, paired in found])
        return [CellTest(*each, p) for each, p in zip(found, corrected, strict=True)]

    @cached_property
    def effects(self) -> list[LevelEffect]:
        """The levels of every axis with several."""
        found = [self._effect(axis, level) for axis, levels in self.axes.items() for level in levels]
        corrected = iter(holm([each.paired.p for each in found if each.paired is not None]))
        return [each if each.paired is None else each._replace(corrected=next(corrected)) for each in found]

    def _effect(self, axis: str, level: str) -> LevelEffect:
        first, *_ = levels = self.axes[axis]
        there = [cell for cell in self.cells if self.level(cell, axis) == level]
        complete = [
            cell
            for cell in there
            if all((other := self.at(cell, axis, each)) is not None and other.success is not None for each in levels)
        ]
        success = self._success(complete)
        pairs = [(cell, theirs) for cell in there if (theirs := self.at(cell, axis, first)) is not None]
        paired = None if level == first else self._paired(pairs)
        tasks = {self._task(cell, task.task.name) for cell in complete for task in _tasks(cell)}
        return LevelEffect(axis, level, len(tasks), success, paired, None)

    def _success(self, cells: Sequence[StudyCell]) -> Estimate | None:
        """Of each task of each environment, the mean over cells, seeds and epochs; None: no episode ended."""
        shares: dict[_Task, list[float]] = {}
        for cell in cells:
            for task in _tasks(cell):
                shares.setdefault(self._task(cell, task.task.name), []).append(task.succeeded / task.ended)
        if not shares:
            return None
        return rate([fmean(found) for found in shares.values()])._replace(
            stepless=stepless(chain.from_iterable(map(_tasks, cells)))
        )

    def _paired(self, pairs: Iterable[tuple[StudyCell, StudyCell]]) -> PairedCells | None:
        """Pair cells by task, seed and epoch; None if none ended in both, under the same conditions."""
        episodes: dict[_Task, list[tuple[bool, bool]]] = {}
        sides: tuple[list[TaskResult], list[TaskResult]] = ([], [])
        for ours, theirs in pairs:
            if ours.run is None or theirs.run is None or self._differs(theirs, ours) is not None:
                continue
            for side, cell in zip(sides, (ours, theirs), strict=True):
                side += _tasks(cell)
            for task, both in paired_episodes(_tasks(ours), _tasks(theirs)).items():
                episodes.setdefault(self._task(ours, task), []).extend(both)
        if not episodes:
            return None
        found = discordant(episodes.values())
        return PairedCells(
            len(episodes),
            difference([*episodes.values()])._replace(stepless=any(map(stepless, sides))),
            sum(mine for mine, _ in found),
            sum(its for _, its in found),
            sign_flip_test([mine - its for mine, its in found]),
        )

    def _task(self, cell: StudyCell, name: str) -> _Task:
        return self._environments.get(cell.name, ""), name

    @cached_property
    def incomparable(self) -> list[Incomparable]:
        """The cells that met other conditions than the first one of their world."""
        firsts: dict[tuple[str, ...], StudyCell] = {}
        found: dict[tuple[str, str, str], list[StudyCell]] = {}
        for cell in self.cells:
            if cell.run is not None:
                first = firsts.setdefault(self.world(cell), cell)
                if (differs := self._differs(first, cell)) is not None:
                    found.setdefault(differs, []).append(cell)
        return [Incomparable(*differs, tuple(cells)) for differs, cells in found.items()]

    def _differs(self, first: StudyCell, other: StudyCell) -> tuple[str, str, str] | None:
        """The first condition in which two cells with results differ, but for what their axes set and their seeds."""
        if first.run is None or other.run is None:
            return None
        mine, its = self._environments.get(first.name, ""), self._environments.get(other.name, "")
        if mine != its:  # they may name their tasks alike
            return "environment.name", mine, its
        axes = [axis for axis in self._keys if self.level(first, axis) != self.level(other, axis)]
        but = ["run.seed", *(key for axis in axes for key in self._keys[axis])]
        ours, theirs = first.run.summary.record, other.run.summary.record
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

    def name(self, cells: Sequence[StudyCell]) -> str:
        """Cells as a note names them: by the levels that have them all and no others, or else each by itself."""
        chosen = {cell.name for cell in cells}
        if len(chosen) == len(self.cells):
            return "all"
        for axis, levels in self.axes.items():
            at = {level: {cell.name for cell in self.cells if self.level(cell, axis) == level} for level in levels}
            whole = [level for level in levels if at[level] and at[level] <= chosen]
            if chosen == set[str]().union(*(at[level] for level in whole)):
                return ", ".join(whole)
        return ", ".join(cell.name for cell in cells)

    def panels(self) -> Iterator[tuple[Mapping[str, str], list[StudyCell]]]:
        """The cells of each combination of all axes but the compared one, with its levels."""
        others = [axis for axis in self.axes if axis != self.compared]
        found: dict[tuple[str, ...], list[StudyCell]] = {}
        for cell in self.cells:
            found.setdefault(tuple(self.level(cell, axis) for axis in others), []).append(cell)
        for levels in product(*(self.axes[axis] for axis in others)):
            if levels in found:
                yield dict(zip(others, levels, strict=True)), found[levels]


def _tasks(cell: StudyCell) -> list[TaskResult]:
    return [] if cell.run is None else [task for task in cell.run.results.tasks if task.ended]
