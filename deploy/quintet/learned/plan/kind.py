"""What plans offer to the rest of a run."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from quintet.events import Record
from quintet.learned.plan.iterations import PlanIteration, plan_iterations
from quintet.messages.parts import Recollection, TaskPlan
from quintet.reports.text_tables import plural
from quintet.runs.record import RunRecord


class PlanKind:
    """Plans."""

    name = "plan"
    file = "plan.md"
    versions = "plans"
    iterations = "reflections"

    def given(self, record: RunRecord) -> str:
        return record.plan

    def label(self, record: RunRecord) -> str:
        return self.name

    def source(self, record: RunRecord) -> str:
        return str(record.configuration.method.plan)

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[TaskPlan, ...]:
        return (TaskPlan(text=content),) if content.strip() else ()

    def text(self, version: int, content: str, run: Path) -> str:
        return content

    def size(self, content: str) -> str:
        lines = len(content.strip().splitlines())
        return plural(lines, "line") if lines else "empty"

    def read_iterations(self, records: Iterable[Record], run: Path) -> Mapping[int, PlanIteration]:
        return plan_iterations(records)
