"""Recipes: what a crafting table makes of what, before any rule of the game is applied."""

from msgspec import Struct


class Need(Struct, frozen=True):
    """One ingredient of a recipe."""

    count: int
    name: str
    category: bool = False
    """`name` stands for any one of the category's members, never for itself."""


class Recipe(Struct, frozen=True):
    """One way to make an item."""

    makes: str
    count: int
    """How many of the item one crafting brings."""
    group: str | None
    """The category that the item made this way belongs to, if any."""
    needs: tuple[Need, ...]
    """Each name once, in the order of the recipe's source."""

    @property
    def command(self) -> str:
        """The recipe as an opening lists it: `craft 4 oak planks using 1 oak log`."""
        needs = ", ".join(f"{need.count} {need.name}" for need in self.needs)
        return f"craft {self.count} {self.makes} using {needs}"


def identifier(name: str) -> str:
    """The game's own name of an item: `minecraft:oak_planks`. A modded item's name holds its own namespace."""
    written = name.replace(" ", "_")
    return written if ":" in written else f"minecraft:{written}"
