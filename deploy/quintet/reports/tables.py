"""A report as tables: success and differences, depth, claims, the effort of an episode, and its trials."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from quintet.events import Ending
from quintet.messages.for_worlds import FOR_WORLDS_PHASES
from quintet.quota.cost import Cost
from quintet.reports.continuations import fork_tables
from quintet.reports.episodes import RunResults
from quintet.reports.learning.tables import COST_READING, learning_tables
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import asked_models, notes, origins, title
from quintet.reports.rescored import rescored_tables
from quintet.reports.stream import stream_tables, streams
from quintet.reports.summary import NO_TASKS, FigureMean, Summary, TaskGroup, TaskShare, heading
from quintet.reports.text_tables import (
    NONE,
    TextTable,
    number,
    percent,
    percentage_points,
    plural,
    print_notes,
    print_tables,
    share,
)
from quintet.reports.trials import RunTrials
from quintet.reports.troubles import mostly_unread
from quintet.runs.record import NO_MODEL
from quintet.runtime.first_answers import UNANSWERED

_MAX_GROUPS = 8
_SPENT = ("calls", "prompt tokens", "completion tokens")
_MOST_COLUMNS = 10
"""Of trials, or of numbers of steps."""


def report_tables(report: Report) -> list[TextTable]:
    """The tables of a report, the most important first."""
    if not report.runs:
        return []
    tables = [*fork_tables(_named(report)), *rescored_tables(report)]
    tables += [_success(report), *_all_of(report), *_figures(report)]
    tables += stream_tables({row_label(report, run): streams([run.results]) for run in report.runs})
    if any(share.depth not in (None, 1.0) for run in report.runs for share in _shares(run.summary)):
        tables.append(_depth(report))
    if any(run.summary.claims.claimed is not None for run in report.runs):
        tables.append(_claims(report))
    tables.append(_effort(report))
    if len(report.runs) > 1:
        tables += _step_tables(report)
    tables += trial_tables(_named(report))
    if len(report.runs) == 1:
        results, prices = report.runs[0].results, report.runs[0].summary.record.prices
        tables += phase_tables("By phase, all attempts", results.phases, priced=bool(prices))
    return tables


def _named(report: Report) -> list[tuple[str, RunResults]]:
    return [(row_label(report, run), run.results) for run in report.runs]


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


def _by_run(
    report: Report, title: str, columns: Iterable[str], cells: Callable[[RunReport], Iterable[str]]
) -> TextTable:
    rows = tuple((row_label(report, run), *cells(run)) for run in report.runs)
    return TextTable(title, ("", "n", *columns), rows)


def _success(report: Report) -> TextTable:
    groups = {group: _count(report, group) for group in _groups(report)}
    faulted, scored = any(run.summary.faulted for run in report.runs), has_scores(report)

    def cells(run: RunReport) -> Iterator[str]:
        summary = run.summary
        yield from [str(summary.overall.tasks), *[str(summary.faulted)] * faulted]
        yield from [percent(summary.overall.score)] * scored
        for group, count in groups.items():
            # Its number of tasks, unless its column or row says so.
            share = summary.share_of(group)
            fewer = "" if count or not group[0] or share.success is None else f" of {share.tasks}"
            yield percent(share.success) + fewer

    headings = [f"{heading(group)}{count}" for group, count in groups.items()]
    title = f"{'Score (mean reward x 100) and success' if scored else 'Success'} in percent (95 % interval)"
    table = _by_run(report, title, [*["faulted"] * faulted, *["score"] * scored, *headings], cells)
    differences = tuple(
        (
            f"{each.ours} - {each.theirs}",
            str(each.differences["", ""].tasks),
            *[NONE] * (faulted + scored),
            *(
                percentage_points(each.differences[group].points if group in each.differences else None)
                for group in groups
            ),
        )
        for each in report.compared
    )
    return replace(table, rows=table.rows + differences)


def has_scores(report: Report) -> bool:
    """Whether an episode of a report earned a part of its reward, so that tables show the score beside success."""
    return any(run.summary.has_scores for run in report.runs)


def _figures(report: Report) -> list[TextTable]:
    """A column for each further figure of the worlds; no table if there is none."""
    names = list(dict.fromkeys(name for run in report.runs for name in run.summary.figures))

    def cells(run: RunReport) -> Iterator[str]:
        yield str(tasks := run.summary.overall.tasks)
        for name in names:
            # Some tasks have no such figure, as without a judge's verdict.
            found = run.summary.figures.get(name, FigureMean(None, tasks))
            yield percent(found.mean) + ("" if found.tasks == tasks else f" of {found.tasks}")

    return [_by_run(report, "Further figures, mean x 100 (95 % interval)", names, cells)] * bool(names)


def _all_of(report: Report) -> list[TextTable]:
    """A column for each number of episodes of a task; no table if no task has two."""
    numbers = sorted({k for run in report.runs for k in run.summary.all_of})[:_MOST_COLUMNS]

    def cells(run: RunReport) -> Iterator[str]:
        yield str(tasks := run.summary.overall.tasks)
        for k in numbers:
            found = run.summary.all_of.get(k, FigureMean(None, tasks))
            yield percent(found.mean) + ("" if found.tasks == tasks else f" of {found.tasks}")

    title = "Chance in percent that k episodes of a task all succeed, pass^k (95 % interval)"
    return [_by_run(report, title, [f"k = {k}" for k in numbers], cells)] * bool(numbers)


def _count(report: Report, group: TaskGroup) -> str:
    """How many tasks of a group every run has; empty if that differs."""
    found = {share.tasks for run in report.runs if (share := run.summary.share_of(group)) is not NO_TASKS}
    return f"\n{plural(found.pop(), 'task')}" if len(found) == 1 else ""


def row_label(report: Report, run: RunReport) -> str:
    """The label of a run, with its model if the report's runs have several."""
    several = len(asked_models(report)) > 1 and run.results.model != NO_MODEL
    return f"{run.label}, {run.results.model}" if several else run.label


