"""The summary of a run: success with its interval, overall and by the tasks' metadata, claims, and what it cost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import NamedTuple, TypeAlias

from quintet.ports.world import TASK_TYPE
from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate, difference, rate
from quintet.reports.rows import WITHOUT_END, TaskResult, stepless
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

    tasks: int = 0
    success: Estimate | None = None
    """None if no episode ended."""
    score: Estimate | None = None
    """The mean reward; None if no episode ended."""
    depth: float | None = None
    """Mean recursion level of the episodes that succeeded; None if none did."""
    succeeded: int = 0
    """Episodes."""


NO_TASKS = TaskShare()


class FigureMean(NamedTuple):
    """The mean of a further figure over the tasks that have it."""

    mean: Estimate | None
    """None without any."""
    tasks: int


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
    figures: Mapping[str, FigureMean]
    """Further figures of the episodes with a result, by name."""
    has_scores: bool
    """Whether an episode earned a part of the reward, so that the score is not the success."""
    ended: int
    faulted: int
    unfinished: int
    """Begun and not ended, to begin again, or not begun."""

    def share_of(self, group: TaskGroup) -> TaskShare:
        """How the tasks of a group went; `NO_TASKS` if the run has none."""
        label, value = group
        return self.groups.get(label, {}).get(value, NO_TASKS) if label else self.overall


def summarise(results: RunResults) -> Summary:
    """Summarise a run, also one that is unfinished."""
    record, order = results.folder.record, tasks_of(results)
    tasks = [task for task in results.tasks if task.ended]
    return Summary(
        record=record,
        overall=_share(tasks),
        groups={
            label: {value: _share(group) for value, group in group_by(label, tasks, order).items()}
            for label in labels(results.tasks)
        },
        claims=_claims(tasks),
        figures=_figures(tasks),
        has_scores=any(0 < reward < 1 for task in tasks for reward in task.rewards.values()),
        ended=sum(task.ended for task in tasks),
        faulted=results.count("faulted"),
        unfinished=results.count(*WITHOUT_END),
    )


def labels(tasks: Iterable[TaskResult]) -> tuple[str, ...]:
    """The keys of metadata by which tasks can be grouped."""
    return tuple(dict.fromkeys(label for task in tasks for label in task.task.metadata))


def group_by(label: str, tasks: Iterable[TaskResult], world: WorldTasks) -> dict[str, list[TaskResult]]:
    """Tasks by the value of a label, in the world's order."""
    groups: dict[str, list[TaskResult]] = {}
    for task in tasks:
        groups.setdefault(task.task.metadata.get(label, ""), []).append(task)
    return {value: groups[value] for value in sorted(groups, key=partial(world.order, label))}


def tasks_of(results: RunResults) -> WorldTasks:
    """The `tasks.toml` of the run's world."""
    return world_tasks(results.folder.record.configuration.environment.name)


def shares(
    tasks: Iterable[TaskResult], succeeded: Callable[[TaskResult], int] = lambda task: task.succeeded
) -> dict[str, float]:
    """By task, the share of its ended epochs that succeeded, by default by their reward.

    The epochs of a task in several runs are counted together.
    """
    counts: dict[str, tuple[int, int]] = {}
    for each in tasks:
        if each.ended:
            good, ended = counts.get(each.task.name, (0, 0))
            counts[each.task.name] = good + succeeded(each), ended + each.ended
    return {task: good / ended for task, (good, ended) in counts.items()}


def scores(tasks: Iterable[TaskResult]) -> dict[str, float]:
    """By task, the mean reward of its ended epochs; the same task of several runs is one."""
    rewards: dict[str, list[float]] = {}
    for each in tasks:
        if each.ended:
            rewards.setdefault(each.task.name, []).extend(each.rewards.values())
    return {task: fmean(found) for task, found in rewards.items()}


def rate_of(by_task: Mapping[str, float], tasks: Iterable[TaskResult]) -> Estimate | None:
    """The mean over tasks, by what their episodes came to; None without any."""
    return rate(list(by_task.values()))._replace(stepless=stepless(tasks)) if by_task else None


def _figures(tasks: Sequence[TaskResult]) -> dict[str, FigureMean]:
    """Each the mean over tasks of the mean over epochs."""
    names = dict.fromkeys(name for task in tasks for name in task.figures)
    means = {name: [fmean(task.figures[name]) for task in tasks if name in task.figures] for name in names}
    no_step = stepless(tasks)
    return {name: FigureMean(rate(found)._replace(stepless=no_step), len(found)) for name, found in means.items()}


def _claims(tasks: Sequence[TaskResult]) -> Claims:
    ended, unclaimed = sum(task.ended for task in tasks), sum(task.unclaimed for task in tasks)
    claimed = rate_of(shares(tasks, lambda task: task.claimed), tasks) if unclaimed < ended else None
    return Claims(claimed, rate_of(shares(tasks), tasks), unclaimed, ended)


def _share(tasks: Sequence[TaskResult]) -> TaskShare:
    by_task = shares(tasks)
    succeeded = sum(task.succeeded for task in tasks)
    return TaskShare(
        tasks=len(by_task),
        success=rate_of(by_task, tasks),
        score=rate_of(scores(tasks), tasks),
        depth=sum(task.depth for task in tasks) / succeeded if succeeded else None,
        succeeded=succeeded,
    )


@dataclass(frozen=True)
class Difference:
    """One arm's success minus another's, on the tasks that ended in both."""

    tasks: int
    points: Estimate


def unpaired_tasks(ours: RunResults, theirs: RunResults) -> tuple[int, int]:
    """How many tasks ended in the one run only, and in the other only. A difference leaves them out."""
    mine, other = shares(ours.tasks).keys(), shares(theirs.tasks).keys()
    return len(mine - other), len(other - mine)


def differences(ours: RunResults, theirs: RunResults) -> dict[TaskGroup, Difference]:
    """Paired differences by group. Groups without a common task are left out."""
    groups: dict[TaskGroup, tuple[Sequence[TaskResult], Sequence[TaskResult]]] = {("", ""): (ours.tasks, theirs.tasks)}
    for label in labels(ours.tasks):
        there = group_by(label, theirs.tasks, tasks_of(theirs))
        for value, tasks in group_by(label, ours.tasks, tasks_of(ours)).items():
            groups[label, value] = (tasks, there.get(value, []))
    found: dict[TaskGroup, Difference] = {}
    for group, (left, right) in groups.items():
        if pairs := paired_episodes(left, right):
            estimate = difference([*pairs.values()])
            estimate = estimate._replace(stepless=stepless(left) or stepless(right))
            found[group] = Difference(len(pairs), estimate)
    return found


def paired_episodes(ours: Iterable[TaskResult], theirs: Iterable[TaskResult]) -> dict[str, list[tuple[bool, bool]]]:
    """By task, the success of ours and of theirs in each episode that ended in both; tasks without one are left out."""
    others = {task.task.name: task for task in theirs}
    found: dict[str, list[tuple[bool, bool]]] = {}
    for task in ours:
        other = others.get(task.task.name)
        if other is not None and (pairs := task.pairs(other)):
            mine, its = task.successes, other.successes
            found[task.task.name] = [(mine[epoch], its[theirs]) for epoch, theirs in pairs]
    return found
