"""A report as tables: success and differences, depth, claims, and the effort of an episode."""

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from quintet.ports.model import Finish
from quintet.quota.cost import Cost
from quintet.reports.learning.tables import cost_notes, learning_tables
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import asked_models, notes, title
from quintet.reports.rows import GRADE
from quintet.reports.summary import Summary, TaskGroup, TaskShare, heading
from quintet.reports.text_tables import (
    NONE,
    TextTable,
    percent,
    percentage_points,
    plural,
    print_notes,
    print_tables,
    usd,
)
from quintet.reports.trial_tables import trial_tables
from quintet.runs.record import NO_MODEL
from quintet.runtime.first_answers import UNANSWERED

_MAX_GROUPS = 8


def report_tables(report: Report) -> list[TextTable]:
    """The tables of a report, the most important first."""
    if not report.runs:
        return []
    tables = [_success(report), *_figures(report)]
    if any(share.depth not in (None, 1.0) for run in report.runs for share in _shares(run.summary)):
        tables.append(_depth(report))
    if any(run.summary.claims.claimed is not None for run in report.runs):
        tables.append(_claims(report))
    tables.append(_effort(report))
    if len(report.runs) > 1:
        tables += step_tables([(row_label(report, run), run.results.counted, run.summary.ended) for run in report.runs])
    tables += trial_tables([(row_label(report, run), run.results) for run in report.runs])
    if len(report.runs) == 1:
        results, prices = report.runs[0].results, report.runs[0].summary.record.prices
        tables += phase_tables("By phase, all attempts", results.phases, priced=bool(prices))
    return tables


def _groups(report: Report) -> list[TaskGroup]:
    groups: dict[TaskGroup, None] = {("", ""): None}
    for run in report.runs:
        groups |= {(label, value): None for label, group in run.summary.groups.items() for value in group}
    return [group for group in groups if not group[0] or _is_grouping(report, group[0])]


def _is_grouping(report: Report, label: str) -> bool:
    # A label whose value differs for nearly every task makes no groups.
    return max(len(run.summary.groups.get(label, {})) for run in report.runs) <= _MAX_GROUPS


def _shares(summary: Summary) -> list[TaskShare]:
    return [summary.overall, *(share for group in summary.groups.values() for share in group.values())]


def _success(report: Report) -> TextTable:
    groups = _groups(report)
    counts = [_count(report, group) for group in groups]
    faulted = any(run.summary.faulted for run in report.runs)
    scored = has_scores(report)
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        faults = (str(run.summary.faulted),) if faulted else ()
        score = (_cell(run, ("", ""), mean_reward_text),) if scored else ()
        cells = (_rate_of(run, group, count) for group, count in zip(groups, counts, strict=True))
        rows.append((row_label(report, run), str(run.summary.overall.tasks), *faults, *score, *cells))
    for comparison in report.compared:
        found = [comparison.differences.get(group) for group in groups]
        cells = (NONE if each is None else percentage_points(each.points) for each in found)
        tasks = str(comparison.differences["", ""].tasks)
        rows.append((f"{comparison.ours} - {comparison.theirs}", tasks, *((NONE,) * (faulted + scored)), *cells))
    headings = tuple(f"{heading(group)}{count}" for group, count in zip(groups, counts, strict=True))
    columns = ("", "n", *(("faulted",) * faulted), *(("score",) * scored), *headings)
    title = f"{'Score (mean reward x 100) and success' if scored else 'Success'} in percent (95 % interval)"
    return TextTable(title, columns, tuple(rows))


def has_scores(report: Report) -> bool:
    """Whether an episode of a report earned a part of its reward, so that tables show the score beside success."""
    return any(run.summary.has_scores for run in report.runs)


def mean_reward_text(share: TaskShare) -> str:
    """The score with its interval; `-` if no episode ended."""
    return NONE if share.score is None else percent(share.score)


def _figures(report: Report) -> list[TextTable]:
    """A column for each further figure of the worlds; no table if there is none."""
    names = list(dict.fromkeys(name for run in report.runs for name in run.summary.figures))
    rows = tuple(
        (row_label(report, run), str(run.summary.overall.tasks), *(_figure(run, name) for name in names))
        for run in report.runs
    )
    return [TextTable("Further figures, mean x 100 (95 % interval)", ("", "n", *names), rows)] * bool(names)


def _figure(run: RunReport, name: str) -> str:
    """A mean, with its number of tasks where some have no such figure, as without a judge's verdict."""
    found = run.summary.figures.get(name)
    if found is None:
        return NONE
    fewer = "" if found.tasks == run.summary.overall.tasks else f" of {found.tasks}"
    return f"{percent(found.mean)}{fewer}"


def _rate_of(run: RunReport, group: TaskGroup, count: str) -> str:
    """A rate, with its number of tasks unless its column or row says so."""
    share, text = run.summary.share_of(group), _cell(run, group, _rate)
    return text if count or not group[0] or share is None or share.success is None else f"{text} of {share.tasks}"


def _count(report: Report, group: TaskGroup) -> str:
    """How many tasks of a group every run has; empty if that differs."""
    found = {share.tasks for run in report.runs if (share := run.summary.share_of(group)) is not None}
    return f"\n{plural(found.pop(), 'task')}" if len(found) == 1 else ""


