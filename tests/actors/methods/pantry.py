"""Kitchens that say what can be done in them, and whose expert knows more or less of cooking."""

from collections.abc import Mapping

from quintet.messages.environment import Task
from tests.actors.fakes import Kitchen, KitchenState

ACTIONS = ("burn", "inventory", "serve", "taste", "wait")


class Pantry(Kitchen):
    """A kitchen whose state answers as configured.

    Args:
        actions: what can be done while the supper is not done.
        advice: what the expert says, by how many things are carried.
    """

    def __init__(
        self, actions: tuple[str, ...] | None = None, advice: Mapping[int, tuple[str, ...] | None] | None = None
    ) -> None:
        self.actions = actions
        self.advice = advice or {}

    def open(self, task: Task) -> "PantryState":
        return PantryState(self)


class PantryState(KitchenState):
    def __init__(self, pantry: Pantry) -> None:
        super().__init__()
        self.pantry = pantry

    def admissible(self) -> tuple[str, ...] | None:
        return () if self.done else self.pantry.actions

    def expert(self) -> tuple[str, ...] | None:
        return () if self.done else self.pantry.advice.get(len(self.carried))
