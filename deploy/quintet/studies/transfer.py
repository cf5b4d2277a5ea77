"""What was learnt on some tasks, used on others: the difference to what was not given it, as a matrix."""

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.reports.exports import estimate_content
from quintet.reports.intervals import Estimate
from quintet.reports.load import Comparison, RunReport, comparisons
from quintet.reports.notes import assumptions
from quintet.reports.rows import TaskResult
from quintet.reports.summary import (
    Difference,
    TaskGroup,
    group_by,
    heading,
    paired_episodes,
    tasks_of,
)
from quintet.reports.text_tables import NONE, TextTable, percent, percentage_points, plural
from quintet.studies.definition import Study, TransferFindings
from quintet.studies.exact_tests import discordant, holm, sign_flip_test

_SIGNIFICANT = 0.05


_WITHOUT = ""
"""The row of the arms that the others are compared with."""


class TransferCell(NamedTuple):
    """What one arm was given, on the tasks of one column."""

    row: str
    """The arm; by splits or worlds, the arm that learnt it, with its control."""
    column: str
    """A value of the label; empty: all tasks."""
    arm: str
    difference: Difference
    p: float
    corrected: float
    """The same, corrected for the number of cells."""
    same: bool
    """Whether it was learnt on tasks of that value."""


def place_arms(study: Study, findings: TransferFindings, arms: Mapping[str, RunConfig]) -> dict[str, dict[str, str]]:
    """The arms of a matrix by splits or worlds, by row and column.

    Raises:
        UsageError: two arms have the same place.
    """
    rows: dict[str, dict[str, str]] = {_WITHOUT: {}}
    for arm, config in arms.items():
        has_own = config.memory is not None or config.method.plan is not None
        if config.run.learn or (has_own and arm not in study.given):
            continue
        control = [study.controls[arm]] if arm in study.controls else []
        row, column = " ".join([study.given.get(arm, _WITHOUT), *control]), findings.value_of(config)
        if (other := rows.setdefault(row, {}).setdefault(column, arm)) != arm:
            what = f"that is given what {row} learns" if row else "without anything given"
            raise UsageError(f"findings: expected one arm {what} in {column}, got {other} and {arm}")
    return rows


def refuse_unpaired(study: Study, findings: TransferFindings, arms: Mapping[str, RunConfig]) -> None:
    """Refuse an arm without another to be compared with in its column; also raises as `place_arms`."""
    rows = place_arms(study, findings, arms)
    for column, arm in (place for row in rows.values() for place in row.items()):
        if column not in rows[_WITHOUT]:
            raise UsageError(f"findings: expected an arm without anything given in {column}, as {arm} is, got none")


