"""A shop: products, and the goals of its customers by task."""

from collections.abc import Mapping
from dataclasses import dataclass

from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.goals.goal import Goal
from quintet.ports.task_names import unknown_split, unknown_task


@dataclass(frozen=True)
class Shop:
    """Products, and the goals of their customers."""

    version: str
    """Changes when a product, a price or a goal does."""
    catalogue: Catalogue
    goals: Mapping[str, Mapping[str, Goal]]
    """By split and task; a task of two splits is the same in both."""

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self.goals)

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.goals:
            raise unknown_split(split, self.goals, "webshop")
        return tuple(self.goals[split])

    def goal(self, task: str) -> Goal:
        for goals in self.goals.values():
            if task in goals:
                return goals[task]
        raise unknown_task(task, (name for goals in self.goals.values() for name in goals), "webshop")

    def metadata(self, task: str) -> Mapping[str, str]:
        goal = self.goal(task)
        wanted = len(goal.options)
        return {"category": goal.category, "options": "3+" if wanted > 2 else str(wanted)}
