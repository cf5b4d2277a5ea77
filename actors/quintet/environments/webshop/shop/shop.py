"""A shop: products, and the goals of its customers by task."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.goals.goal import Goal
from quintet.errors import UsageError

_ENOUGH = 200
"""Characters of a name that an error shows."""


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
            raise UsageError(f"split: expected {' or '.join(self.goals)}, got {split!r} (webshop)")
        return tuple(self.goals[split])

    def goal(self, task: str) -> Goal:
        for goals in self.goals.values():
            if task in goals:
                return goals[task]
        shown = task[:_ENOUGH]
        near = get_close_matches(shown, {name: None for goals in self.goals.values() for name in goals}, n=3)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise UsageError(f"task: expected a goal of the shop, got {shown!r} (webshop){hint}")

    def metadata(self, task: str) -> Mapping[str, str]:
        goal = self.goal(task)
        wanted = len(goal.options)
        return {"category": goal.category, "options": "3+" if wanted > 2 else str(wanted)}
