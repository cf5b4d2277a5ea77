"""The environment: a row of lamps, some of them dark, each with a button."""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from quintet.environments.snapshots import SnapshotCodec
from quintet.environments.task_names import unknown_split, unknown_task
from quintet.messages.environment import Task
from quintet.ports.world import Forks, Opening, Outcome

VERSION = "1"
GOAL = "light every lamp"
BUTTON = "press {}"


class Lamps:
    """Light every lamp of a row. A task is named by its row; its seed says which lamps are dark.

    Args:
        longest: lamps of the longest row.
    """

    name = "lamps"
    version = VERSION
    forks: Forks = "copy"
    exact = True
    splits = ("test",)

    def __init__(self, longest: int = 6) -> None:
        self._rows = {f"row of {number}": number for number in range(2, longest + 1)}

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.splits:
            raise unknown_split(split, self.splits, self.name)
        return tuple(self._rows)

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"lamps": str(self._row(task))}

    def open(self, task: Task) -> "Row":
        lit = self._start(task)
        return Row(task, lit, lit)

    def restore(self, task: Task, snapshot: bytes) -> "Row":
        start = self._start(task)
        held = SNAPSHOTS.decode(task, VERSION, snapshot)
        return Row(task, start, held.lit, held.last)

    def _start(self, task: Task) -> tuple[bool, ...]:
        """Which lamps are lit as the task begins. Everything random comes from the task's seed."""
        number = self._row(task.name)
        chance = Random(f"{task.name}/{task.seed}")
        lit = [chance.random() < 0.5 for _ in range(number)]
        lit[chance.randrange(number)] = False
        return tuple(lit)

    def _row(self, task: str) -> int:
        if task not in self._rows:
            raise unknown_task(task, self._rows, self.name)
        return self._rows[task]


class Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds beside task and version."""

    lit: tuple[bool, ...]
    last: str | None


SNAPSHOTS = SnapshotCodec("lamps", Held)


class Row:
    """A row of lamps in some state."""

    def __init__(self, task: Task, start: tuple[bool, ...], lit: tuple[bool, ...], last: str | None = None) -> None:
        self._task = task
        self._start = start
        self._lit = lit
        self._last = last
        """The answer to the last action that was carried out; None: there is none yet."""

    @property
    def opening(self) -> Opening:
        buttons = ", ".join(f"`{button}`" for button in self._buttons())
        setting = f"A row of lamps: {_seen(self._start)}. A button turns its lamp on or off: {buttons}."
        return Opening(observation=f"{setting}\n\nGoal: {GOAL}.", setting=setting, goal=GOAL)

    @property
    def observation(self) -> str:
        return self.opening.observation if self._last is None else self._last

    def admissible(self) -> tuple[str, ...]:
        return () if all(self._lit) else tuple(sorted(self._buttons()))

    def expert(self) -> tuple[str, ...]:
        return tuple(button for button, lit in zip(self._buttons(), self._lit, strict=True) if not lit)

    def step(self, action: str) -> Outcome:
        pressed = [action == button for button in self._buttons()]
        if all(self._lit) or not any(pressed):
            return self._outcome("Nothing happens.", rejected=True)
        self._lit = tuple(lamp != press for lamp, press in zip(self._lit, pressed, strict=True))
        self._last = f"Click. Now {_seen(self._lit)}."
        return self._outcome(self._last, rejected=False)

    def fork(self) -> "Row":
        return Row(self._task, self._start, self._lit, self._last)

    def snapshot(self) -> bytes:
        return SNAPSHOTS.encode(self._task, VERSION, Held(self._lit, self._last))

    def _buttons(self) -> list[str]:
        return [BUTTON.format(number) for number in range(1, len(self._lit) + 1)]

    def _outcome(self, observation: str, *, rejected: bool) -> Outcome:
        done = all(self._lit)
        return Outcome(observation=observation, reward=float(done), done=done, rejected=rejected)


def _seen(lit: tuple[bool, ...]) -> str:
    return ", ".join(f"lamp {number} is {'lit' if lamp else 'dark'}" for number, lamp in enumerate(lit, start=1))