class Transfer:
    """The matrix of a study: a row for what each arm is given, or each learns, and a column for each value of a label.

    Args:
        study: its definition.
        findings: of the study.
        arms: its runs that have begun, by arm.
    """

    def __init__(self, study: Study, findings: TransferFindings, arms: Mapping[str, RunReport]) -> None:
        self.findings = findings
        self._arms = arms
        self._learners = study.given
        if findings.is_of_arms:
            rows = place_arms(study, findings, {arm: run.summary.record.configuration for arm, run in arms.items()})
            self.references, self.rows = rows.pop(_WITHOUT), rows
            self.columns = tuple(dict.fromkeys(column for row in (self.references, *rows.values()) for column in row))
        else:
            names = [arm for arm in (study.reference, *study.given) if arm in arms]
            self.columns = ("", *_values([arms[arm] for arm in names], findings.label))
            rows = {arm: dict.fromkeys(self.columns, arm) for arm in names}
            self.references, self.rows = rows.pop(study.reference, {}), rows
        shown = dict.fromkeys(arm for row in (self.references, *self.rows.values()) for arm in row.values())
        self.runs = tuple(arms[arm] for arm in shown)
        """Those of its rows, after the references."""
        self.compared: dict[tuple[str, str], Comparison] = {}
        """Each arm that is given something and its reference, if they have tasks in common."""
        for column, arm in (place for row in self.rows.values() for place in row.items()):
            pair = arm, self.references.get(column, "")
            if column in self.references and pair not in self.compared:
                runs = [arms[each] for each in pair]
                for found in comparisons(runs, runs[1].label):
                    self.compared[pair] = found
        self.cells = {(cell.row, cell.column): cell for cell in self._cells()}

    def success(self, column: str) -> Estimate | None:
        """That of the reference."""
        arm = self.references.get(column)
        return None if arm is None else self._arms[arm].summary.share_of(self._group(column)).success

    def _group(self, column: str) -> TaskGroup:
        """The tasks of an arm that are in a column."""
        return (self.findings.label, column) if column and not self.findings.is_of_arms else ("", "")

    def _cells(self) -> list[TransferCell]:
        found: list[TransferCell] = []
        for row, arms in self.rows.items():
            for column, arm in arms.items():
                pair, group = (arm, self.references.get(column, "")), self._group(column)
                if (compared := self.compared.get(pair)) is not None and group in compared.differences:
                    p, same = self._p(*pair, group), column != "" and column == self._learnt_on(arm)
                    found.append(TransferCell(row, column, arm, compared.differences[group], p, 1.0, same))
        corrected = holm([cell.p for cell in found])
        return [cell._replace(corrected=p) for cell, p in zip(found, corrected, strict=True)]

    def _p(self, ours: str, theirs: str, group: TaskGroup) -> float:
        pairs = paired_episodes(_tasks(self._arms[ours], group), _tasks(self._arms[theirs], group))
        return sign_flip_test([mine - its for mine, its in discordant(pairs.values())])

    def _learnt_on(self, arm: str) -> str | None:
        learner = self._arms.get(self._learners[arm])
        return None if learner is None else self.findings.learnt_on(learner.summary.record.configuration)


def _tasks(run: RunReport, group: TaskGroup) -> Sequence[TaskResult]:
    (label, value), tasks = group, run.results.tasks
    return group_by(label, tasks, tasks_of(run.results)).get(value, ()) if label else tasks


def _values(runs: Sequence[RunReport], label: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for run in runs for value in run.summary.groups.get(label, {})))


def transfer_table(transfer: Transfer) -> TextTable:
    """The success of the reference, and below it the differences."""
    rows: list[tuple[str, ...]] = []
    if transfer.references:
        name = "none" if transfer.findings.is_of_arms else transfer.runs[0].label
        rows.append((name, *(percent(transfer.success(column)) for column in transfer.columns)))
    rows += [(row, *(_cell(transfer.cells.get((row, column))) for column in transfer.columns)) for row in transfer.rows]
    headings = [_heading(transfer, column) + _number(transfer, column) for column in transfer.columns]
    title = (
        "Success less that without, in percentage points, paired by task (95 % interval; = learnt on that, * p < 0.05 "
        f"after Holm over {len(transfer.cells)}); first row: success in percent"
    )
    return TextTable(title, ("learnt on", *headings), tuple(rows))


def _heading(transfer: Transfer, column: str) -> str:
    return heading((transfer.findings.label, column) if column else ("", ""))


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
    yield from assumptions(run.summary.record for run in transfer.runs)
    yield "p: exact test that flips the signs of tasks' differences, two-sided; a task's seeds are one observation"


def transfer_content(transfer: Transfer) -> dict[str, Any]:
    """The same for programs."""
    return {
        "label": transfer.findings.label,
        "transfer": [
            {
                "row": cell.row,
                "arm": cell.arm,
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
    rows, columns = list(transfer.rows), [column for column in transfer.columns if column]
    shown = [[_percent(transfer.cells.get((row, column))) for column in columns] for row in rows]
    if rows and columns:
        axes.imshow(shown, cmap="RdBu", vmin=-100, vmax=100, aspect="auto")
    for (row, column), cell in transfer.cells.items():
        if column:
            place = columns.index(column), rows.index(row)
            axes.text(*place, _cell(cell).replace(" (", "\n("), ha="center", va="center", fontsize="x-small")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel=f"used on {transfer.findings.label}", ylabel="learnt on")


def _percent(cell: TransferCell | None) -> float:
    return nan if cell is None else 100 * cell.difference.points.value
