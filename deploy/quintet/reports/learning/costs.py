"""What a question took, of training and of inference."""

from collections.abc import Sequence
from dataclasses import dataclass

from quintet.reports.load import Report, Reported
from quintet.reports.rows import Bill, total
from quintet.reports.wording import NONE, TextTable, usd


@dataclass(frozen=True)
class Phase:
    """What training or inference took, and with how many tasks."""

    bill: Bill
    tasks: int

    def cells(self) -> tuple[str, str, str, str]:
        """The number of tasks; and calls, tokens and USD by task."""
        if not self.tasks:
            return NONE, NONE, NONE, NONE
        spent, nanodollars = self.bill.spent, self.bill.nanodollars
        tokens = spent.prompt_tokens + spent.completion_tokens
        shared = None if nanodollars is None else round(nanodollars / self.tasks)
        return str(self.tasks), f"{spent.calls / self.tasks:.1f}", f"{tokens / self.tasks:,.0f}", usd(shared)


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
    return [COST_READING]


COST_READING = (
    "cost per question: training over the tasks that were learnt from, held-out ones included; inference over the test "
    "tasks"
)


def costs(report: Report) -> TextTable:
    """What a question took the runs."""
    return costs_table([cost_row(run.label, *phases(run)) for run in report.runs])


def costs_table(rows: Sequence[tuple[str, ...]]) -> TextTable:
    """What a question took, from rows of `cost_row`."""
    columns = (f"{phase}\n{what}" for phase in ("training", "inference") for what in ("n", "calls", "tokens", "USD"))
    return TextTable("Cost per question", ("", *columns), tuple(rows))


def cost_row(label: str, training: Phase, inference: Phase) -> tuple[str, ...]:
    return label, *training.cells(), *inference.cells()
