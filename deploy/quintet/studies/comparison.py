"""Methods side by side: success against cost with the Pareto front, and exact paired tests against a reference."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, get_args

from quintet.reports.exports import estimate_content
from quintet.reports.intervals import Estimate, Mean, mean
from quintet.reports.learning.tables import COST_READING, cost_row, costs_table, task_costs
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import left_out, settings_notes, task_warnings
from quintet.reports.summary import paired_episodes
from quintet.reports.tables import has_scores, report_tables, row_label
from quintet.reports.text_tables import NONE, TextTable, p_value, percent, percentage_points
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


def sign_flip_test(differences: Sequence[int]) -> float:
    """Whether two methods succeed equally often: the p-value of Fisher's exact randomisation test, two-sided.

    If both are alike, a task's difference is as likely with the other sign, whatever its epochs have in common. The
    p-value is the share of all ways to choose the signs whose sum is at least as far from 0 as the sum that was found.
    Where every task has one epoch this is McNemar's exact test.

    Args:
        differences: by task, in how many epochs only the one method succeeded, less those in which only the other did.

    Returns:
        In (0, 1]; 1 if the methods never differ. Below about 1e-300 it is 0.

    Source: Fisher, The Design of Experiments (1935), section 21; McNemar, Psychometrika 12 (1947) 153-157.
    """
    found = abs(sum(differences))
    chances = [1.0]  # of each sum of the positive parts, from 0
    for size, tasks in Counter(abs(each) for each in differences if each).items():
        wider = [0.0] * (len(chances) + size * tasks)
        for positive, share in enumerate(_halves(tasks)):
            for part, chance in enumerate(chances, positive * size):
                wider[part] += share * chance
        chances = wider
    most = len(chances) - 1
    return min(1.0, sum(chance for part, chance in enumerate(chances) if abs(2 * part - most) >= found))


def _halves(number: int) -> list[float]:
    """The chance of each number of heads, from 0, among so many throws of a coin."""
    ways, all_ways, found = 1, 2**number, list[float]()
    for heads in range(number + 1):
        found.append(ways / all_ways)
        ways = ways * (number - heads) // (heads + 1)
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, so that the chance of any false finding among them stays bounded.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


class PairedTest(NamedTuple):
    """A method beside the reference, on the tasks that ended in both."""

    ours: str
    theirs: str
    tasks: int
    points: Estimate
    """The difference of success."""
    only_ours: int
    """Episodes, by task and epoch, in which only the method succeeded."""
    only_theirs: int
    p: float
    corrected: float
    """The same, corrected for the number of methods."""


def paired_tests(part: Report) -> list[PairedTest]:
    """The tests of every method that has a task in common with the reference."""
    runs = {run.label: run.results for run in part.runs}
    pairs = [
        discordant(paired_episodes(runs[each.ours].tasks, runs[each.theirs].tasks).values()) for each in part.compared
    ]
    p_values = [sign_flip_test([ours - theirs for ours, theirs in each]) for each in pairs]
    return [
        PairedTest(
            each.ours,
            each.theirs,
            each.differences["", ""].tasks,
            each.differences["", ""].points,
            sum(ours for ours, _ in found),
            sum(theirs for _, theirs in found),
            p,
            corrected,
        )
        for each, found, p, corrected in zip(part.compared, pairs, p_values, holm(p_values), strict=True)
    ]


def discordant(pairs: Iterable[Sequence[tuple[bool, bool]]]) -> list[tuple[int, int]]:
    """By task, in how many of its paired episodes only the one succeeded, and only the other."""
    return [(each.count((True, False)), each.count((False, True))) for each in pairs]


def comparison_tables(part: Report) -> tuple[list[TextTable], dict[str, Any]]:
    """Success against cost, the tests, and the tables of every report: by group, claims, and what episodes took.

    Returns:
        The tables; and for programs costs and tests, since groups, claims and episodes are those of the runs.
    """
    found = method_points(part.runs)
    fronts: Mapping[CostKind, list[MethodPoint]] = {kind: pareto_front(found, kind) for kind in COST_KINDS}
    methods = [
        {
            "method": each.run.label,
            "tasks": each.run.summary.overall.tasks,
            "episodes": each.run.summary.ended,
            "budget": _budget(each.run) or None,
            "spent_its_budget": _cut_short(each.run) if _budget(each.run) else None,
            "success": estimate_content(each.success),
            "score": estimate_content(each.run.summary.overall.score),
            "costs": {
                kind: {"mean": cost.value, "interval": cost.interval, "on_front": each in fronts[kind]}
                for kind, cost in each.costs.items()
            },
        }
        for each in found
    ]
    tables = [_cost_table(part, found, fronts), *paired_test_tables(part), *report_tables(part)]
    if any(run.results.learning is not None for run in part.runs):
        tables.append(costs_table([cost_row(run.label, *task_costs(run)) for run in part.runs]))
    return tables, {"methods": methods, "tests": paired_test_content(part)}


def _cost_table(
    part: Report, found: Sequence[MethodPoint], fronts: Mapping[CostKind, Sequence[MethodPoint]]
) -> TextTable:
    priced = any(run.summary.record.prices for run in part.runs)
    kinds: list[CostKind] = [kind for kind in COST_KINDS if kind != "USD" or priced]
    limited = any(_budget(run) for run in part.runs)
    scored = has_scores(part)
    rows = tuple(
        (
            row_label(part, each.run),
            str(each.run.summary.overall.tasks),
            *([percent(each.run.summary.overall.score)] * scored),
            percent(each.success),
            *(_marked(cost_cell(kind, each.costs.get(kind)), on_front=each in fronts[kind]) for kind in kinds),
            *([f"{_cut_short(each.run)} of {each.run.summary.ended}"] * limited),
        )
        for each in found
    )
    what = "Score (mean reward x 100) and success" if scored else "Success"
    title = f"{what} in percent against costs per episode ({budget_title(part.runs)}; 95 % intervals; * Pareto front)"
    return TextTable(title, ("", "n", *["score"] * scored, "success", *kinds, *["spent its budget"] * limited), rows)


def cost_cell(kind: CostKind, cost: Mean | None) -> str:
    """`13.2 (11.4, 14.9)`; `-` if there is none."""
    if cost is None:
        return NONE
    form = _FORMATS[kind]
    low_high = "" if cost.interval is None else f" ({cost.interval[0]:{form}}, {cost.interval[1]:{form}})"
    return f"{cost.value:{form}}{low_high}"


def _marked(cell: str, *, on_front: bool) -> str:
    return cell if cell == NONE else cell + (" *" if on_front else "  ")


def _budget(run: RunReport) -> str:
    return run.summary.record.configuration.limits.episode_budget


def budget_title(runs: Sequence[RunReport]) -> str:
    """What the episodes of runs may spend."""
    budgets = {_budget(run) for run in runs}
    if len(budgets) > 1:
        return "budgets differ"
    return f"at most {budget}" if (budget := "".join(budgets)) else "no common budget"


def _cut_short(run: RunReport) -> int:
    return sum(task.cut_short for task in run.results.tasks)


def paired_test_tables(part: Report) -> list[TextTable]:
    """A table of the tests; none if nothing is compared."""
    tests = paired_tests(part)
    if not tests:
        return []
    reference = tests[0].theirs
    rows = tuple(
        (
            f"{each.ours} - {reference}",
            str(each.tasks),
            percentage_points(each.points),
            str(each.only_ours),
            str(each.only_theirs),
            p_value(each.p),
            p_value(each.corrected),
        )
        for each in tests
    )
    columns = ("", "n", "difference", "only it", f"only {reference}", "p", f"p, Holm over {len(tests)}")
    title = f"Success less that of {reference}, in percentage points, paired by task (95 % interval)"
    return [TextTable(title, columns, rows)]


def comparison_notes(part: Report) -> Iterator[str]:
    """What the budget is, where worlds differ, which test the p-values are of, and the settings of each method."""
    runs = part.runs
    if any(_budget(run) for run in runs):
        yield (
            "spent its budget: episodes that were cut short and ended as their method had offered; the others ended by "
            "themselves, and spent less"
        )
    else:
        yield (
            "no common budget: each method has its own settings, its paper's by default (column budget); --budget sets "
            "one for all"
        )
    yield from task_warnings(part)
    yield from paired_test_notes(part)
    if find_spec("scipy") is None:
        yield COSTS_NEED_SCIPY
    yield from settings_notes(part)
    if any(run.results.learning is not None for run in runs):
        yield COST_READING
    yield from (left_out(comparison) for comparison in part.compared if any(comparison.unpaired))


def paired_test_notes(part: Report) -> list[str]:
    """Which test the p-values are of; none if nothing is compared."""
    if not part.compared:
        return []
    repetitions = max(run.repetitions for run in part.runs)
    test = "McNemar's exact test" if repetitions == 1 else "exact test that flips the signs of tasks' differences"
    what = "seeds and epochs" if any(run.seeds for run in part.runs) else "epochs"
    return [f"p: {test}, two-sided; a task's {what} are one observation, for intervals too"]


def paired_test_content(part: Report) -> list[dict[str, Any]]:
    """The tests for programs."""
    return [
        {
            "method": each.ours,
            "from": each.theirs,
            "tasks": each.tasks,
            "points": estimate_content(each.points),
            "only_method": each.only_ours,
            "only_from": each.only_theirs,
            "p": each.p,
            "p_holm": each.corrected,
        }
        for each in paired_tests(part)
    ]
