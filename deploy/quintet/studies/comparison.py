"""Methods side by side: success against cost with the Pareto front, and exact paired tests against a reference."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from quintet.reports.exports import estimate_content
from quintet.reports.intervals import Estimate
from quintet.reports.learning.tables import COST_READING, cost_row, costs_table, task_costs
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import left_out, settings_notes, task_warnings
from quintet.reports.summary import paired_episodes
from quintet.reports.tables import has_scores, report_tables, row_label
from quintet.reports.text_tables import NONE, TextTable, p_value, percent, percentage_points
from quintet.studies.costs import COST_KINDS, COSTS_NEED_SCIPY, MethodPoint, cost_cell, method_points, pareto_front
from quintet.studies.exact_tests import discordant, holm, sign_flip_test
from quintet.studies.mechanisms import mechanism_content, mechanism_effects, mechanism_tables
from quintet.studies.memory_tables import memory_content, memory_notes, memory_tables
from quintet.studies.noise import NoiseFloor, noise_content, noise_floor, noise_notes, noise_tables
from quintet.studies.panels import CostKind


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


def paired_tests(part: Report, noise: str = "") -> list[PairedTest]:
    """The tests of every method that has a task in common with the reference.

    Args:
        noise: the arm that repeats the reference, and is not tested; empty: there is none.
    """
    runs = {run.label: run.results for run in part.runs}
    repeats = {run.label for run in part.runs if noise and run.arm == noise}
    compared = [each for each in part.compared if each.ours not in repeats]
    pairs = [discordant(paired_episodes(runs[each.ours].tasks, runs[each.theirs].tasks).values()) for each in compared]
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
        for each, found, p, corrected in zip(compared, pairs, p_values, holm(p_values), strict=True)
    ]


def comparison_tables(part: Report, noise: str = "") -> tuple[list[TextTable], dict[str, Any]]:
    """Success against cost, the tests, and the tables of every report: by group, claims, and what episodes took.

    Args:
        noise: the arm that repeats the reference; empty: there is none.

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
    floor = noise_floor(part, noise)
    tests, of_memories = paired_test_tables(part, floor), memory_tables(part)
    effects = [] if floor is None else mechanism_effects(part)
    own = [_cost_table(part, found, fronts), *tests, *noise_tables(floor), *mechanism_tables(effects)]
    tables = [*own, *of_memories, *report_tables(part)]
    if any(run.results.learning is not None for run in part.runs):
        tables.append(costs_table([cost_row(run.label, *task_costs(run)) for run in part.runs]))
    content = {"methods": methods, "tests": paired_test_content(part, floor), "memories": memory_content(part)}
    if floor is not None:
        content["mechanisms"] = mechanism_content(effects)
    return tables, content | noise_content(floor)


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


def paired_test_tables(part: Report, floor: NoiseFloor | None = None) -> list[TextTable]:
    """A table of the tests; none if nothing is compared."""
    tests = paired_tests(part, "" if floor is None else floor.arm)
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
            *(["below" if floor.hides(each.points) else ""] if floor is not None else []),
        )
        for each in tests
    )
    columns = ("", "n", "difference", "only it", f"only {reference}", "p", f"p, Holm over {len(tests)}")
    title = f"Success less that of {reference}, in percentage points, paired by task (95 % interval)"
    return [TextTable(title, (*columns, *["noise floor"] * (floor is not None)), rows)]


def comparison_notes(part: Report, noise: str = "") -> Iterator[str]:
    """What the budget is, where worlds differ, which test the p-values are of, and the settings of each method.

    Args:
        noise: as `comparison_tables` has it.
    """
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
    yield from noise_notes(noise_floor(part, noise))
    yield from memory_notes(part)
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


def paired_test_content(part: Report, floor: NoiseFloor | None = None) -> list[dict[str, Any]]:
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
            "below_noise_floor": None if floor is None else floor.hides(each.points),
        }
        for each in paired_tests(part, "" if floor is None else floor.arm)
    ]
