"""A user's own recipes: a folder of the game's JSON files, in the format of 1.16.5 (`data/minecraft/recipes`)."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from quintet.environments.textcraft.recipes import Need, Recipe
from quintet.errors import UsageError
from quintet.plugins.files import read_limited

_LARGEST = 2**20
"""Bytes of a recipe."""

_Made: TypeAlias = Annotated[str, Meta(pattern=r"^([a-z0-9_.-]+:)?[a-z0-9_.-]+$")]
_Named: TypeAlias = Annotated[str, Meta(pattern=r"^([a-z0-9_.-]+:)?[a-z0-9_./-]+$")]
_Count: TypeAlias = Annotated[int, Meta(ge=1, le=64)]


class _Kind(Struct):
    type: str


class _Ingredient(Struct):
    item: _Named | None = None
    tag: _Named | None = None


_Alternatives: TypeAlias = _Ingredient | Annotated[list[_Ingredient], Meta(min_length=1)]


class _Result(Struct):
    item: _Made
    count: _Count = 1


class _Shaped(Struct):
    pattern: Annotated[list[Annotated[str, Meta(max_length=3)]], Meta(min_length=1, max_length=3)]
    key: dict[Annotated[str, Meta(min_length=1, max_length=1)], _Alternatives]
    result: _Made | _Result
    group: str = ""


class _Shapeless(Struct):
    ingredients: Annotated[list[_Alternatives], Meta(min_length=1, max_length=9)]
    result: _Made | _Result
    group: str = ""


class _Foreign(Exception):
    """The file does not hold a recipe; the text says what it holds."""


FileT = TypeVar("FileT", bound=Struct)


def read_recipes(folder: Path) -> tuple[Recipe, ...]:
    """Read the crafting recipes in a folder, by file name in reverse order, which gives the paper's table.

    Other files than `.json` are skipped, and so are recipes other than shaped and shapeless crafting (smelting,
    stonecutting, dyeing). The first of an ingredient's alternatives is used.

    Args:
        folder: of the JSON files, or with a subfolder `recipes/` of them.

    Raises:
        UsageError: the folder cannot be read, holds no crafting recipe, or a file in it is not a recipe.
    """
    found = [recipe for file in _files(folder) if (recipe := _recipe(file)) is not None]
    if not found:
        raise UsageError(f"recipes: expected crafting recipes as .json files of Minecraft 1.16, got none ({folder})")
    return tuple(found)


def _files(folder: Path) -> list[Path]:
    try:
        inner = folder / "recipes"
        files = [file for file in (inner if inner.is_dir() else folder).iterdir() if file.suffix == ".json"]
    except OSError as error:
        raise UsageError(f"recipes: expected a folder to read, got {error.strerror or error} ({folder})") from error
    return sorted(files, key=lambda file: file.name, reverse=True)


def _recipe(file: Path) -> Recipe | None:
    try:
        content = read_limited(file, _LARGEST)
        match _decode(content, _Kind).type.removeprefix("minecraft:"):
            case "crafting_shaped":
                shaped = _decode(content, _Shaped)
                return _make(shaped.result, shaped.group, _laid_out(shaped))
            case "crafting_shapeless":
                shapeless = _decode(content, _Shapeless)
                return _make(shapeless.result, shapeless.group, map(_first, shapeless.ingredients))
            case _:
                return None
    except OSError as error:
        raise UsageError(f"recipe: expected a readable file, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"recipe: {error} ({file})") from error
    except _Foreign as error:
        raise UsageError(f"recipe: expected a recipe of Minecraft 1.16, got {error} ({file})") from error


def _decode(content: bytes, kind: type[FileT]) -> FileT:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _Foreign(f"something else: {error}") from error


def _laid_out(shaped: _Shaped) -> Iterable[Need]:
    """An ingredient for every filled cell of the pattern."""
    cells = Counter("".join(shaped.pattern).replace(" ", ""))
    if cells.keys() != shaped.key.keys():
        raise _Foreign(f"the symbols {sorted(cells)} in the pattern and {sorted(shaped.key)} in the key")
    # The command lists the ingredients in the key's order.
    return [_first(alternatives, cells[symbol]) for symbol, alternatives in shaped.key.items()]


def _first(alternatives: _Ingredient | list[_Ingredient], count: int = 1) -> Need:
    ingredient = alternatives[0] if isinstance(alternatives, list) else alternatives
    match ingredient:
        case _Ingredient(item=str(item), tag=None):
            return Need(count, _name(item))
        case _Ingredient(item=None, tag=str(tag)):
            return Need(count, _name(tag), category=True)
        case _:
            raise _Foreign("an ingredient that is neither one item nor one tag")


def _make(result: str | _Result, group: str, needs: Iterable[Need]) -> Recipe:
    made = result if isinstance(result, _Result) else _Result(result)
    counts: Counter[tuple[str, bool]] = Counter()
    for need in needs:
        counts[need.name, need.category] += need.count
    merged = tuple(Need(count, name, category) for (name, category), count in counts.items())
    return Recipe(makes=_name(made.item), count=made.count, group=group.replace("_", " ") or None, needs=merged)


def _name(written: str) -> str:
    return written.removeprefix("minecraft:").replace("_", " ")
