"""TextCraft as a world: its tasks, and their openings: commands that lead to the goal, distractors, and the goal."""

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, TypeVar

from msgspec import Struct

from quintet.environments.content import content_digest
from quintet.environments.textcraft.recipes import Need, Recipe, RecipeTable, paper_goals, paper_table
from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.vanilla import read_recipes
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.task_names import unknown_task
from quintet.ports.world import Opening, World

_MAX_DISTRACTORS = 10
_MAX_USERS = 10
"""The most distractors for each ingredient of each recipe; a distractor uses the same ingredient."""

_ValueT = TypeVar("_ValueT")


class Brief(Struct, frozen=True):
    """The part of a goal's openings that does not depend on the seed."""

    goal: str
    gold: tuple[str, ...]
    """The commands of the goal's recipe tree: every recipe of the goal and, down to fetched items, of every
    ingredient; for a category, every recipe of every member. At most 62 commands with the paper's table."""
    users: tuple[tuple[str, ...], ...]
    """For each ingredient of each of those recipes, the commands that use it."""

    def opening(self, task: Task) -> Opening:
        """The opening of one task: its seed picks the distractors and shuffles the commands."""
        random = Random(f"{task.name}:{task.seed}")
        used = dict.fromkeys(command for users in self.users for command in _sample(random, users, _MAX_USERS))
        others = [command for command in used if command not in self.gold]
        shown = [*self.gold, *_sample(random, others, _MAX_DISTRACTORS)]
        commands = "\n".join(_sample(random, shown, len(shown)))
        setting = f"Crafting commands:\n{commands}"
        goal = f"craft {self.goal}"
        return Opening(observation=f"{setting}\n\nGoal: {goal}.", setting=setting, goal=goal)


def brief(table: RecipeTable, goal: str) -> Brief:
    """Build the brief of a goal, which must be craftable."""
    tree = _tree(table, goal)
    return Brief(
        goal=goal,
        gold=tuple(dict.fromkeys(recipe.command for recipe in tree)),
        users=tuple(
            tuple(dict.fromkeys(user.command for user in table.users(need))) for recipe in tree for need in recipe.needs
        ),
    )


def _tree(table: RecipeTable, goal: str) -> list[Recipe]:
    """The recipes of the goal and of everything they need, nearest first."""
    found: dict[Recipe, None] = {}
    waiting = deque([Need(1, goal)])
    while waiting:
        for recipe in table.makers(waiting.popleft()):
            if recipe not in found:
                found[recipe] = None
                waiting.extend(recipe.needs)
    return list(found)


def _sample(random: Random, values: Sequence[_ValueT], most: int) -> list[_ValueT]:
    """Up to `most` of the values in random order.

    Only `random()` is promised to give the same numbers in every version of Python.
    """
    shuffled = list(values)
    size = min(most, len(shuffled))
    for place in range(size):
        other = place + int(random.random() * (len(shuffled) - place))
        shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
    return shuffled[:size]


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
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(self, recipes: Annotated[Path | str | None, Effect.NONE] = None) -> None:
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

    def content(self, split: str) -> Mapping[str, str]:
        return {"recipes": self._table.digest, "goals": content_digest(self.tasks(split))}

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
