"""What goals and observations in TextCraft are about: kinds of items."""

import re
from collections.abc import Mapping

from quintet.models.sim.sorting import Topic
from quintet.models.sim.textcraft.task import read_craft_goal

_MATERIALS: Mapping[str, str] = {
    "wood": (
        "acacia bamboo barrel birch boat bookshelf bowl campfire chest crimson dark fence jungle ladder logs oak "
        "planks scaffolding sign spruce stem stick torch warped wooden wood"
    ),
    "stone": (
        "andesite basalt blackstone brick bricks cobblestone deepslate diorite end flint granite nether purpur quartz "
        "sandstone stone terracotta"
    ),
    "metal and gems": (
        "anvil bucket chain chainmail compass copper diamond emerald gold golden ingot iron lapis netherite nugget "
        "rail redstone shears"
    ),
    "colours and cloth": (
        "banner bed black blue brown carpet concrete cyan dye gray green leather light lime magenta orange pink purple "
        "red white wool yellow"
    ),
    "food and plants": (
        "apple beetroot bread cake carrot cookie egg hay honey melon milk mushroom potato pumpkin seeds soup stew "
        "sugar wheat"
    ),
}
_AREA_OF = {word: area for area, words in _MATERIALS.items() for word in words.split()}

_GOT = re.compile(r"(?:got|crafted) \d{1,9} (?:minecraft:)?(.+)", re.IGNORECASE)
_COMMANDS = re.compile(r"\bcrafting commands[ \t]*:", re.IGNORECASE)
_INVENTORY = re.compile(r"inventory[ \t]*:", re.IGNORECASE)
_REFUSED = re.compile(r"(?:could not|wrong item format)\b", re.IGNORECASE)


def craft_topic(text: str) -> Topic | None:
    """The item of a goal, or of what an action led to; None if the text is neither."""
    text = text.strip()
    if (goal := read_craft_goal(text)) is not None:
        return _of_item(goal.item)
    if got := _GOT.fullmatch(text.rstrip(".")):
        return _of_item(got[1])
    if _COMMANDS.search(text):
        return Topic("the commands", "commands")
    if _INVENTORY.match(text):
        return Topic("the inventory", "inventory")
    return Topic("refusals", "refusal") if _REFUSED.match(text) else None


def _of_item(item: str) -> Topic:
    words = item.lower().replace("_", " ").split()
    return Topic(next((_AREA_OF[word] for word in words if word in _AREA_OF), "other things"), words[-1])