def _depth(report: Report) -> TextTable:
    groups = _groups(report)

    def cells(run: RunReport) -> Iterator[str]:
        yield str(run.summary.overall.succeeded)
        yield from (number(run.summary.share_of(group).depth, ".1f") for group in groups)

    return _by_run(report, "Levels of recursion needed to succeed, mean", map(heading, groups), cells)


def _claims(report: Report) -> TextTable:
    def cells(run: RunReport) -> Iterator[str]:
        claims = run.summary.claims
        yield from (str(run.summary.overall.tasks), percent(claims.claimed), percent(claims.earned))
        yield f"{claims.unclaimed} of {claims.ended}" if claims.ended else NONE

    title = "Success as claimed and as earned, in percent (95 % interval)"
    return _by_run(report, title, ("claimed", "earned", "episodes without a claim"), cells)


def _effort(report: Report) -> TextTable:
    priced = any(run.summary.record.prices for run in report.runs)
    caches = any(run.results.counted.cached_tokens for run in report.runs)
    silent: list[Ending] = [
        ending for ending in UNANSWERED if any(run.results.unanswered[ending] for run in report.runs)
    ]

    def cells(run: RunReport) -> Iterator[str]:
        record, cost, n = run.summary.record, run.results.counted, run.summary.ended
        yield str(n)
        yield ", at most ".join(filter(None, (record.budget, record.configuration.limits.episode_budget))) or NONE
        yield from _spent(cost, n, ".1f")
        yield from [share(cost.cached_tokens / cost.prompt_tokens) if cost.prompt_tokens else NONE] * caches
        yield from [number(None if cost.usd is None or not n else cost.usd / n, ".4f")] * priced
        yield number(cost.microseconds / n / 1_000_000 if n else None, ".2f")
        yield str(run.summary.faulted)
        yield from (str(run.results.unanswered[ending]) for ending in silent)

    spent = (*_SPENT, *["cached, % of prompt"] * caches, *["USD"] * priced)
    columns = ("budget", *spent, "seconds", "faulted", *(UNANSWERED[ending] for ending in silent))
    return _by_run(report, "Per episode, mean", columns, cells)


def _spent(cost: Cost, times: int, calls: str) -> list[str]:
    """Calls, in a format of their own, and tokens each time; `-` without any time."""
    parts = ((cost.calls, calls), (cost.prompt_tokens, ",.0f"), (cost.completion_tokens, ",.0f"))
    return [number(part / times if times else None, form) for part, form in parts]


def _step_tables(report: Report) -> list[TextTable]:
    """A table of what a step of the environment took; none if no model was called."""

    def cells(run: RunReport) -> Iterator[str]:
        cost, n = run.results.counted, run.summary.ended
        yield from (str(n), number(cost.steps / n if n else None, ".1f"), *_spent(cost, cost.steps, ".2f"))

    called = any(run.results.counted.calls for run in report.runs)
    return [_by_run(report, "Per step of the environment, mean", ("steps per episode", *_SPENT), cells)] * called


