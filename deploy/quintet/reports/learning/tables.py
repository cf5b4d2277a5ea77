"""Runs that learn as tables and as text: the versions with their success, how each changed, the cost of a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from quintet.quota.cost import NOTHING, Cost
from quintet.reports.learning.lessons import changes, failures, version_size
from quintet.reports.learning.report import Iteration, LearningReport, VersionReport, VersionScore
from quintet.reports.load import Report, RunReport
from quintet.reports.rows import WITHOUT_END, TaskRow, of_method
from quintet.reports.text_tables import NONE, TextTable, number, percent
from quintet.reports.transcript import TranscriptLine

_MOST_VERSIONS = 16
"""That a table has of a stream, which may have one for each task."""


def learning_tables(report: Report) -> list[TextTable]:
    """The versions of every run that learns, and the cost of a question in all runs; none if no run learns."""
    tables = [
        version_table(run.results.learning, "" if len(report.runs) == 1 else run.label)
        for run in report.runs
        if run.results.learning is not None
    ]
    costs = costs_table([cost_row(run.label, *task_costs(run)) for run in report.runs])
    return [*tables, costs] if tables else []


def version_table(learning: LearningReport, label: str = "") -> TextTable:
    """Size, batch and success of every version; along a stream of some, without a success of their own."""
    batches = {iteration.number - 1: iteration.batch for iteration in learning.iterations}
    held_out = any(version.held_out is not None for version in learning.versions)
    tested = learning.judging_version is not None
    rows = [
        (
            f"{version.number}, chosen" if version.number == learning.chosen else str(version.number),
            ", ".join(filter(None, (version_size(learning.kind.name, version.content), version.outcome))),
            batch_result(batches.get(version.number, ())),
            *([score_text(version.held_out)] if held_out else []),
            *([NONE if version.test is None else str(version.test.ended), score_text(version.test)] if tested else []),
        )
        for version in (learning.versions if tested else _some(learning.versions))
    ]
    columns = ("version", learning.kind.name, "batch solved", *["held out"] * held_out, *["n", "test"] * tested)
    return TextTable("By version" + (f", {label}" if label else ""), columns, tuple(rows))


def _some(versions: Sequence[VersionReport]) -> Sequence[VersionReport]:
    """Every so many of the versions, back from the last."""
    return versions[:: -ceil(len(versions) / _MOST_VERSIONS) or -1][::-1]


def batch_result(batch: Sequence[TaskRow]) -> str:
    """`3 of 4`, with what faulted or is under way."""
    if not batch:
        return NONE
    faulted = sum(row.state == "faulted" for row in batch)
    waiting = sum(row.state in WITHOUT_END for row in batch)
    said = [f"{sum(row.success for row in batch)} of {len(batch)}"]
    said += [f"{faulted} faulted"] * bool(faulted) + [f"{waiting} under way"] * bool(waiting)
    return ", ".join(said)


def score_text(found: VersionScore | None) -> str:
    """`52.2 (33, 71)`; while episodes run, how many have ended: a rate would mislead, since successes end first."""
    if found is None:
        return NONE
    done = found.ended + found.faulted
    if found.unfinished:
        return f"{done} of {done + found.unfinished} done"
    return ", ".join([percent(found.success), *[f"{found.faulted} faulted"] * bool(found.faulted)])


@dataclass(frozen=True)
class TaskCost:
    """What training or inference cost, and how many tasks it had."""

    cost: Cost
    tasks: int

    def cells(self) -> tuple[str, str, str, str]:
        """The number of tasks, then calls, tokens and USD per task."""
        if not self.tasks:
            return NONE, NONE, NONE, NONE
        cost, tasks = self.cost, self.tasks
        usd = number(None if cost.usd is None else cost.usd / tasks, ".4f")
        return str(tasks), f"{cost.calls / tasks:.1f}", f"{cost.tokens / tasks:,.0f}", usd


def task_costs(run: RunReport) -> tuple[TaskCost, TaskCost]:
    """Training, divided among the tasks and given trajectories that the run learns from, and inference with its tests.

    A run that learns nothing has no training. Papers give the cost of training "per instance" without naming the
    instances. We divide it among the tasks that the run learns from, not among those that profit.
    """
    results, learning = run.results, run.results.learning
    if learning is None:
        return TaskCost(NOTHING, 0), TaskCost(of_method(results.phases), results.begun_rows)
    return TaskCost(learning.training, learning.instances), TaskCost(learning.inference, results.begun_rows)


COST_READING = (
    "cost per question: training over the tasks and given trajectories that were learnt from, held-out tasks included; "
    "inference over the test tasks; along a stream, training is all beside its episodes"
)


def costs_table(rows: Sequence[tuple[str, ...]]) -> TextTable:
    """The same table, of rows made by `cost_row`."""
    columns = (f"{phase}\n{what}" for phase in ("training", "inference") for what in ("n", "calls", "tokens", "USD"))
    return TextTable("Cost per question", ("", *columns), tuple(rows))


def cost_row(label: str, training: TaskCost, inference: TaskCost) -> tuple[str, ...]:
    """A row of `costs_table`."""
    return label, *training.cells(), *inference.cells()


def history(learning: LearningReport) -> Iterator[TranscriptLine]:
    """Every version, and the iteration that is under way."""
    iterations = {iteration.number: iteration for iteration in learning.iterations}
    before = ""
    for version in learning.versions:
        led = iterations.pop(version.number, None)
        yield TranscriptLine(0, "heading", f"Version {version.number}: {', '.join(_about(learning, version, led))}")
        yield from () if led is None else _failures(learning, led)
        yield from changes(version.lessons, version.content, before)
        before = version.content
    for iteration in iterations.values():
        yield TranscriptLine(0, "heading", f"Version {iteration.number}: under way, {_jobs(iteration)}")


def _about(learning: LearningReport, version: VersionReport, led: Iteration | None) -> Iterator[str]:
    new = version.outcome in (None, "changed")
    yield version_size(learning.kind.name, version.content) if new else str(version.outcome)
    if led is not None:
        yield _jobs(led)
    if version.number == learning.chosen:
        yield "chosen"


def _jobs(iteration: Iteration) -> str:
    return f"from a batch that solved {batch_result(iteration.batch)}" if iteration.batch else "no batch"


def _failures(learning: LearningReport, iteration: Iteration) -> Iterator[TranscriptLine]:
    if iteration.lessons.failed:
        yield TranscriptLine(1, "note", f"no new {learning.kind.name}: {iteration.lessons.failed}")
    for failure in failures(iteration.lessons):
        yield TranscriptLine(1, "note", failure)
