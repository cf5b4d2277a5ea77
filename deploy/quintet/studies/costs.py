"""Methods by their success and by what an episode costs them, and which of them are on the Pareto front."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from quintet.quota.prices import NANODOLLARS
from quintet.reports.episodes import TaskResult
from quintet.reports.intervals import Estimate, Mean, mean
from quintet.reports.load import RunReport
from quintet.studies.definition import CostKind

COST_KINDS: Sequence[CostKind] = get_args(CostKind)


class Standing(NamedTuple):
    """A method with its success and its costs."""

    run: RunReport
    success: Estimate
    costs: Mapping[CostKind, Mean]
    """Per episode: the mean over tasks of the mean over epochs. USD only if all its models have prices."""


def standings(runs: Iterable[RunReport]) -> list[Standing]:
    """The methods that have a result; faulted and unfinished episodes are not counted."""
    return [
        Standing(run, success, _costs([task for task in run.results.tasks if task.ended]))
        for run in runs
        if (success := run.summary.overall.success) is not None
    ]


def pareto_front(found: Sequence[Standing], cost: CostKind) -> list[Standing]:
    """The methods that no other beats, cheapest first: none succeeds as often for less, or more often for as much."""
    priced = sorted(
        (each for each in found if cost in each.costs),
        key=lambda each: (each.costs[cost].value, -each.success.value),
    )
    front: list[Standing] = []
    for each in priced:
        point = each.success.value, each.costs[cost].value
        if not front or point[0] > front[-1].success.value or point == _point(front[-1], cost):
            front.append(each)
    return front


def _point(standing: Standing, cost: CostKind) -> tuple[float, float]:
    return standing.success.value, standing.costs[cost].value


def _costs(tasks: Sequence[TaskResult]) -> dict[CostKind, Mean]:
    by_task: dict[CostKind, list[float]] = {
        "calls": [task.effort.calls / task.ended for task in tasks],
        "tokens": [(task.effort.prompt_tokens + task.effort.completion_tokens) / task.ended for task in tasks],
        "USD": [
            task.effort.nanodollars / NANODOLLARS / task.ended for task in tasks if task.effort.nanodollars is not None
        ],
    }
    return {cost: mean(values) for cost, values in by_task.items() if len(values) == len(tasks)}
