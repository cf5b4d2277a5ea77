"""Parses and writes actions, with the rules of the released environment.

An action is matched from the start, case-sensitive, and up to the first line break. Text after a complete action is
ignored, so `inventory: now` looks into the inventory. In a name, `_` may stand for a blank.
"""

import re
from typing import TypeAlias

from msgspec import Struct

from quintet.environments.textcraft.recipes import Given

# A count has at most nine digits after its leading zeros. The released environment takes any number, but Python
# refuses to read or write one of thousands of digits, and no action may raise.
_COUNTED = r"0*([0-9]{1,9}) (.*)"

_craft = re.compile(r"craft (.*) using (.*)").match
_get = re.compile(f"get {_COUNTED}").match
_needed = re.compile(_COUNTED).match
_leading_count = re.compile(r"[0-9]+ ").match


class Craft(Struct, frozen=True):
    """Make `target` of `given`."""

    target: str
    """As written, without the count before it, which is ignored."""
    given: Given


class Get(Struct, frozen=True):
    """Fetch a number of an item."""

    count: int
    target: str
    """As written."""


class LookUp(Struct, frozen=True):
    """List the inventory."""


class Unclear(Struct, frozen=True):
    """Not an action of this world."""

    reply: str


Command: TypeAlias = Craft | Get | LookUp | Unclear

_LOOK_UP = LookUp()


def parse_command(action: str) -> Command:
    """Parse an action; any text is allowed."""
    if found := _get(action):
        return Get(int(found[1]), found[2])
    if found := _craft(action):
        return _read_craft(found[1], found[2])
    return _LOOK_UP if action.startswith("inventory") else Unclear(f"Could not execute {action}")


def get_action(count: int, item: str) -> str:
    """The action that fetches a number of an item, at most nine digits."""
    return f"get {count} {_spelt(item)}"


def craft_action(count: int, item: str, given: Given) -> str:
    """The action that makes an item, as openings list it."""
    return f"craft {count} {_spelt(item)} using {', '.join(f'{each} {_spelt(name)}' for each, name in given)}"


def _spelt(item: str) -> str:
    """A name as it is read again: a modded item may be called `glue using guide`, or `_glue`."""
    readable = " using " not in f" {item} " and item == item.strip()
    return item if readable else item.replace(" ", "_")


def item_name(written: str) -> str:
    """The name of an item in the recipe table, which may not have it."""
    return written.replace("_", " ")


def _read_craft(target: str, ingredients: str) -> Craft | Unclear:
    given: list[tuple[int, str]] = []
    for part in ingredients.split(","):
        text = part.strip()
        found = _needed(text)
        if found is None:
            return Unclear(f"Wrong item format: {text}")
        given.append((int(found[1]), item_name(found[2])))
    count = _leading_count(target)
    return Craft(target[count.end() :] if count else target, tuple(given))
