"""The environment: a row of lamps, some of them dark, each with a button."""

from random import Random

from quintet.author import Opening, Outcome, Task, World, WorldState

GOAL = "light every lamp"


class Lamps(World):
    """Light every lamp of a row. A task is named by its row; its seed says which lamps are dark."""

    name = "lamps"

    def __init__(self, longest: int = 6) -> None:
        self._rows = {f"row of {number}": number for number in range(2, longest + 1)}

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._rows)

    def open(self, task: Task) -> "Row":
        self.check_task(task.name)
        number, chance = self._rows[task.name], Random(f"{task.name}/{task.seed}")  # all chance is the seed's
        dark = chance.randrange(number)
        return Row(tuple(lamp != dark and chance.random() < 0.5 for lamp in range(number)))


class Row(WorldState):
    """A row of lamps in some state."""

    lit: tuple[bool, ...]  # declared here, so forks and snapshots have it

    def __init__(self, lit: tuple[bool, ...]) -> None:
        self.lit = lit
        self._buttons = tuple(f"press {number}" for number in range(1, len(lit) + 1))
        setting = f"A row of lamps: {self._seen()}. A button turns its lamp on or off: {', '.join(self._buttons)}."
        super().__init__(Opening(observation=f"{setting}\n\nGoal: {GOAL}.", setting=setting, goal=GOAL))

    def step(self, action: str) -> Outcome:
        if self.done or action not in self._buttons:
            return self.reject("Nothing happens.")
        self.lit = tuple(lamp != (action == button) for lamp, button in zip(self.lit, self._buttons, strict=True))
        done = all(self.lit)
        return self.accept(f"Click. Now {self._seen()}.", float(done), done=done)

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else self._buttons

    def expert(self) -> tuple[str, ...]:
        return tuple(button for button, lit in zip(self._buttons, self.lit, strict=True) if not lit)

    def _seen(self) -> str:
        return ", ".join(f"lamp {number} is {'lit' if lamp else 'dark'}" for number, lamp in enumerate(self.lit, 1))
