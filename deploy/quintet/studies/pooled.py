"""Arms whose tasks are counted together as one row: success by a label of the tasks, and what a question cost."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from quintet.quota.cost import total
from quintet.reports.exports import cost_content, estimate_content
from quintet.reports.intervals import Estimate
from quintet.reports.learning.tables import TaskCost, cost_row, costs_table, task_costs
from quintet.reports.load import RunReport
from quintet.reports.rows import TaskResult
from quintet.reports.summary import group_by, heading, rate_of, scores, shares, tasks_of
from quintet.reports.text_tables import TextTable, percent, plural

_Rows: TypeAlias = Mapping[str, Sequence[RunReport]]
"""By the name of a row, its arms that have begun, which are reported together."""


def pooled_tables(
    rows: Mapping[str, Sequence[str]], arms: Mapping[str, RunReport], label: str
) -> tuple[list[TextTable], dict[str, Any]]:
    """Success by a label and costs, of the rows with an arm that has begun; and the same for programs."""
    begun = {name: [arms[arm] for arm in members if arm in arms] for name, members in rows.items()}
    found = {name: runs for name, runs in begun.items() if runs}
    values = ["", *_values(found, label)]
    costs = costs_table([cost_row(name, *joint_costs(runs)) for name, runs in found.items()])
    content = [_content(name, runs, values, label) for name, runs in found.items()]
    return [_success(found, values, label), costs], {"rows": content}


def _values(rows: _Rows, label: str) -> list[str]:
    """The values of a label, in the world's order: all that it declares, and others that tasks have."""
    runs = [run for row in rows.values() for run in row]
    found = dict.fromkeys(value for run in runs for value in tasks_of(run.results).labels.get(label, ()))
    found |= {value: None for run in runs for value in group_by(label, run.results.tasks, tasks_of(run.results))}
    return list(found)


def _success(rows: _Rows, values: Sequence[str], label: str) -> TextTable:
    cells: list[tuple[str, ...]] = []
    for name, runs in rows.items():
        ended = len(shares(_tasks(runs, label, "")))
        cells.append((name, str(ended), *(percent(joint_rate(runs, label, value)) for value in values)))
    headings: list[str] = []
    for value in values:
        tasks = {each.task.name for runs in rows.values() for each in _tasks(runs, label, value)}
        headings.append(f"{heading((label, value) if value else ('', ''))}\n{plural(len(tasks), 'task')}")
    return TextTable("Success in percent (95 % interval)", ("", "n", *headings), tuple(cells))


def joint_rate(runs: Sequence[RunReport], label: str = "", value: str = "") -> Estimate | None:
    """Success of runs on the tasks with a value; without a value, on all tasks. None: no episode ended."""
    tasks = _tasks(runs, label, value)
    return rate_of(shares(tasks), tasks)


def joint_score(runs: Sequence[RunReport], label: str = "", value: str = "") -> Estimate | None:
    """The mean reward of runs on the tasks with a value; without a value, on all tasks. None: no episode ended."""
    tasks = _tasks(runs, label, value)
    return rate_of(scores(tasks), tasks)


def _tasks(runs: Sequence[RunReport], label: str, value: str) -> list[TaskResult]:
    return [each for run in runs for each in run.results.tasks if value in ("", each.task.metadata.get(label))]


def joint_costs(runs: Sequence[RunReport]) -> tuple[TaskCost, TaskCost]:
    """What runs cost together, in training and in inference."""
    training, inference = zip(*(task_costs(run) for run in runs), strict=True)
    return _sum(training), _sum(inference)


def _sum(parts: Sequence[TaskCost]) -> TaskCost:
    return TaskCost(total(part.cost for part in parts), sum(part.tasks for part in parts))


def _content(name: str, runs: Sequence[RunReport], values: Sequence[str], label: str) -> dict[str, Any]:
    training, inference = joint_costs(runs)
    rates = {value or "all": joint_rate(runs, label, value) for value in values}
    return {
        "row": name,
        "success": {value: estimate_content(found) for value, found in rates.items()},
        "training": {**cost_content(training.cost), "tasks": training.tasks},
        "inference": {**cost_content(inference.cost), "tasks": inference.tasks},
    }