def row_label(report: Report, run: RunReport) -> str:
    """The label of a run, with its model if the report's runs have several."""
    several = len(asked_models(report)) > 1 and run.results.model != NO_MODEL
    return f"{run.label}, {run.results.model}" if several else run.label


def _cell(run: RunReport, group: TaskGroup, text: Callable[[TaskShare], str]) -> str:
    share = run.summary.share_of(group)
    return NONE if share is None else text(share)


def _rate(share: TaskShare) -> str:
    return NONE if share.success is None else percent(share.success)


def _depth(report: Report) -> TextTable:
    groups = _groups(report)
    rows = tuple(
        (
            row_label(report, run),
            str(run.summary.overall.succeeded),
            *(_cell(run, group, _mean_depth) for group in groups),
        )
        for run in report.runs
    )
    return TextTable("Levels of recursion needed to succeed, mean", ("", "n", *map(heading, groups)), rows)


def _mean_depth(share: TaskShare) -> str:
    return NONE if share.depth is None else f"{share.depth:.1f}"


def _claims(report: Report) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        claims = run.summary.claims
        rates = (NONE if each is None else percent(each) for each in (claims.claimed, claims.earned))
        unclaimed = f"{claims.unclaimed} of {claims.ended}" if claims.ended else NONE
        rows.append((row_label(report, run), str(run.summary.overall.tasks), *rates, unclaimed))
    columns = ("", "n", "claimed", "earned", "episodes without a claim")
    return TextTable("Success as claimed and as earned, in percent (95 % interval)", columns, tuple(rows))


def _effort(report: Report) -> TextTable:
    priced = any(run.summary.record.prices for run in report.runs)
    cost = ("USD",) if priced else ()
    columns = ("", "n", "budget", "calls", "prompt tokens", "completion tokens", *cost, "seconds")
    silent: list[Finish] = [
        finish for finish in UNANSWERED if any(run.results.unanswered[finish] for run in report.runs)
    ]
    rows = tuple(
        (*_effort_row(report, run, priced=priced), *(str(run.results.unanswered[finish]) for finish in silent))
        for run in report.runs
    )
    return TextTable("Per episode, mean", (*columns, "faulted", *(UNANSWERED[finish] for finish in silent)), rows)


def _effort_row(report: Report, run: RunReport, *, priced: bool) -> tuple[str, ...]:
    summary, cost, n = run.summary, run.results.counted, run.summary.ended
    calls, prompt, completion, seconds = (
        (
            f"{cost.calls / n:.1f}",
            f"{cost.prompt_tokens / n:,.0f}",
            f"{cost.completion_tokens / n:,.0f}",
            f"{cost.microseconds / n / 1_000_000:.2f}",
        )
        if n
        else (NONE,) * 4
    )
    costs = (NONE if cost.usd is None or not n else f"{cost.usd / n:.4f}",) if priced else ()
    record = summary.record
    budget = ", at most ".join(filter(None, (record.budget, record.configuration.limits.episode_budget))) or NONE
    return (row_label(report, run), str(n), budget, calls, prompt, completion, *costs, seconds, str(summary.faulted))


def step_tables(costs: Sequence[tuple[str, Cost, int]]) -> list[TextTable]:
    """A table of what a step of the environment took; none if no model was called.

    Args:
        costs: the label of a row, what its episodes with a result took together, and how many they are.
    """
    rows: list[tuple[str, ...]] = []
    for label, cost, episodes in costs:
        steps = cost.steps
        per_episode = f"{steps / episodes:.1f}" if episodes else NONE
        calls = f"{cost.calls / steps:.2f}" if steps else NONE
        tokens = (f"{each / steps:,.0f}" if steps else NONE for each in (cost.prompt_tokens, cost.completion_tokens))
        rows.append((label, str(episodes), per_episode, calls, *tokens))
    columns = ("", "n", "steps per episode", "calls", "prompt tokens", "completion tokens")
    called = any(cost.calls for _, cost, _ in costs)
    return [TextTable("Per step of the environment, mean", columns, tuple(rows))] * called


def phase_tables(title: str, phases: Mapping[str, Cost], *, priced: bool) -> list[TextTable]:
    """A table of what was spent by phase, the one with the most calls first; none if there is one phase, the method's.

    Args:
        title: of the table.
        phases: by name.
        priced: whether any model has a price.
    """
    if len(phases) < 2 and GRADE not in phases:
        return []
    rows = tuple(
        (
            phase,
            f"{cost.calls:,}",
            f"{cost.prompt_tokens:,}",
            f"{cost.completion_tokens:,}",
            *((usd(cost.usd),) if priced else ()),
        )
        for phase, cost in sorted(phases.items(), key=lambda item: -item[1].calls)
    )
    columns = ("", "calls", "prompt tokens", "completion tokens", *(("USD",) if priced else ()))
    return [TextTable(title, columns, rows)]


def print_report(
    report: Report,
    out: Console,
    *,
    further: Sequence[TextTable] = (),
    further_notes: Sequence[str] = (),
    papers: Sequence[TextTable] = (),
) -> None:
    """All tables of a report, and its notes.

    Args:
        report: of the runs.
        out: where to print.
        further: tables to print before the others.
        further_notes: on them.
        papers: what papers print for the same experiments.
    """
    if report.runs:
        out.print(Text(title(report), style="bold"))
    print_tables([*further, *report_tables(report), *learning_tables(report), *papers], out)
    print_notes([*further_notes, *notes(report), *cost_notes(report)], out)
