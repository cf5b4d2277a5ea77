"""Ingredients: the ordered prompt contributions that a request hands to the executor. They do not know each other."""

from typing import TypeAlias

from msgspec import Struct


class Demonstrations(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="demonstrations"):
    """Worked examples, shown before the task."""

    text: str


class Inventory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="inventory"):
    """What the agent carries as a subtask begins, in the world's own words.

    Source: ADaPT, appendix A (controller, TextCraft).
    """

    text: str


Ingredient: TypeAlias = Demonstrations | Inventory
