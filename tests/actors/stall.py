"""A kitchen that offers its actions as tools, to serve once something was taken."""

from typing import Final

from quintet.messages.environment import Task
from quintet.messages.tools import OfferedTool
from quintet.ports.world import Opening
from tests.actors.fakes import GOAL, SETTING, Kitchen, KitchenState

TAKE, SERVE = (OfferedTool(name=name, description=name, parameters='{"type": "object"}') for name in ("take", "serve"))
FIRST: Final = ("take",)
"""What is offered at first, by name."""
BOTH: Final = ("take", "serve")
"""What is offered then."""


class Stall(Kitchen):
    name = "stall"

    def open(self, task: Task) -> "StallState":
        return StallState()


class StallState(KitchenState):
    def __init__(self) -> None:
        super().__init__()
        self._opening = Opening(observation=f"{SETTING} Please {GOAL}.", setting=SETTING, goal=GOAL, tools=(TAKE,))

    @property
    def offered(self) -> tuple[OfferedTool, ...]:
        return (TAKE, SERVE) if self.carried else (TAKE,)
