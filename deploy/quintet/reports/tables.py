"""A report as tables of text: success and differences, depth, claims, and what it took."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from quintet.config.tasks import TASK_TYPE
from quintet.models.sim.draws import ASSUMPTION, FALLIBLE
from quintet.ports.model import Finish
from quintet.quota.costs import Charged
from quintet.quota.prices import NANODOLLARS
from quintet.reports.learning.annotations import learning_progress, learning_troubles
from quintet.reports.load import Compared, Report, Reported
from quintet.reports.rows import EpisodeRow
from quintet.reports.summary import Share, Summary
from quintet.reports.wording import NONE, TextTable, called, counted, percent, points
from quintet.runs.record import NO_MODEL, RunRecord
from quintet.runtime.first_answers import UNANSWERED

_MAX_GROUPS = 8

Kind = tuple[str, str]
"""A fact and its value; ("", "") for all tasks."""


def report_tables(report: Report) -> list[TextTable]:
    """The tables of a report, the most important first."""
    if not report.runs:
        return []
    tables = [_success(report)]
    if any(share.depth not in (None, 1.0) for run in report.runs for share in _shares(run.summary)):
        tables.append(_depth(report))
    if any(run.summary.claims.claimed is not None for run in report.runs):
        tables.append(_claims(report))
    return [*tables, _effort(report)]


def title(report: Report) -> str:
    """What the runs have in common: environment, split, tasks, epochs, seed and model."""
    records = [run.summary.record for run in report.runs]
    configs = [record.configuration for record in records]
    parts = [
        _common([config.environment.name for config in configs]),
        _common([_tasks(record) for record in records]),
        _common([_lessons(record) for record in records]),
        _common([f"{config.run.epochs} epochs" if config.run.epochs > 1 else "" for config in configs]),
        _common([f"seed {config.run.seed}" for config in configs]),
        _common([called(model) for model in _models(report) or [NO_MODEL]]),
    ]
    return ", ".join(part for part in parts if part)


def _tasks(record: RunRecord) -> str:
    run = record.configuration.run
    of_type = "" if run.task_type is None else f"task type {run.task_type}, "
    if isinstance(run.tasks, tuple):
        return f"{of_type}{counted(len(record.tasks), 'named task')}"
    return f"split {run.split}, {of_type}{counted(len(record.tasks), 'task')}"


def _lessons(record: RunRecord) -> str:
    learning = record.configuration.learning
    if learning is None:
        return ""
    tasks = counted(len(record.training) + len(record.held_out), "training task")
    return tasks + ("" if learning.split is None else f" of split {learning.split}")


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def notes(report: Report) -> list[str]:
    """What a reader of the tables has to know."""
    found = [f"{FALLIBLE}: {ASSUMPTION}"] * any(FALLIBLE in run.results.model for run in report.runs)
    for run in report.runs:
        config = run.summary.record.configuration
        options = ", ".join([config.method.name, run.results.model, *_given(config.method.options)])
        if config.learning is not None:
            options += "; learning: " + ", ".join(_given(config.learning.options))
        found.append(f"{run.label}: {options}")
        if run.summary.record.plan:
            found.append(f"{run.label}: {_plan(run.summary.record)}")
        if run.results.charged is not None:
            found.append(f"{run.label}: {_charged(run.results.charged)}")
        if run.results.learnt is not None:
            found += (f"{run.label}: {trouble}" for trouble in learning_troubles(run.results.learnt))
        found += troubles(run)
    found += [_left_out(comparison) for comparison in report.compared if any(comparison.apart)]
    return found + [f"{arm}: not begun" for arm in report.missing]


def _left_out(comparison: Compared) -> str:
    ours, theirs = comparison.ours, comparison.theirs
    common = counted(comparison.differences["", ""].tasks, "task")
    mine, other = comparison.apart
    return (
        f"{ours} - {theirs}: compares the {common} that ended in both; "
        f"{mine} ended in {ours} only, {other} in {theirs} only"
    )


def _given(options: Mapping[str, object]) -> list[str]:
    return [f"{key} {value}" for key, value in options.items() if value is not None]


def _plan(record: RunRecord) -> str:
    plan = record.configuration.method.plan
    return f"begins with the plan in {plan}" if record.learns else f"is shown the plan in {plan}"


def troubles(run: Reported) -> list[str]:
    """What of a run's episodes is missing, and what faulted."""
    summary, record, where = run.summary, run.summary.record, run.results.folder.path
    found: list[str] = []
    if run.results.learnt is not None and not run.results.finished:
        how_far = learning_progress(run.results.learnt, record.versions)
        found.append(f"{run.label}: unfinished, {how_far}; quintet resume {where}")
    elif run.results.learnt is None and summary.unfinished:
        done = record.episodes - summary.unfinished
        found.append(f"{run.label}: unfinished, {done} of {record.episodes} episodes done; quintet resume {where}")
    repeats = [row.repeats for row in run.results.every_row if row.repeats.times]
    if repeats:
        found.append(f"{run.label}: {_by_hand(*map(sum, zip(*repeats, strict=True)))}")
    if bounded := run.results.bounded:
        found.append(
            f"{run.label}: {counted(bounded, 'answer')} out of bounds; what is counted is at most what was reserved"
        )
    if summary.faulted:
        faulted = counted(summary.faulted, "faulted episode")
        found.append(f"{run.label}: {faulted}, not counted; quintet resume {where} --faulted")
    return found


