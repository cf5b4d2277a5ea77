"""What was learnt on some tasks, used on others: the difference to what was not given it, as a matrix."""

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

from quintet.config.settings import flatten
from quintet.ports.world import TASK_TYPE
from quintet.reports.exports import estimate_content
from quintet.reports.load import RunReport
from quintet.reports.notes import assumptions
from quintet.reports.rows import TaskResult
from quintet.reports.summary import Difference, differences, group_by, heading, paired_episodes, tasks_of
from quintet.reports.text_tables import NONE, TextTable, percent, percentage_points, plural
from quintet.studies.definition import Study, TransferFindings
from quintet.studies.exact_tests import discordant, holm, sign_flip_test

_SIGNIFICANT = 0.05


class TransferCell(NamedTuple):
    """What one arm was given, on the tasks of one column."""

    row: str
    """The arm."""
    column: str
    """A value of the label; empty: all tasks."""
    difference: Difference
    p: float
    corrected: float
    """The same, corrected for the number of cells."""
    same: bool
    """Whether it was learnt on tasks of that value."""


class Transfer:
    """The matrix of a study: a row for each arm that is given something, a column for each value of a label.

    Args:
        study: its definition.
        findings: of the study.
        arms: its runs that have begun, by arm.
    """

    def __init__(self, study: Study, findings: TransferFindings, arms: Mapping[str, RunReport]) -> None:
        self.label = findings.label
        self.reference = arms.get(study.reference)
        self.rows = {arm: arms[arm] for arm in study.given if arm in arms}
        self._learnt_on = {
            arm: dict(flatten(study.arms[learner])).get("run.task_type") for arm, learner in study.given.items()
        }
        self.runs = (*([] if self.reference is None else [self.reference]), *self.rows.values())
        """Those of its rows, after the reference."""
        self.columns = _values(self.runs, self.label)
        self.cells = {(cell.row, cell.column): cell for cell in self._cells()}

    def _cells(self) -> list[TransferCell]:
        if self.reference is None:
            return []
        found: list[TransferCell] = []
        for arm, run in self.rows.items():
            by_group = differences(run.results, self.reference.results)
            for column in ("", *self.columns):
                group = (self.label, column) if column else ("", "")
                if group in by_group:
                    p = self._p(run, self.reference, column)
                    same = self.label == TASK_TYPE and column == self._learnt_on.get(arm)
                    found.append(TransferCell(arm, column, by_group[group], p, 1.0, same))
        corrected = holm([cell.p for cell in found])
        return [cell._replace(corrected=p) for cell, p in zip(found, corrected, strict=True)]

    def _p(self, ours: RunReport, theirs: RunReport, column: str) -> float:
        pairs = paired_episodes(self._tasks(ours, column), self._tasks(theirs, column))
        return sign_flip_test([mine - its for mine, its in discordant(pairs.values())])

    def _tasks(self, run: RunReport, column: str) -> Sequence[TaskResult]:
        tasks = run.results.tasks
        return group_by(self.label, tasks, tasks_of(run.results)).get(column, ()) if column else tasks


def _values(runs: Sequence[RunReport], label: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for run in runs for value in run.summary.groups.get(label, {})))


def transfer_table(transfer: Transfer) -> TextTable:
    """The success of the reference, and below it the differences."""
    groups = [("", ""), *((transfer.label, value) for value in transfer.columns)]
    reference = transfer.reference
    rows: list[tuple[str, ...]] = []
    if reference is not None:
        summary = reference.summary
        rows.append((reference.label, *(percent(summary.share_of(group).success) for group in groups)))
    for arm, run in transfer.rows.items():
        rows.append((run.label, *(_cell(transfer.cells.get((arm, value))) for _, value in groups)))
    headings = [heading(group) + _number(transfer, group[1]) for group in groups]
    title = (
        "Success less that without, in percentage points, paired by task (95 % interval; = learnt on that, * p < 0.05 "
        f"after Holm over {len(transfer.cells)}); first row: success in percent"
    )
    return TextTable(title, ("learnt on", *headings), tuple(rows))


def _number(transfer: Transfer, value: str) -> str:
    tasks = {cell.difference.tasks for cell in transfer.cells.values() if cell.column == value}
    return f"\n{plural(min(tasks), 'task')}" if len(tasks) == 1 else ""


def _cell(cell: TransferCell | None) -> str:
    if cell is None:
        return NONE
    marks = "=" * cell.same + "*" * (cell.corrected < _SIGNIFICANT)
    return " ".join(filter(None, (percentage_points(cell.difference.points), marks)))


def transfer_notes(transfer: Transfer) -> Iterator[str]:
    """What figures depend on, and which test the p-values are of."""
    yield from assumptions(run.summary.record for run in transfer.rows.values())
    yield "p: exact test that flips the signs of tasks' differences, two-sided; a task's seeds are one observation"


def transfer_content(transfer: Transfer) -> dict[str, Any]:
    """The same for programs."""
    return {
        "label": transfer.label,
        "transfer": [
            {
                "arm": cell.row,
                "value": cell.column or None,
                "learnt_on_it": cell.same,
                "tasks": cell.difference.tasks,
                "difference": estimate_content(cell.difference.points),
                "p": cell.p,
                "p_holm": cell.corrected,
            }
            for cell in transfer.cells.values()
        ],
    }


def draw_transfer(axes: Any, transfer: Transfer) -> None:
    """Draw the matrix: a colour for each difference, which is written in it; what has none is left out."""
    rows, columns = list(transfer.rows), list(transfer.columns)
    shown = [[_percent(transfer.cells.get((row, column))) for column in columns] for row in rows]
    if rows and columns:
        axes.imshow(shown, cmap="RdBu", vmin=-100, vmax=100, aspect="auto")
    for (row, column), cell in transfer.cells.items():
        if column:
            place = columns.index(column), rows.index(row)
            axes.text(*place, _cell(cell).replace(" (", "\n("), ha="center", va="center", fontsize="x-small")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel=f"used on {transfer.label}", ylabel="learnt on")


def _percent(cell: TransferCell | None) -> float:
    return nan if cell is None else 100 * cell.difference.points.value
