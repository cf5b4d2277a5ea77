"""The summary of a run: success with its interval, overall and by the tasks' metadata, claims, and what it cost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import TypeAlias

from quintet.config.tasks import TASK_TYPE
from quintet.journal.reader import Spending
from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate, difference, rate
from quintet.reports.published import PaperRow, published_figures
from quintet.reports.rows import TaskRow
from quintet.reports.world_tasks import WorldTasks, world_tasks
from quintet.runs.record import RunRecord

TaskGroup: TypeAlias = tuple[str, str]
"""A label of the tasks' metadata and its value; ("", "") for all tasks."""


def heading(group: TaskGroup) -> str:
    """The heading of a group's column."""
    label, value = group
    if label == TASK_TYPE:
        return value  # it says so itself
    return f"{label} {value}" if label else "all"


@dataclass(frozen=True)
class TaskShare:
    """How a group of tasks went. Faulted and unfinished episodes are not counted."""

    tasks: int
    success: Estimate | None
    """None if no episode ended."""
    depth: float | None
    """Mean recursion level of the episodes that succeeded; None if none did."""
    succeeded: int
    """Episodes."""


@dataclass(frozen=True)
class Claims:
    """Success as models claim it and as rewards show it. Faulted and unfinished episodes are not counted."""

    claimed: Estimate | None
    """An episode without a claim claims no success. None if no episode made a claim."""
    earned: Estimate | None
    """None if no episode ended."""
    unclaimed: int
    """Episodes without a claim."""
    ended: int
    """Episodes in all."""


@dataclass(frozen=True)
class Summary:
    """A report's figures for one run."""

    record: RunRecord
    overall: TaskShare
    groups: Mapping[str, Mapping[str, TaskShare]]
    """By label and its value, in the world's order."""
    claims: Claims
    ended: int
    faulted: int
    unfinished: int
    """Begun and not ended, or not begun."""
    spent: Spending
    """Over all attempts, those of faulted episodes too."""
    seconds: float
    """Sum of the episodes' wall times."""
    published: tuple[PaperRow, ...]
    """What papers print for the same experiment."""

    def share_of(self, group: TaskGroup) -> TaskShare | None:
        """How the tasks of a group went; None if the run has none."""
        label, value = group
        return self.groups.get(label, {}).get(value) if label else self.overall


def summarise(results: RunResults) -> Summary:
    """Summarise a run, also one that is unfinished."""
    record = results.folder.record
    rows, order = [row for row in results.rows if row.ended], tasks_of(results)
    return Summary(
        record=record,
        overall=_share(rows),
        groups={
            label: {value: _share(group) for value, group in group_by(label, rows, order).items()}
            for label in labels(results.rows)
        },
        claims=_claims(rows),
        ended=len(rows),
        faulted=results.count("faulted"),
        unfinished=results.count("unfinished", "not begun"),
        spent=results.spent,
        seconds=sum(row.seconds for row in results.rows),
        published=published_figures(record),
    )


def labels(rows: Iterable[TaskRow]) -> tuple[str, ...]:
    """The keys of metadata by which rows can be grouped."""
    return tuple(dict.fromkeys(label for row in rows for label in row.metadata))


def group_by(label: str, rows: Iterable[TaskRow], tasks: WorldTasks) -> dict[str, list[TaskRow]]:
    """Rows by the value of a label, in the world's order."""
    groups: dict[str, list[TaskRow]] = {}
    for row in rows:
        groups.setdefault(row.metadata.get(label, ""), []).append(row)
    return {value: groups[value] for value in sorted(groups, key=partial(tasks.order, label))}


def tasks_of(results: RunResults) -> WorldTasks:
    """The `tasks.toml` of the run's world."""
    return world_tasks(results.folder.record.configuration.environment.name)


def shares(rows: Iterable[TaskRow], succeeded: Callable[[TaskRow], bool] = lambda row: row.success) -> dict[str, float]:
    """By task, the share of its ended epochs that succeeded.

    Args:
        rows: the episodes.
        succeeded: whether an episode did; by default by its reward.
    """
    epochs: dict[str, list[float]] = {}
    for row in rows:
        if row.ended:
            epochs.setdefault(row.task, []).append(float(succeeded(row)))
    return {task: fmean(successes) for task, successes in epochs.items()}


def _claims(rows: Sequence[TaskRow]) -> Claims:
    unclaimed = sum(row.claimed is None for row in rows)
    claimed = list(shares(rows, lambda row: row.claimed is True).values())
    earned = list(shares(rows).values())
    return Claims(
        claimed=rate(claimed) if unclaimed < len(rows) else None,
        earned=rate(earned) if earned else None,
        unclaimed=unclaimed,
        ended=len(rows),
    )


def _share(rows: Sequence[TaskRow]) -> TaskShare:
    by_task = shares(rows)
    depths = [row.depth for row in rows if row.success]
    return TaskShare(
        tasks=len(by_task),
        success=rate(list(by_task.values())) if by_task else None,
        depth=fmean(depths) if depths else None,
        succeeded=len(depths),
    )


@dataclass(frozen=True)
class Difference:
    """One arm's success minus another's, on the tasks that ended in both."""

    tasks: int
    points: Estimate


def unpaired_tasks(ours: RunResults, theirs: RunResults) -> tuple[int, int]:
    """How many tasks ended in the one run only, and in the other only. A difference leaves them out."""
    mine, other = shares(ours.rows).keys(), shares(theirs.rows).keys()
    return len(mine - other), len(other - mine)


def differences(ours: RunResults, theirs: RunResults) -> dict[TaskGroup, Difference]:
    """Paired differences by group. Groups without a common task are left out."""
    groups: dict[TaskGroup, tuple[Sequence[TaskRow], Sequence[TaskRow]]] = {("", ""): (ours.rows, theirs.rows)}
    for label in labels(ours.rows):
        there = group_by(label, theirs.rows, tasks_of(theirs))
        for value, rows in group_by(label, ours.rows, tasks_of(ours)).items():
            groups[label, value] = (rows, there.get(value, []))
    found: dict[TaskGroup, Difference] = {}
    for group, (left, right) in groups.items():
        mine, other = shares(left), shares(right)
        common = [task for task in mine if task in other]
        if common:
            estimate = difference([mine[task] for task in common], [other[task] for task in common])
            found[group] = Difference(len(common), estimate)
    return found
