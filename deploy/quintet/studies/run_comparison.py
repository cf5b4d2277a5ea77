"""A comparison of runs that exist: on the same tasks in the same worlds, or refused."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from quintet.errors import UsageError
from quintet.plugins.catalogue import one_of
from quintet.reports.load import NO_EPISODES, Report, RunReport, comparisons, condition_difference, load_report
from quintet.runs.record import RUN_RECORD
from quintet.studies.definition import Study
from quintet.studies.method_comparison import comparison_study


def compare_runs(
    paths: Sequence[Path], *, reference: str | None = None, listed: range | None = NO_EPISODES
) -> tuple[Study, Report]:
    """Read runs, and those of studies, as the arms of a comparison, with its definition.

    Args:
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
    return study, replace(found, runs=runs, compared=compared, studies=())


def report_against(paths: Sequence[Path], against: str, listed: range | None = NO_EPISODES) -> Report:
    """Read runs, with the paired difference of each from one of them on the tasks that both ended.

    Other than `compare_runs`, the runs may differ in tasks and worlds; the report's notes then warn.

    Args:
        against: one of the runs, as the tables name it or by its folder; a folder may be given here alone.
        listed: see `load_report`.

    Raises:
        UsageError: there is no such run, no other, or none that shares a task with it.
    """
    folder = Path(against)
    given = {path.resolve() for path in paths}
    if (folder / RUN_RECORD).is_file() and folder.resolve() not in given:
        paths = [folder, *paths]
    found = load_report(paths, listed)
    runs = _as_arms(found.runs)
    theirs = [run.label for run in runs if run.label == against or _is_at(run, folder)]
    if not theirs:
        raise UsageError(f"--against: expected {one_of([run.label for run in runs], against)}, got {against!r}")
    compared = tuple(comparisons(runs, theirs[0]))
    if not compared:
        others = ", ".join(run.label for run in runs if run.label != theirs[0]) or "no other run"
        raise UsageError(f"--against: expected runs that share tasks with {theirs[0]}, got {others}")
    return replace(found, runs=runs, compared=compared, studies=())


def _is_at(run: RunReport, folder: Path) -> bool:
    return run.version_of is None and run.results.folder.path.resolve() == folder.resolve()


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
        if (found := condition_difference(runs[0].summary.record, run.summary.record)) is not None:
            expected = f"{found.ours}, as in {_place(runs[0])}"
            raise UsageError(f"{found.key}: expected {expected}, got {found.theirs} ({_place(run)})")
    for one, other in combinations(runs, 2):
        if one.summary.record == other.summary.record:
            raise UsageError(f"RUNS: expected different runs, got a copy of {_place(one)} ({_place(other)})")


def _place(run: RunReport) -> str:
    return str(run.results.folder.path)
