"""What runs that learn have come to, as tables: every version's success, and what a question took."""

from collections.abc import Sequence

from quintet.reports.learning.costs import costs
from quintet.reports.learning.learnt import LearningReport, PlanVersion, Score
from quintet.reports.load import Report
from quintet.reports.rows import EpisodeRow
from quintet.reports.wording import NONE, TextTable, counted, percent


def learning_tables(report: Report) -> list[TextTable]:
    """The curve of every run that learns, and what a question took all runs; none where nothing is learnt."""
    curves = [
        curve(run.results.learnt, "" if len(report.runs) == 1 else run.label)
        for run in report.runs
        if run.results.learnt is not None
    ]
    return [*curves, costs(report)] if curves else []


def curve(learnt: LearningReport, label: str = "") -> TextTable:
    """What became of every version.

    Args:
        learnt: of a run.
        label: the run's name, among several.
    """
    batches = {iteration.number - 1: iteration.batch for iteration in learnt.iterations}
    held_out = any(version.held_out is not None for version in learnt.versions)
    rows = [
        (
            f"{version.number}, chosen" if version.number == learnt.chosen else str(version.number),
            size(version) + ("" if version.outcome is None else f", {version.outcome}"),
            solved(batches.get(version.number, ())),
            *([score(version.held_out)] if held_out else []),
            NONE if version.test is None else str(version.test.ended),
            score(version.test),
        )
        for version in learnt.versions
    ]
    columns = ("version", "plan", "batch solved", *(["held out"] if held_out else []), "n", "test")
    return TextTable("By version" + (f", {label}" if label else ""), columns, tuple(rows))


def size(version: PlanVersion) -> str:
    """`7 lines`, or `empty`."""
    lines = len(version.text.strip().splitlines())
    return counted(lines, "line") if lines else "empty"


def solved(batch: Sequence[EpisodeRow]) -> str:
    """`3 of 4`; a batch that faulted or waits in part says so."""
    if not batch:
        return NONE
    faulted = sum(row.state == "faulted" for row in batch)
    waiting = sum(row.state in ("unfinished", "not begun") for row in batch)
    said = [f"{sum(row.success for row in batch)} of {len(batch)}"]
    said += [f"{faulted} faulted"] * bool(faulted) + [f"{waiting} under way"] * bool(waiting)
    return ", ".join(said)


def score(found: Score | None) -> str:
    """`52.2 (33, 71)`; while some episodes run, how many have ended, since successes end first."""
    if found is None:
        return NONE
    done = found.ended + found.faulted
    if found.unfinished:
        return f"{done} of {done + found.unfinished} done"
    said = [NONE if found.success is None else percent(found.success)]
    return ", ".join([*said, *[f"{found.faulted} faulted"] * bool(found.faulted)])
