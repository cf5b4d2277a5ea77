"""Plans: a version is a text that the executor sees before every task."""

from quintet.messages.parts import Recollection, TaskPlan


class PlanKind:
    """Plans."""

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[TaskPlan, ...]:
        return (TaskPlan(text=content),) if content.strip() else ()
