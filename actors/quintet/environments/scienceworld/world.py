"""ScienceWorld as a world: its tasks, and how each begins."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from quintet.environments.scienceworld.package import scienceworld_version
from quintet.environments.scienceworld.session import ScienceState
from quintet.environments.scienceworld.variations import SCIENCE_SPLITS, read_task_name, science_tasks
from quintet.environments.scienceworld.ways import way_left
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.task_names import unknown_task
from quintet.ports.world import TASK_TYPE, CallsIn, Forks, World

_RULES = "3"


class ScienceWorld(World):
    """Experiments in a house with a workshop, a greenhouse and a foundry, in the package's own simulator.

    Raises:
        PackageMissing: `scienceworld` or Java is not installed.

    Source: Wang et al. (2022), ScienceWorld, of whose package tasks, simulator and score are. Differs: README.md.
    """

    name = "scienceworld"
    splits = SCIENCE_SPLITS
    forks: Forks = "replay"
    blocking: CallsIn | None = "thread"
    opens_on_page = True
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(self) -> None:
        self._package = scienceworld_version()
        self.version = f"{_RULES}+{self._package}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return science_tasks(split)

    def metadata(self, task: str) -> Mapping[str, str]:
        return {TASK_TYPE: self._read(task)[0]}

    def scores(self, task: str) -> tuple[str, ...]:
        return ("package_score",)

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        return {"package": self._package}

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Start Java, and open one task: the simulator's code is loaded by its first game, in seconds."""
        try:
            await asyncio.to_thread(ScienceState, *self._read(next(iter(tasks))))
        except WorldFault as fault:
            raise UsageError(str(fault)) from fault

    def open(self, task: Task) -> ScienceState:
        """The state in which a task begins. The seed has no effect."""
        return ScienceState(*self._read(task.name))

    def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        """The rest of the package's way, without a copy of the session; None if it does not lead on."""
        return way_left(*self._read(task.name), tuple(actions))

    def _read(self, task: str) -> tuple[str, int]:
        if (found := read_task_name(task)) is None:
            raise unknown_task(task, (name for split in self.splits for name in self.tasks(split)), self.name)
        return found
