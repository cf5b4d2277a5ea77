"""A crafting past in plain sentences, the subgoals of a task, and what goals and observations are about."""

import re
from collections.abc import Iterator

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.crafting import OutOfReachError
from quintet.models.sim.textcraft.progress import believes_reached, parts_of
from quintet.models.sim.textcraft.task import CraftTask
from quintet.models.sim.textcraft.topics import craft_topic
from quintet.models.sim.transcript import Exchange, Reading

_GOT = re.compile(r"got (\d{1,9} .+)", re.IGNORECASE)
_CRAFTED = re.compile(r"crafted (\d{1,9}) (?:minecraft:)?(.+)", re.IGNORECASE)
_INVENTORY = re.compile(r"inventory:\s*(.*)", re.IGNORECASE | re.DOTALL)

_I_GOT = re.compile(r"i got (?P<what>\d{1,9} .+?)\.?", re.IGNORECASE)
_I_CRAFTED = re.compile(r"i did: (?P<action>.+); that made (?P<what>\d{1,9} .+?)\.?", re.IGNORECASE)
_I_HELD = re.compile(r"the inventory was: (?P<what>.+?)\.?", re.IGNORECASE)
_REFUSAL = re.compile(r"i tried: (?P<action>.+?); the answer was: (?P<cause>.+?)\.?", re.IGNORECASE)


class TextcraftMemory(Player[CraftTask]):
    """Writes and reads what a memory holds of crafting."""

    def subgoals(self, reading: Reading[CraftTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        belief = believe(reading.task.carried, mind.skill.remembered(reading))
        task = reading.task.misread(mind.misreading)
        goal, wrong = task.goal, mind.misreading.wrong
        try:
            parts = parts_of(task, belief)
        except OutOfReachError:
            parts = {}
        for item, share in parts.items():
            if item != goal.item:
                verb = "craft" if item in task.book.commands else "get"
                yield f"{verb} {item}", (share >= 1) != wrong(task.wording, "is there", item)
        yield task.wording, believes_reached(task, belief, mind.misreading)

    def tell(self, step: Exchange) -> str:
        action, said = step.action, " ".join(step.observation.split())
        if got := _GOT.fullmatch(said):
            return f"I got {got[1]}."
        if made := _CRAFTED.fullmatch(said):
            return f"I did: {action}; that made {made[1]} {made[2]}."
        if held := _INVENTORY.fullmatch(said):
            return f"The inventory was: {held[1].rstrip('.')}."
        return f"I tried: {action}; the answer was: {said}." if action and said else ""

    def hear(self, sentence: str) -> Exchange | None:
        if got := _I_GOT.fullmatch(sentence):
            return self.read_exchange(f"Action: get {got['what']}", f"Got {got['what']}")
        if made := _I_CRAFTED.fullmatch(sentence):
            return self.read_exchange(f"Action: {made['action']}", f"Crafted {made['what']}")
        if held := _I_HELD.fullmatch(sentence):
            return self.read_exchange("Action: inventory", f"Inventory: {held['what']}")
        if tried := _REFUSAL.fullmatch(sentence):
            return self.read_exchange(f"Action: {tried['action']}", tried["cause"])
        return None

    def topic(self, text: str) -> Topic | None:
        return craft_topic(text)
