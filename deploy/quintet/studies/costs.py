"""Success against the cost of an episode, and the Pareto front."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from quintet.reports.intervals import Estimate, Mean, mean
from quintet.reports.load import RunReport
from quintet.reports.text_tables import NONE
from quintet.studies.panels import CostKind

COST_KINDS: Sequence[CostKind] = get_args(CostKind)
_FORMATS: dict[CostKind, str] = {"calls": ".1f", "tokens": ",.0f", "USD": ".4f"}
COSTS_NEED_SCIPY = (
    "costs: expected scipy for their intervals, found none; install it with pip install 'quintet-agents[plots]', "
    "and report again"
)


class MethodPoint(NamedTuple):
    """A method with its success and its costs."""

    run: RunReport
    success: Estimate
    costs: Mapping[CostKind, Mean]
    """Per episode: the mean over tasks of the mean over epochs. USD only if all its models have prices."""


def method_points(runs: Iterable[RunReport]) -> list[MethodPoint]:
    """The methods that have a result; faulted and unfinished episodes are not counted."""
    return [
        MethodPoint(run, success, costs_of(run)) for run in runs if (success := run.summary.overall.success) is not None
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


def costs_of(run: RunReport) -> dict[CostKind, Mean]:
    """What an episode of a run costs: see `MethodPoint`; nothing if none ended."""
    tasks = [task for task in run.results.tasks if task.ended]
    if not tasks:
        return {}
    by_task: dict[CostKind, list[float]] = {
        "calls": [task.cost.calls / task.ended for task in tasks],
        "tokens": [task.cost.tokens / task.ended for task in tasks],
        "USD": [task.cost.usd / task.ended for task in tasks if task.cost.usd is not None],
    }
    return {cost: mean(values) for cost, values in by_task.items() if len(values) == len(tasks)}


def cost_cell(kind: CostKind, cost: Mean | None) -> str:
    """`13.2 (11.4, 14.9)`; `-` if there is none."""
    if cost is None:
        return NONE
    form = _FORMATS[kind]
    low_high = "" if cost.interval is None else f" ({cost.interval[0]:{form}}, {cost.interval[1]:{form}})"
    return f"{cost.value:{form}}{low_high}"
