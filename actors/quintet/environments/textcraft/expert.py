"""The expert: gets and crafts that make the goal from any inventory.

It uses what is carried first, and otherwise goes by the least recipe depth. That reaches the goal from anywhere, though
not always in the fewest actions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf

from quintet.environments.textcraft.commands import craft_action, get_action
from quintet.environments.textcraft.recipes import Given, Need, Recipe, RecipeTable


def crafting_plan(table: RecipeTable, goal: str, carried: Mapping[str, int]) -> tuple[str, ...]:
    """Actions that craft the goal once more: all gets, each item once, and then the crafts.

    Args:
        goal: an item that can be made from fetched ones.
    """
    plan = _Plan(table, carried)
    plan.craft(goal)
    gets = (get_action(count, item) for item, count in plan.fetched.items())
    return (*gets, *plan.crafts)


class _Plan:
    """Grows in the order of crafting. Items that a recipe will take are set aside, so nothing else takes them.

    A craft for which something is missing makes that at a lesser recipe depth, and takes nothing of what is collected
    for another craft, so it ends, even where items can be made from each other.
    """

    def __init__(self, table: RecipeTable, carried: Mapping[str, int]) -> None:
        self._table = table
        self._free = Counter(carried)
        """What is carried and not set aside."""
        self.fetched: Counter[str] = Counter()
        self.crafts: list[str] = []

    def craft(self, item: str) -> None:
        """Craft an item once, everything that is missing first."""
        recipes = self._table.recipes[item]
        given = next(filter(None, map(self._carried_for, recipes)), None)
        if given is None:
            given = tuple([self._obtain(need) for need in min(recipes, key=self._depth).needs])
        else:
            self._set_aside(given)
        made = self._table.fitting(item, given)
        assert made is not None
        self.crafts.append(craft_action(made.count, item, given))
        self._free[item] += made.count

    def _carried_for(self, recipe: Recipe) -> Given | None:
        """The ingredients of a recipe out of what is carried; None if that does not do."""
        left = self._free.copy()
        given: list[tuple[int, str]] = []
        for need in recipe.needs:
            item = max(self._items(need), key=lambda each: left[each])
            if left[item] < need.count:
                return None
            left[item] -= need.count
            given.append((need.count, item))
        return tuple(given)

    def _set_aside(self, given: Given) -> None:
        for count, item in given:
            self._free[item] -= count

    def _obtain(self, need: Need) -> tuple[int, str]:
        """Set one ingredient aside, and make or fetch first what is missing of it."""
        carried = max(self._items(need), key=lambda each: self._free[each])
        item = carried if self._free[carried] >= need.count else min(self._items(need), key=self._depth_of)
        missing = need.count - self._take(item, need.count)
        if missing and item not in self._table.recipes:
            self.fetched[item] += missing
            missing = 0
        while missing:
            self.craft(item)
            missing -= self._take(item, missing)
        return need.count, item

    def _take(self, item: str, most: int) -> int:
        """Set aside what is free of an item, up to so many, before anything else is crafted from it; how many."""
        taken = min(self._free[item], most)
        self._free[item] -= taken
        return taken

    def _items(self, need: Need) -> Sequence[str]:
        return sorted(self._table.members[need.name]) if need.category else (need.name,)

    def _depth(self, recipe: Recipe) -> float:
        return max(min(map(self._depth_of, self._items(need))) for need in recipe.needs)

    def _depth_of(self, item: str) -> float:
        return 0 if item in self._table.fetchable else self._table.depths.get(item, inf)
