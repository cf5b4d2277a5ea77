"""TextCraft as a world: its tasks and their openings."""

from collections.abc import Mapping
from pathlib import Path

from quintet.environments.task_names import unknown_split, unknown_task
from quintet.environments.textcraft.opening import Brief, brief
from quintet.environments.textcraft.recipes import RecipeTable, paper_goals, paper_table
from quintet.environments.textcraft.state import CraftingTask, TextCraftState, begin_crafting, restore_crafting
from quintet.environments.textcraft.vanilla import read_recipes
from quintet.messages.environment import Task
from quintet.ports.world import Forks

_RULES = "1"
_MIN_DEPTH = 2
"""The least recipe depth of an item in a split."""


class TextCraft:
    """Craft an item from fetched ones. A task has the name of its item; its seed picks and orders the commands shown.

    Args:
        recipes: a folder of the game's own recipe files (see `read_recipes`); None: the paper's recipes.

    Raises:
        UsageError: the folder cannot be used.

    Source: ADaPT, section 4.1 and appendix E, and its released environment for the texts. Differs: see README.md.
    """

    def __init__(self, recipes: Path | str | None = None) -> None:
        self._table = paper_table() if recipes is None else RecipeTable(read_recipes(Path(recipes)))
        self._splits = _split(self._table)
        self._briefs: dict[str, Brief] = {}

    @property
    def name(self) -> str:
        return "textcraft"

    @property
    def version(self) -> str:
        return f"{_RULES}+{self._table.digest}"

    @property
    def forks(self) -> Forks:
        return "copy"

    @property
    def exact(self) -> bool:
        return True

    @property
    def splits(self) -> tuple[str, ...]:
        """`test`: the paper's 200 goals. `dev`: every other item of recipe depth 2 or more, by name.

        With a user's own recipes, `test` holds those of the 200 with such a depth. Either split may then be empty, and
        comes second.
        """
        return tuple(self._splits)

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self._splits:
            raise unknown_split(split, self._splits, self.name)
        return self._splits[split]

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"recipe depth": str(self._table.depths[self._goal(task)])}

    def open(self, task: Task) -> TextCraftState:
        return begin_crafting(self._start(task))

    def restore(self, task: Task, snapshot: bytes) -> TextCraftState:
        return restore_crafting(self._start(task), snapshot)

    def _start(self, task: Task) -> CraftingTask:
        goal = self._goal(task.name)
        if goal not in self._briefs:
            self._briefs[goal] = brief(self._table, goal)
        opening = self._briefs[goal].opening(task)
        return CraftingTask(task=task, version=self.version, goal=goal, opening=opening, table=self._table)

    def _goal(self, task: str) -> str:
        if task not in self._table.depths:
            raise unknown_task(task, self._table.depths, self.name)
        return task


def _split(table: RecipeTable) -> dict[str, tuple[str, ...]]:
    deep = {item for item, depth in table.depths.items() if depth >= _MIN_DEPTH}
    test = tuple(goal for goal in paper_goals() if goal in deep)
    splits = {"test": test, "dev": tuple(sorted(deep.difference(test)))}
    return dict(sorted(splits.items(), key=lambda split: not split[1]))