def _by_hand(repeats: int, discarded: int) -> str:
    results = f", {counted(discarded, 'result')} discarded" if discarded else ""
    return f"{counted(repeats, 'repeat')} by hand (quintet ctl requeue){results}; the newest attempt counts"


def _charged(charged: Charged) -> str:
    usd = "" if charged.nanodollars is None else f"{charged.nanodollars / NANODOLLARS:.4f} USD, "
    return f"charged {usd}{charged.tokens:,} tokens, attempts that brought no answer included"


def _kinds(report: Report) -> list[Kind]:
    kinds: dict[Kind, None] = {("", ""): None}
    for run in report.runs:
        kinds |= {(fact, value): None for fact, group in run.summary.groups.items() for value in group}
    return [kind for kind in kinds if not kind[0] or _grouping(report, kind[0])]


def _grouping(report: Report, fact: str) -> bool:
    # A fact that is another for nearly every task makes no groups.
    return max(len(run.summary.groups.get(fact, {})) for run in report.runs) <= _MAX_GROUPS


def heading(kind: Kind) -> str:
    """The kind as the heading of a column."""
    if kind[0] == TASK_TYPE:
        return kind[1]  # which is a word that says so itself
    return f"{kind[0]} {kind[1]}" if kind[0] else "all"


def share_of(summary: Summary, kind: Kind) -> Share | None:
    """How the tasks of a kind went; None where the run has none."""
    return summary.groups.get(kind[0], {}).get(kind[1]) if kind[0] else summary.overall


def _shares(summary: Summary) -> list[Share]:
    return [summary.overall, *(share for group in summary.groups.values() for share in group.values())]


def _success(report: Report) -> TextTable:
    kinds = _kinds(report)
    counts = [_count(report, kind) for kind in kinds]
    faulted = any(run.summary.faulted for run in report.runs)
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        faults = (str(run.summary.faulted),) if faulted else ()
        cells = (_rate_of(run, kind, count) for kind, count in zip(kinds, counts, strict=True))
        rows.append((_label(report, run), str(run.summary.overall.tasks), *faults, *cells))
    for comparison in report.compared:
        found = [comparison.differences.get(kind) for kind in kinds]
        cells = (NONE if each is None else points(each.points) for each in found)
        tasks = str(comparison.differences["", ""].tasks)
        rows.append((f"{comparison.ours} - {comparison.theirs}", tasks, *((NONE,) * faulted), *cells))
    headings = tuple(f"{heading(kind)}{count}" for kind, count in zip(kinds, counts, strict=True))
    columns = ("", "n", *(("faulted",) * faulted), *headings)
    return TextTable("Success in percent (95 % interval)", columns, tuple(rows))


