"""The recipes and the goals of the paper, from the two tables beside this file, where their origin is stated."""

from functools import cache
from pathlib import Path

from quintet.environments.textcraft.recipes import Need, Recipe
from quintet.environments.textcraft.table import RecipeTable

_FOLDER = Path(__file__).parent


@cache
def paper_table() -> RecipeTable:
    """The paper's recipe table. Read by name in reverse order, which makes nuggets of ingots and not the other way."""
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
