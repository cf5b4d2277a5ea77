"""TextCraft as a world: its tasks and their openings."""

from collections.abc import Mapping
from pathlib import Path

from quintet.environments.textcraft.opening import Brief, brief
from quintet.environments.textcraft.recipes import RecipeTable, paper_goals, paper_table
from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.vanilla import read_recipes
from quintet.messages.environment import Task
from quintet.ports.task_names import unknown_task
from quintet.ports.world import World

_RULES = "1"
_MIN_DEPTH = 2
"""The least recipe depth of an item in a split."""


class TextCraft(World):
    """Craft an item from fetched ones. A task has the name of its item; its seed picks and orders the commands shown.

    Args:
        recipes: a folder of the game's own recipe files (see `read_recipes`); None: the paper's recipes.

    Raises:
        UsageError: the folder cannot be used.

    Source: ADaPT, section 4.1 and appendix E, and its released environment for the texts. Differs: see README.md.
    """

    name = "textcraft"

    def __init__(self, recipes: Path | str | None = None) -> None:
        self._table = paper_table() if recipes is None else RecipeTable(read_recipes(Path(recipes)))
        self._splits = _split(self._table)
        self._briefs: dict[str, Brief] = {}
        self.version = f"{_RULES}+{self._table.digest}"
        self.splits = tuple(self._splits)
        """`test`: the paper's 200 goals. `dev`: every other item of recipe depth 2 or more, by name.

        With a user's own recipes, `test` holds those of the 200 with such a depth. Either split may then be empty, and
        comes second.
        """

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return self._splits[split]

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"recipe depth": str(self._table.depths[self._goal(task)])}

    def open(self, task: Task) -> TextCraftState:
        goal = self._goal(task.name)
        if goal not in self._briefs:
            self._briefs[goal] = brief(self._table, goal)
        return TextCraftState(self._briefs[goal].opening(task), goal, self._table)

    def _goal(self, task: str) -> str:
        if task not in self._table.depths:
            raise unknown_task(task, self._table.depths, self.name)
        return task


def _split(table: RecipeTable) -> dict[str, tuple[str, ...]]:
    deep = {item for item, depth in table.depths.items() if depth >= _MIN_DEPTH}
    test = tuple(goal for goal in paper_goals() if goal in deep)
    splits = {"test": test, "dev": tuple(sorted(deep.difference(test)))}
    return dict(sorted(splits.items(), key=lambda split: not split[1]))