def phase_tables(title: str, phases: Mapping[str, Cost], *, priced: bool) -> list[TextTable]:
    """A table of what was spent by phase, that with the most calls first; none if there is one phase, the method's."""
    if len(phases) < 2 and not FOR_WORLDS_PHASES & phases.keys():
        return []
    rows = tuple(
        (phase, *_spent(cost, 1, ",.0f"), *[number(cost.usd, ".4f")] * priced)
        for phase, cost in sorted(phases.items(), key=lambda item: -item[1].calls)
    )
    return [TextTable(title, ("", *_SPENT, *["USD"] * priced), rows)]


def print_report(
    report: Report,
    out: Console,
    *,
    further: Sequence[TextTable] = (),
    further_notes: Sequence[str] = (),
    papers: Sequence[TextTable] = (),
) -> None:
    """All tables of a report, and its notes."""
    if report.runs:
        for line in (*origins(report), title(report)):
            out.print(Text(line, style="bold"), soft_wrap=True)
        print_notes(mostly_unread(report), out)
    learnt = learning_tables(report)
    print_tables([*further, *report_tables(report), *learnt, *papers], out)
    print_notes([*further_notes, *notes(report), *[COST_READING] * bool(learnt)], out)


def trial_tables(runs: Sequence[tuple[str, RunResults]]) -> list[TextTable]:
    """Success by trial, actions and plan revisions, and steps per plan; none of what no run has."""
    found = [(label, results, trials) for label, results in runs if (trials := results.trials) is not None]
    tables: list[TextTable] = []
    if any(trials.most > 1 for _, _, trials in found):
        tables.append(_success_by_trial(found))
    if found:
        tables.append(_actions([(label, trials) for label, _, trials in found]))
    if any(trials.plan_steps for _, _, trials in found):
        tables.append(_plan_steps([(label, trials) for label, _, trials in found]))
    return tables


def _success_by_trial(found: Sequence[tuple[str, RunResults, RunTrials]]) -> TextTable:
    most = max(trials.most for _, _, trials in found)
    shown = [*range(1, min(most, _MOST_COLUMNS)), most]
    rows: list[tuple[str, ...]] = []
    for label, results, trials in found:
        success = results.success_by_trial
        # After its last trial, a method has solved what it has solved.
        cells = (percent(success[min(number, trials.most) - 1]) for number in shown)
        rows.append((label, str(sum(task.ended > 0 for task in results.tasks)), *cells))
    columns = ("", "n", *(f"trial {number}" for number in shown))
    return TextTable("Success by trial, in percent (95 % interval)", columns, tuple(rows))


def _actions(found: Sequence[tuple[str, RunTrials]]) -> TextTable:
    planned = any(trials.plan_steps for _, trials in found)
    columns = ("", "n", "trials", "actions, first trial", "actions, last trial", *["plan revisions"] * planned)
    rows: list[tuple[str, ...]] = []
    for label, trials in found:
        means = trials.means
        figures = (f"{mean:.2f}" for mean in (means.trials, means.first_actions, means.last_actions))
        rows.append((label, str(trials.episodes), *figures, *[number(means.revisions, ".2f")] * planned))
    return TextTable("Trials of an episode, and actions in a trial, mean", columns, tuple(rows))


def _plan_steps(found: Sequence[tuple[str, RunTrials]]) -> TextTable:
    planned = [(label, trials) for label, trials in found if trials.plan_steps]
    least = min(min(trials.plan_steps) for _, trials in planned)
    most = max(max(trials.plan_steps) for _, trials in planned)
    last = min(most, least + _MOST_COLUMNS - 1)
    rows: list[tuple[str, ...]] = []
    for label, trials in planned:
        plans = trials.plan_steps.total()
        counts = [trials.plan_steps[steps] for steps in range(least, last)]
        counts.append(plans - sum(counts))
        mean = sum(steps * count for steps, count in trials.plan_steps.items()) / plans
        rows.append((label, str(plans), f"{mean:.1f}", *(f"{100 * count / plans:.0f}" for count in counts)))
    headings = [*map(str, range(least, last)), f"{last}{' or more' * (most > last)}"]
    return TextTable("Steps per plan, in percent of plans", ("", "plans", "mean", *headings), tuple(rows))
