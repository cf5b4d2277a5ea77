"""Recipes: the table of valid ones, their ingredients, and the paper's table with its goals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain
from math import inf
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct


class Need(Struct, frozen=True):
    """One ingredient of a recipe."""

    count: int
    name: str
    category: bool = False
    """`name` is a category: any one of its members serves, never the category itself."""


class Recipe(Struct, frozen=True):
    """One way to make an item."""

    makes: str
    count: int
    """How many of the item one crafting makes."""
    group: str | None
    """The category of the item made this way, if any."""
    needs: tuple[Need, ...]
    """Each name once, in the source's order."""

    @property
    def command(self) -> str:
        """The recipe as an opening lists it: `craft 4 oak planks using 1 oak log`."""
        needs = ", ".join(f"{need.count} {need.name}" for need in self.needs)
        return f"craft {self.count} {self.makes} using {needs}"


def item_id(name: str) -> str:
    """The game's own name of an item: `minecraft:oak_planks`. A modded item's name holds its own namespace."""
    written = name.replace(" ", "_")
    return written if ":" in written else f"minecraft:{written}"


Given: TypeAlias = tuple[tuple[int, str], ...]
"""Ingredients in a command: counts and names."""

KeyT = TypeVar("KeyT")
_ValueT = TypeVar("_ValueT")

RecipesOf: TypeAlias = Mapping[str, tuple[Recipe, ...]]


class RecipeTable:
    """The game's rules over a list of recipes. Immutable.

    Args:
        recipes: in reading order, which decides the recipe of a circle that is dropped.

    Source: TextCraft as released. A recipe from a single `... block` is dropped, and so is one whose product is already
    among the ingredients of its ingredients. A category's members are the products of the remaining recipes whose
    `group` is its name; a category without members is an ordinary item.
    """

    recipes: RecipesOf
    """By product; the keys are the craftable items."""
    members: Mapping[str, frozenset[str]]
    """The members of each category."""
    fetchable: frozenset[str]
    """The items that `get` gives: those that occur in a recipe, dropped ones included, and that no recipe makes."""
    depths: Mapping[str, int]
    """The recipe depth of every item that can be made from fetched ones; at depth 1 all ingredients are fetched."""
    digest: str
    """Changes when an action may have another outcome."""

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        kept = _without_circles([recipe for recipe in recipes if not _unpacks_a_block(recipe)])
        groups = _grouped((recipe.group, recipe.makes) for recipe in kept if recipe.group is not None)
        kept = [_without_empty_categories(recipe, groups.keys()) for recipe in kept]
        asked_for = {need.name for recipe in kept for need in recipe.needs if need.category}
        self.members = {name: frozenset(groups[name]) for name in sorted(asked_for)}
        self.recipes = _grouped((recipe.makes, recipe) for recipe in kept)
        self.fetchable = frozenset(_occurring(recipes, groups)) - self.recipes.keys()
        self.depths = _depths(self.recipes, self.members)
        told = msgspec.msgpack.encode((kept, sorted(self.fetchable)))
        self.digest = blake2b(told, digest_size=4).hexdigest()
        self._users = _grouped((_key(need), recipe) for recipe in kept for need in recipe.needs)

    def users(self, need: Need) -> tuple[Recipe, ...]:
        """The recipes with that ingredient, in reading order."""
        return self._users.get(_key(need), ())

    def makers(self, need: Need) -> tuple[Recipe, ...]:
        """The recipes that make the ingredient, or a member if it is a category; empty if it is fetched."""
        items = sorted(self.members[need.name]) if need.category else [need.name]
        return tuple(chain.from_iterable(self.recipes.get(item, ()) for item in items))

    def fitting(self, item: str, given: Given) -> Recipe | None:
        """The first recipe of `item` that takes exactly the given ingredients, in any order."""
        for recipe in self.recipes.get(item, ()):
            if len(recipe.needs) == len(given) and self._takes(recipe.needs, given):
                return recipe
        return None

    def _takes(self, needs: tuple[Need, ...], given: Given) -> bool:
        if not needs:
            return True
        need, rest = needs[0], needs[1:]
        wanted = self.members[need.name] if need.category else (need.name,)
        return any(
            count == need.count and name in wanted and self._takes(rest, given[:place] + given[place + 1 :])
            for place, (count, name) in enumerate(given)
        )


def _unpacks_a_block(recipe: Recipe) -> bool:
    return len(recipe.needs) == 1 and recipe.needs[0].name.endswith(" block")


def _without_circles(recipes: Iterable[Recipe]) -> list[Recipe]:
    kept: list[Recipe] = []
    below: defaultdict[str, set[str]] = defaultdict(set)
    for recipe in recipes:
        names = [need.name for need in recipe.needs]
        if any(recipe.makes in below[name] for name in names):
            continue
        kept.append(recipe)
        below[recipe.makes].update(names, *(below[name] for name in names))
    return kept


def _without_empty_categories(recipe: Recipe, groups: Iterable[str]) -> Recipe:
    """The recipe with every category that has no member turned into an item."""
    needs = (Need(need.count, need.name, need.category and need.name in groups) for need in recipe.needs)
    return msgspec.structs.replace(recipe, needs=tuple(needs))


def _occurring(recipes: Iterable[Recipe], groups: Mapping[str, object]) -> Iterable[str]:
    for recipe in recipes:
        yield recipe.makes
        for need in recipe.needs:
            if not need.category or need.name not in groups:
                yield need.name


def _depths(recipes: RecipesOf, members: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """The least depths, computed upwards from fetched items, so that a circle through a category does no harm."""
    known: dict[str, float] = dict.fromkeys(recipes, inf)

    def depth(need: Need) -> float:
        return min(known[member] for member in members[need.name]) if need.category else known.get(need.name, 0)

    changed = True
    while changed:
        changed = False
        for item, ways in recipes.items():
            least = min(max(depth(need) for need in way.needs) + 1 for way in ways)
            if least < known[item]:
                known[item], changed = least, True
    return {item: int(found) for item, found in known.items() if found < inf}


def _key(need: Need) -> tuple[str, bool]:
    return need.name, need.category


def _grouped(pairs: Iterable[tuple[KeyT, _ValueT]]) -> dict[KeyT, tuple[_ValueT, ...]]:
    found: defaultdict[KeyT, list[_ValueT]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


_FOLDER = Path(__file__).parent


@cache
def paper_table() -> RecipeTable:
    """The paper's recipe table. Reading in reverse order by name makes nuggets from ingots, not the reverse."""
    return RecipeTable([_recipe(line) for line in reversed(_lines("recipes.tsv"))])


@cache
def paper_goals() -> tuple[str, ...]:
    """The 200 goals of the test split, in published order."""
    return tuple(_lines("goals.txt"))


def _lines(file: str) -> list[str]:
    text = (_FOLDER / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _recipe(line: str) -> Recipe:
    makes, count, group, needs = line.split("\t")
    return Recipe(
        makes=makes,
        count=int(count),
        group=None if group == "-" else group,
        needs=tuple(_need(need) for need in needs.split(", ")),
    )


def _need(text: str) -> Need:
    count, alternatives = text.split(" ", 1)
    first = alternatives.split(" / ")[0]
    return Need(int(count), first.removeprefix("#"), category=first.startswith("#"))
