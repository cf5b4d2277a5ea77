"""Plays worlds by trials of plans: Devil's Advocate with a simulated model, in the prompts that runs use."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from quintet.environments.adapters.plain import as_world
from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.events import TrialEnded
from quintet.messages.environment import Task
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.prompts import Prompts
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from quintet.ports.world import Forks, Opening, Outcome, WorldState
from quintet.roles.executor import Executor
from quintet.roles.planner import Planner
from quintet.roles.reflector import Reflector
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import Kitchens

QUESTIONS = ("make_plan", "decide", "align", "judge", "judge.step", "condense", "retarget")


@cache
def world(name: str) -> TextCraft | AlfWorld:
    return TextCraft() if name == "textcraft" else AlfWorld()


def advocate_prompts(name: str, structured: tuple[str, ...] = ()) -> Prompts:
    """The method's own prompts for a world, and those of the roles."""
    return find_prompts(DevilsAdvocate, name, structured=structured)


@cache
def _texts(name: str) -> Mapping[str, str]:
    own = advocate_prompts(name)
    return {question: own.text(question) for question in QUESTIONS}


class OneTask:
    """One task of a world, whatever it is called, with its observations blanked or not."""

    forks: Forks = "copy"
    exact = True
    splits: tuple[str, ...] = ("all",)

    def __init__(self, name: str, task: str, *, blank: bool) -> None:
        self.name, self.version = name, world(name).version
        self._task, self._blank = Task(name=task, seed=0), blank

    def tasks(self, split: str) -> tuple[str, ...]:
        return (self._task.name,)

    def metadata(self, task: str) -> Mapping[str, str]:
        return world(self.name).metadata(self._task.name)

    def open(self, task: Task) -> Any:
        return self._seen(world(self.name).open(self._task))

    def restore(self, task: Task, snapshot: bytes) -> Any:
        return self._seen(world(self.name).restore(self._task, snapshot))

    def _seen(self, state: WorldState) -> Any:
        return _Blind(state) if self._blank else state


class _Blind:
    """A state that answers nothing to actions."""

    def __init__(self, state: WorldState) -> None:
        self._state = state

    @property
    def opening(self) -> Opening:
        return self._state.opening

    @property
    def observation(self) -> str:
        return ""

    def step(self, action: str) -> Outcome:
        return replace(self._state.step(action), observation="")

    def admissible(self) -> tuple[str, ...] | None:
        return self._state.admissible()

    def expert(self) -> tuple[str, ...] | None:
        return self._state.expert()

    def fork(self) -> Any:
        return _Blind(self._state.fork())

    def snapshot(self) -> bytes:
        return self._state.snapshot()


class Advocate(Kitchens):
    """The roles around one task."""

    def __init__(
        self, name: str, task: str, model: Simulated, *, temperature: float = 0.0, blank: bool = False
    ) -> None:
        super().__init__(model, world=as_world(OneTask(name, task, blank=blank)))
        asked = RoleModel(model, Sampling(temperature=temperature))
        texts = _texts(name)
        self._actors |= {
            "executor": Executor(asked, self, texts),
            "planner": Planner(asked, texts),
            "reflector": Reflector(asked, texts),
        }

    def play(self, **options: Any) -> Solved | Unsolved:
        """An episode of Devil's Advocate with these options."""
        return self.solve(DevilsAdvocate(DevilsAdvocateConfig(**options)), shown=())

    @property
    def trials(self) -> list[TrialEnded]:
        return [event for event in self.noted if isinstance(event, TrialEnded)]
