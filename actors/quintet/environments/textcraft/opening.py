"""The opening of a task: the commands that lead to the goal, mixed with distractors, and the goal."""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct

from quintet.environments.textcraft.recipes import Need, Recipe, RecipeTable
from quintet.messages.environment import Task
from quintet.ports.world import Opening

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
