"""What a grid comes to: its cells, paired tests within each world and model, and the effect of each axis."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from statistics import fmean
from typing import NamedTuple, TypeAlias

from quintet.reports.intervals import Estimate, difference, rate
from quintet.reports.rows import TaskResult, stepless
from quintet.reports.summary import paired_episodes
from quintet.runs.record import RunRecord
from quintet.studies.cells import StudyCell, StudyMatrix
from quintet.studies.conditions import GridConditions
from quintet.studies.definition import Study
from quintet.studies.exact_tests import discordant, holm, sign_flip_test

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


class Grid:
    """The results of a grid.

    Args:
        study: its definition.
        matrix: its cells.
    """

    def __init__(self, study: Study, matrix: StudyMatrix) -> None:
        self.cells = matrix.cells
        levels = {cell.name: dict(zip(matrix.axes, cell.levels, strict=True)) for cell in matrix.cells}
        self.conditions = GridConditions(study, levels)
        self.axes = self.conditions.axes
        self.worlds = self.conditions.worlds
        self.compared = next((axis for axis in self.axes if axis not in self.worlds), None)
        """The axis whose levels are tested within each combination of the others: the first that is not of worlds."""
        self._environments = {name: cell.settings.get("environment.name", "") for name, cell in study.cells.items()}
        """By the names of cells, what the grid sets."""
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
            if not {ours.name, theirs.name} <= self.records.keys():
                continue
            if self.conditions.difference(theirs.name, ours.name, self.records) is not None:
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
    def records(self) -> Mapping[str, RunRecord]:
        """By the name of each cell with results, the record of the first of its runs."""
        return {cell.name: cell.run.summary.record for cell in self.cells if cell.run is not None}

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
