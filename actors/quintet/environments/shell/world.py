"""The shell as a world: its tasks, and how each begins."""

from collections.abc import Collection, Mapping
from pathlib import Path
from threading import Lock
from typing import Annotated, ClassVar, Final

from quintet.environments.content import content_digest
from quintet.environments.shell import host
from quintet.environments.shell.given import GivenLayers, given_layers
from quintet.environments.shell.layers import Folder
from quintet.environments.shell.limits import CommandLimits
from quintet.environments.shell.sandbox import try_sandbox
from quintet.environments.shell.state import ShellState, ShellTask
from quintet.environments.shell.task_folder import TaskFolder, read_task_folders
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.task_names import unknown_task
from quintet.ports.world import Opening, World

_RULES: Final = "1"
_SHIPPED: Final = Path(__file__).parent / "shipped"
_MOST_LISTED: Final = 40


class Shell(World):
    """Tasks at a command line, each command in a sandbox of its own. Needs Linux and bubblewrap.

    Args:
        tasks: a folder of tasks in Harbor's layout; None: ten of our own.
        repeats: whether the commands of an interrupted attempt are run again when it is resumed, and have to answer as
            before. False, for tasks that depend on the clock or on chance: the episode begins again.
        seconds: of the clock, after which a command is killed.
        cpu_seconds: of computing, in each process.
        memory_mb: in each process of a command, and in all together.
        processes: of a command at a time.
        folder_mb: in the folder after a command, beyond which the task ends.
        file_mb: in one file.
        files: in the folder, beyond which the task ends.
        shown: characters of a command's output that are shown.

    Raises:
        UsageError: an option is wrong, or the tasks cannot be read.

    Source: Harbor for the layout of tasks. Differs: README.md.
    """

    name = "shell"
    blocking = "thread"
    variables: ClassVar[Mapping[str, str]] = {"tasks": "SHELL_TASKS"}
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(
        self,
        tasks: Annotated[Path | str | None, Effect.LOADS] = None,
        *,
        repeats: bool = True,
        seconds: int = 10,
        cpu_seconds: int = 10,
        memory_mb: int = 1024,
        processes: int = 64,
        folder_mb: int = 256,
        file_mb: int = 64,
        files: int = 10_000,
        shown: int = 8_000,
    ) -> None:
        self._limits = CommandLimits(
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            memory_mb=memory_mb,
            processes=processes,
            folder_mb=folder_mb,
            file_mb=file_mb,
            files=files,
            shown=shown,
        )
        self._limits.check(self.name)
        folder = _SHIPPED if tasks is None else Path(tasks)
        self._tasks = read_task_folders(folder)
        self._hidden = tuple(each for each in (folder.resolve(),) if each.is_relative_to("/usr"))
        self._given: dict[str, GivenLayers] = {}
        self._making = Lock()
        self.repeats = repeats
        limits = [getattr(self._limits, option) for option in self._limits.__struct_fields__]
        self.version = f"{_RULES}+{self._digest}+{content_digest(limits)}"

    @property
    def _digest(self) -> str:
        return content_digest([(name, task.digest) for name, task in self._tasks.items()])

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._tasks)

    def metadata(self, task: str) -> Mapping[str, str]:
        return self._find(task).metadata

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        return {"tasks": self._digest}

    def refusal(self, task: str, *, judged: bool) -> str:
        """Why a task is left out: it needs an image of its own, or the network."""
        return self._find(task).refusal

    def lacking(self) -> str:
        return host.lacking()

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Start what starts commands, and try it."""
        try:
            try_sandbox(host.shell_host())
        except WorldFault as fault:
            raise UsageError(str(fault)) from fault

    def open(self, task: Task) -> ShellState:
        """The state in which a task begins. The seed has no effect."""
        found = self._find(task.name)
        if found.refusal:
            raise UsageError(f"task {task.name!r}: {found.refusal} (shell)")
        try:
            here = host.shell_host()
            given = self._given_of(here, found)
        except UsageError as error:  # known on this host only
            raise WorldFault(str(error)) from error
        start = ShellTask(found, _opening(found), given, self._limits, self._hidden)
        return ShellState(start, here, Folder.over(here, given.base))

    async def aclose(self) -> None:
        """Let go of the tasks' files."""
        self._given.clear()

    def _given_of(self, here: host.ShellHost, task: TaskFolder) -> GivenLayers:
        with self._making:
            if task.name not in self._given:
                self._given[task.name] = given_layers(here, task)
            return self._given[task.name]

    def _find(self, task: str) -> TaskFolder:
        if task not in self._tasks:
            raise unknown_task(task, self._tasks, self.name)
        return self._tasks[task]


def _opening(task: TaskFolder) -> Opening:
    names = [file.path for file in task.files() if file.content is not None]
    listed = ", ".join(names[:_MOST_LISTED]) + (f" and {len(names) - _MOST_LISTED} more" * (len(names) > _MOST_LISTED))
    setting = f"You are at a command line, in the folder {task.home}. Its files: {listed or 'none'}."
    goal = task.instruction.rstrip(" .!?")
    return Opening(observation=f"{setting}\n\nGoal: {goal}.", setting=setting, goal=goal)
