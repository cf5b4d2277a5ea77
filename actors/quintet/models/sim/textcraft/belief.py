"""What is believed of the world after reading the task and some steps: what is carried, and what was refused."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from quintet.models.sim.textcraft.book import read_command
from quintet.models.sim.textcraft.task import Step, read_inventory

_ACTION = re.compile(r"action[ \t]*:[ \t]*(\S.*)", re.IGNORECASE)
_LABEL = re.compile(r"observation[ \t]*:", re.IGNORECASE)
_GOT = re.compile(r"got (\d{1,9}) (.+)", re.IGNORECASE)
_CRAFTED = re.compile(r"crafted (\d{1,9}) (?:minecraft:)?(.+)", re.IGNORECASE)
_INVENTORY = re.compile(r"inventory:(.*)", re.IGNORECASE | re.DOTALL)
_SHORT = re.compile(r"could not find enough items to craft\b", re.IGNORECASE)
_INVALID = re.compile(r"could not find a valid recipe for\b", re.IGNORECASE)
_NOT_FOUND = re.compile(r"could not find (.+)", re.IGNORECASE)


@dataclass
class Belief:
    """A reader's picture of the world. It comes from observations alone: what no observation told has not happened."""

    carried: Counter[str]
    crafted: Counter[str] = field(default_factory=Counter[str])
    """How many of each item were seen to be crafted."""
    not_found: set[str] = field(default_factory=set[str])
    """What could not be fetched."""
    refused: set[str] = field(default_factory=set[str])
    """Crafting commands that the world does not know, or that kept failing."""
    doubtful: str | None = None
    """The crafting command that has just failed for want of items that were believed to be there."""
    short: set[str] = field(default_factory=set[str])
    """Crafting commands that failed so at some time."""
    counted: bool = False
    """Some observation told all that is carried."""

    def learn(self, step: Step) -> None:
        """Take in one step."""
        self.doubtful = None
        action, said = read_step(step.answer, step.observation)
        if match := _GOT.fullmatch(said):
            self.carried[match[2]] += int(match[1])
        elif match := _CRAFTED.fullmatch(said):
            self._crafted(match[2], int(match[1]), action)
        elif match := _INVENTORY.fullmatch(said):
            self.carried = Counter(dict(read_inventory(match[1])))
            self.counted = True
        elif _SHORT.match(said):
            self._missed(action)
        elif _INVALID.match(said):
            self.refused.add(action)
        elif match := _NOT_FOUND.fullmatch(said):
            self.not_found.add(match[1])

    def _crafted(self, item: str, count: int, action: str) -> None:
        self.crafted[item] += count
        self.carried[item] += count
        command = read_command(action)
        for need, used in () if command is None else command.needs:
            self.carried[need] = max(0, self.carried[need] - used)

    def _missed(self, action: str) -> None:
        if action in self.short:
            self.refused.add(action)
        self.short.add(action)
        self.doubtful = action


def believe(carried: Iterable[tuple[str, int]], steps: Iterable[Step]) -> Belief:
    """What follows from the inventory that the task states and the steps that were read."""
    belief = Belief(Counter(dict(carried)))
    for step in steps:
        belief.learn(step)
    return belief


@lru_cache(maxsize=16384)
def read_step(answer: str, observation: str) -> tuple[str, str]:
    """The action in an answer, and what the world said to it. In names, `_` stands for a blank."""
    actions = _ACTION.findall(answer.replace("_", " "))
    said = observation.replace("_", " ").strip()
    if label := _LABEL.match(said):
        said = said[label.end() :].strip()
    return actions[-1].strip() if actions else "", said
