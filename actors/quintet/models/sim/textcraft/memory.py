"""A crafting past in plain sentences, the subgoals of a task, and what goals and observations are about."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.book import read_needs
from quintet.models.sim.textcraft.crafting import OutOfReachError
from quintet.models.sim.textcraft.progress import believes_reached, item_shares
from quintet.models.sim.textcraft.task import CraftTask
from quintet.models.sim.textcraft.topics import craft_topic
from quintet.models.sim.transcript import Exchange, Reading

_REFUSED = re.compile(r"(?:could not|wrong item format)\b", re.IGNORECASE)
_SHOWS_ITEMS = re.compile(r"(?:got|crafted|inventory:)", re.IGNORECASE)

_I_CRAFTED = re.compile(r"i crafted (?P<what>\d{1,9} .+)", re.IGNORECASE)
_I_HELD = re.compile(r"i held (?P<what>nothing|\d{1,9} .+)", re.IGNORECASE)
_REFUSAL = re.compile(r"the world refused: (?P<action>.+?) \((?P<cause>.+)\)", re.IGNORECASE)


class TextcraftMemory(Player[CraftTask]):
    """Writes and reads what a memory holds of crafting."""

    def subgoals(self, reading: Reading[CraftTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        belief = believe(reading.task.carried, mind.skill.remembered(reading))
        task = reading.task.misread(mind.misreading)
        goal, wrong = task.goal, mind.misreading.wrong
        try:
            parts = item_shares(task, belief)
        except OutOfReachError:
            parts = {}
        for item, share in parts.items():
            if item != goal.item:
                verb = "craft" if task.book.commands.get(item) else "get"
                yield f"{verb} {item}", (share >= 1) != wrong(task.wording, "is there", item)
        yield task.wording, believes_reached(task, belief, mind.misreading)

    def sum_up(self, task: CraftTask, steps: Sequence[Exchange]) -> Iterator[str]:
        """What was crafted and is held, all together, and every refusal."""
        belief = believe(task.carried, steps)
        if crafted := _listed(belief.crafted):
            yield f"I crafted {crafted}."
        for step in steps:
            if step.action and _REFUSED.match(step.observation):
                yield f"The world refused: {step.action} ({step.observation.rstrip('.')})."
        if any(_SHOWS_ITEMS.match(step.observation) for step in steps):
            yield f"I held {_listed(belief.carried) or 'nothing'}."

    def hear(self, sentence: str) -> Iterator[Exchange]:
        said = sentence.strip().rstrip(".")
        if crafted := _I_CRAFTED.fullmatch(said):
            yield from (Exchange("", f"Crafted {count} {item}") for item, count in read_needs(crafted["what"]))
        elif refused := _REFUSAL.fullmatch(said):
            yield self.read_exchange(f"Action: {refused['action']}", refused["cause"])
        elif held := _I_HELD.fullmatch(said):
            items = () if held["what"].lower() == "nothing" else read_needs(held["what"])
            listed = " ".join(f"[{item}] ({count})" for item, count in items)
            yield Exchange("inventory", f"Inventory: {listed or 'You are not carrying anything.'}")

    def topic(self, text: str) -> Topic | None:
        return craft_topic(text)


def _listed(items: Counter[str]) -> str:
    return ", ".join(f"{count} {item}" for item, count in items.items() if count)
