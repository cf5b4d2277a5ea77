"""Methods by their success and by what an episode costs them, and which of them are on the Pareto front."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from quintet.reports.intervals import Estimate, Mean, mean
from quintet.reports.load import RunReport
from quintet.reports.task_results import TaskResult
from quintet.studies.definition import CostKind

COST_KINDS: Sequence[CostKind] = get_args(CostKind)


class MethodPoint(NamedTuple):
    """A method with its success and its costs."""

    run: RunReport
    success: Estimate
    costs: Mapping[CostKind, Mean]
    """Per episode: the mean over tasks of the mean over epochs. USD only if all its models have prices."""


def method_points(runs: Iterable[RunReport]) -> list[MethodPoint]:
    """The methods that have a result; faulted and unfinished episodes are not counted."""
    return [
        MethodPoint(run, success, _costs([task for task in run.results.tasks if task.ended]))
        for run in runs
        if (success := run.summary.overall.success) is not None
    ]


def pareto_front(found: Sequence[MethodPoint], cost: CostKind) -> list[MethodPoint]:
    """The methods that no other beats, cheapest first: none succeeds as often for less, or more often for as much."""
    priced = [each for each in found if cost in each.costs]
    front = [each for each in priced if not any(_beats(other, each, cost) for other in priced)]
    return sorted(front, key=lambda each: each.costs[cost].value)


def _beats(other: MethodPoint, each: MethodPoint, cost: CostKind) -> bool:
    better = other.success.value - each.success.value
    cheaper = each.costs[cost].value - other.costs[cost].value
    return better >= 0 and cheaper >= 0 and (better > 0 or cheaper > 0)


def _costs(tasks: Sequence[TaskResult]) -> dict[CostKind, Mean]:
    by_task: dict[CostKind, list[float]] = {
        "calls": [task.cost.calls / task.ended for task in tasks],
        "tokens": [task.cost.tokens / task.ended for task in tasks],
        "USD": [task.cost.usd / task.ended for task in tasks if task.cost.usd is not None],
    }
    return {cost: mean(values) for cost, values in by_task.items() if len(values) == len(tasks)}