def _rate_of(run: Reported, kind: Kind, count: str) -> str:
    """A rate, with its number of tasks where neither its column nor its row says so."""
    share, text = share_of(run.summary, kind), _cell(run, kind, _rate)
    return text if count or not kind[0] or share is None or share.success is None else f"{text} of {share.tasks}"


def _count(report: Report, kind: Kind) -> str:
    """How many tasks of a kind every run has; empty where that differs."""
    found = {share.tasks for run in report.runs if (share := share_of(run.summary, kind)) is not None}
    return f"\n{counted(found.pop(), 'task')}" if len(found) == 1 else ""


def _label(report: Report, run: Reported) -> str:
    several = len(_models(report)) > 1 and run.results.model != NO_MODEL
    return f"{run.label}, {run.results.model}" if several else run.label


def _models(report: Report) -> list[str]:
    """The models that runs ask; a run that asks none stands beside any."""
    return list(dict.fromkeys(run.results.model for run in report.runs if run.results.model != NO_MODEL))


def _cell(run: Reported, kind: Kind, text: Callable[[Share], str]) -> str:
    share = share_of(run.summary, kind)
    return NONE if share is None else text(share)


def _rate(share: Share) -> str:
    return NONE if share.success is None else percent(share.success)


def _depth(report: Report) -> TextTable:
    kinds = _kinds(report)
    rows = tuple(
        (_label(report, run), str(run.summary.overall.succeeded), *(_cell(run, kind, _mean_depth) for kind in kinds))
        for run in report.runs
    )
    return TextTable("Levels of recursion needed to succeed, mean", ("", "n", *map(heading, kinds)), rows)


def _mean_depth(share: Share) -> str:
    return NONE if share.depth is None else f"{share.depth:.1f}"


def _claims(report: Report) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        claims = run.summary.claims
        rates = (NONE if each is None else percent(each) for each in (claims.claimed, claims.earned))
        unclaimed = f"{claims.unclaimed} of {claims.ended}" if claims.ended else NONE
        rows.append((_label(report, run), *rates, unclaimed))
    columns = ("", "claimed", "earned", "episodes without a claim")
    return TextTable("Success as claimed and as earned, in percent (95 % interval)", columns, tuple(rows))


def _effort(report: Report) -> TextTable:
    priced = any(run.summary.record.prices for run in report.runs)
    usd = ("USD",) if priced else ()
    columns = ("", "n", "budget", "calls", "prompt tokens", "completion tokens", *usd, "seconds")
    silent: list[Finish] = [
        finish for finish in UNANSWERED if any(run.results.unanswered[finish] for run in report.runs)
    ]
    rows = tuple(
        (*_effort_row(report, run, priced=priced), *(str(run.results.unanswered[finish]) for finish in silent))
        for run in report.runs
    )
    return TextTable("Per episode, mean", (*columns, "faulted", *(UNANSWERED[finish] for finish in silent)), rows)


def _effort_row(report: Report, run: Reported, *, priced: bool) -> tuple[str, ...]:
    summary = run.summary
    rows = [row for row in run.results.rows if row.ended]
    calls, prompt, completion, seconds = (
        (
            f"{fmean(row.spent.calls for row in rows):.1f}",
            f"{fmean(row.spent.prompt_tokens for row in rows):,.0f}",
            f"{fmean(row.spent.completion_tokens for row in rows):,.0f}",
            f"{fmean(row.seconds for row in rows):.2f}",
        )
        if rows
        else (NONE,) * 4
    )
    usd = (_mean_cost(rows),) if priced else ()
    budget = summary.record.budget or NONE
    n = str(len(rows))
    return (_label(report, run), n, budget, calls, prompt, completion, *usd, seconds, str(summary.faulted))


def _mean_cost(rows: Sequence[EpisodeRow]) -> str:
    costs = [row.nanodollars for row in rows if row.nanodollars is not None]
    return f"{fmean(costs) / NANODOLLARS:.4f}" if rows and len(costs) == len(rows) else NONE
