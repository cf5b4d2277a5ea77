"""A comparison of runs that exist: on the same tasks in the same worlds, or refused."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, zip_longest
from pathlib import Path
from typing import NamedTuple

from quintet.config.settings import flatten
from quintet.errors import UsageError
from quintet.reports.load import NO_EPISODES, Report, RunReport, comparisons, load_report
from quintet.runs.record import RunRecord
from quintet.studies.definition import Study
from quintet.studies.method_comparison import comparison_study


class RunComparison(NamedTuple):
    """Runs as the arms of a comparison."""

    study: Study
    report: Report


def compare_runs(
    paths: Sequence[Path], *, reference: str | None = None, listed: range | None = NO_EPISODES
) -> RunComparison:
    """Read runs, and those of studies, as the arms of a comparison.

    Args:
        paths: run folders and study folders.
        reference: the name of one of the runs, as the tables have it; None: the first.
        listed: see `load_report`.

    Raises:
        UsageError: there are fewer than two runs, two of them are the same, one learns, or they differ in their tasks,
            their worlds or how these are drawn.
    """
    for path, number in Counter(path.resolve() for path in paths).items():
        if number > 1:
            raise UsageError(f"RUNS: expected each once, got {path} {number} times")
    found = load_report(paths, listed)
    runs = _as_arms(found.runs)
    _refuse_incomparable(runs)
    study = comparison_study({run.arm: {} for run in runs}, reference)
    compared = tuple(comparisons(runs, study.reference))
    return RunComparison(study, replace(found, runs=runs, compared=compared, studies=()))


def _as_arms(runs: Sequence[RunReport]) -> tuple[RunReport, ...]:
    """Runs under names of their own: those of their folders or, if two share one, their paths."""
    labels = [run.label for run in runs]
    if len(set(labels)) < len(labels):
        labels = [_place(run) for run in runs]
    return tuple(replace(run, label=label, arm=label) for run, label in zip(runs, labels, strict=True))


def _refuse_incomparable(runs: Sequence[RunReport]) -> None:
    if len(runs) < 2:
        raise UsageError(f"RUNS: expected at least two, got {', '.join(run.label for run in runs) or 'none'}")
    for run in runs:
        if run.summary.record.learns:
            raise UsageError(f"RUNS: expected runs that do not learn, got one that does ({_place(run)})")
        refuse_difference(runs[0], run)
    for one, other in combinations(runs, 2):
        if one.summary.record == other.summary.record:
            raise UsageError(f"RUNS: expected different runs, got a copy of {_place(one)} ({_place(other)})")


def refuse_difference(first: RunReport, other: RunReport) -> None:
    """Refuse a run that did not meet the same tasks in the same worlds.

    Raises:
        UsageError: with the first difference.
    """
    ours, theirs = (list(_conditions(run.summary.record)) for run in (first, other))
    for one, another in zip_longest(ours, theirs):
        if one != another:
            key = min(each[0] for each in (one, another) if each is not None)
            expected, got = (repr(each[1]) if each and each[0] == key else "none" for each in (one, another))
            raise UsageError(f"{key}: expected {expected}, as in {_place(first)}, got {got} ({_place(other)})")


def _conditions(record: RunRecord) -> Iterator[tuple[str, object]]:
    """What two runs must have in common for a task to be the same in both, by name."""
    config = record.configuration
    yield "environment.name", config.environment.name
    yield from ((f"environment.{key}", value) for key, value in sorted(flatten(config.environment.options)))
    yield f"version of {config.environment.name}", record.world_version
    yield "run.split", config.run.split
    yield "run.seed", config.run.seed
    yield "run.epochs", config.run.epochs
    yield from ((f"task {number}", task.name) for number, task in enumerate(record.tasks, 1))


def _place(run: RunReport) -> str:
    return str(run.results.folder.path)
