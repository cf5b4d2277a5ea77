"""What runs that learn have come to, as tables: every version's success, and what a question took."""

from collections.abc import Sequence
from dataclasses import dataclass

from deploy.reports.gathering import Report, Reported
from deploy.reports.learning import Iteration, Learnt, PlanVersion, Score
from deploy.reports.published_costs import MODEL, SOURCE, PublishedCost, published_costs
from deploy.reports.rows import Bill, EpisodeRow, total
from deploy.reports.wording import NONE, TextTable, counted, percent, usd


def learning_tables(report: Report) -> list[TextTable]:
    """The curve of every run that learns, and what a question took all runs; none where nothing is learnt."""
    curves = [
        curve(run.results.learnt, "" if len(report.runs) == 1 else run.label)
        for run in report.runs
        if run.results.learnt is not None
    ]
    return [*curves, _costs(report)] if curves else []


def curve(learnt: Learnt, label: str = "") -> TextTable:
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
            _text(version, learnt.iterations),
            solved(batches.get(version.number, ())),
            *([score(version.held_out)] if held_out else []),
            score(version.test),
        )
        for version in learnt.versions
    ]
    columns = ("version", "plan", "batch solved", *(["held out"] if held_out else []), "test")
    return TextTable("By version" + (f", {label}" if label else ""), columns, tuple(rows))


def _text(version: PlanVersion, iterations: Sequence[Iteration]) -> str:
    lines = len(version.text.strip().splitlines())
    size = counted(lines, "line") if lines else "empty"
    if not version.number:
        return size
    failed = any(iteration.number == version.number and iteration.failed for iteration in iterations)
    return f"{size}, " + ("update failed" if failed else "unchanged" if version.unchanged else "changed")


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


@dataclass(frozen=True)
class Phase:
    """What training or inference took, and with how many tasks."""

    bill: Bill
    tasks: int

    def cells(self) -> tuple[str, str, str]:
        """Calls, tokens and USD by task."""
        if not self.tasks:
            return NONE, NONE, NONE
        spent, nanodollars = self.bill.spent, self.bill.nanodollars
        tokens = spent.prompt_tokens + spent.completion_tokens
        shared = None if nanodollars is None else round(nanodollars / self.tasks)
        return f"{spent.calls / self.tasks:.1f}", f"{tokens / self.tasks:,.0f}", usd(shared)


def phases(run: Reported) -> tuple[Phase, Phase]:
    """Training with the tasks that were learnt from, none where nothing is learnt, and inference with the test tasks.

    Source: AutoPlan, section 4.4 and table 4, gives both "per instance"; that training is shared out among the tasks
    that were learnt from, and not among those that it is good for, is our reading.
    """
    results, learnt = run.results, run.results.learnt
    questions = sum(row.state != "not begun" for row in results.rows)
    if learnt is None:
        return Phase(total(()), 0), Phase(Bill(results.spent, results.nanodollars), questions)
    return Phase(learnt.training, learnt.instances), Phase(learnt.inference, questions)


def cost_notes(report: Report) -> list[str]:
    """How what a question took is to be read, where there is a table of it."""
    if all(run.results.learnt is None for run in report.runs):
        return []
    papers = any(published_costs(run.summary.record) for run in report.runs)
    return [COST_READING, *([COST_PAPER] if papers else [])]


COST_READING = (
    "cost per question: training over the tasks that were learnt from, held-out ones included; inference over the test "
    "tasks"
)
COST_PAPER = f"paper: {SOURCE}, USD with {MODEL}"


def _costs(report: Report) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        rows.append(cost_row(run.label, *phases(run)))
        rows += (paper_row(each) for each in published_costs(run.summary.record))
    return costs_table(rows)


def costs_table(rows: Sequence[tuple[str, ...]]) -> TextTable:
    """What a question took, from rows of `cost_row` and `paper_row`."""
    columns = (f"{phase}\n{what}" for phase in ("training", "inference") for what in ("calls", "tokens", "USD"))
    return TextTable("Cost per question", ("", *columns), tuple(rows))


def cost_row(label: str, training: Phase, inference: Phase) -> tuple[str, ...]:
    return label, *training.cells(), *inference.cells()


def paper_row(cost: PublishedCost) -> tuple[str, ...]:
    """A paper's, which says USD alone."""
    training = NONE if cost.training is None else f"{cost.training:g}"
    return f"  paper: {cost.label}", NONE, NONE, training, NONE, NONE, f"{cost.inference:g}"
