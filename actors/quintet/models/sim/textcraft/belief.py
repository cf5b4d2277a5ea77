"""A reader's belief about the world after some steps: the inventory, and refusals."""

import re
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from quintet.models.sim.textcraft.book import read_command
from quintet.models.sim.textcraft.task import read_inventory
from quintet.models.sim.transcript import Exchange

_FETCHING = re.compile(r"get \d{1,9} (.+)", re.IGNORECASE)
_GOT = re.compile(r"got (\d{1,9}) (.+)", re.IGNORECASE)
_CRAFTED = re.compile(r"crafted (\d{1,9}) (?:minecraft:)?(.+)", re.IGNORECASE)
_INVENTORY = re.compile(r"inventory:(.*)", re.IGNORECASE | re.DOTALL)
_SHORT = re.compile(r"could not find enough items to craft\b", re.IGNORECASE)
_INVALID = re.compile(r"could not find a valid recipe for\b", re.IGNORECASE)
_NOT_FOUND = re.compile(r"could not find (.+)", re.IGNORECASE)


@dataclass
class Belief:
    """A reader's picture of the world. It comes from observations alone: what no observation shows has not happened."""

    carried: Counter[str]
    crafted: Counter[str] = field(default_factory=Counter[str])
    """How many of each item were seen to be crafted."""
    not_found: set[str] = field(default_factory=set[str])
    """Items that could not be fetched."""
    refused: set[str] = field(default_factory=set[str])
    """Crafting commands that the world does not know, or that kept failing."""
    doubtful: str | None = None
    """The crafting command that has just failed for lack of items believed to be there."""
    short: set[str] = field(default_factory=set[str])
    """Crafting commands that failed so at some time."""
    counted: bool = False
    """Some observation listed all that is carried."""

    def learn(self, step: Exchange) -> None:
        """Take in one step."""
        self.doubtful = None
        action, said = step.action, step.observation
        if match := _GOT.fullmatch(said):
            self.carried[match[2]] += int(match[1])
        elif match := _CRAFTED.fullmatch(said):
            self._craft(match[2], int(match[1]), action)
        elif match := _INVENTORY.fullmatch(said):
            self.carried = Counter(dict(read_inventory(match[1])))
            self.counted = True
        elif _SHORT.match(said):
            if action in self.short:
                self.refused.add(action)
            self.short.add(action)
            self.doubtful = action
        elif _INVALID.match(said):
            self.refused.add(action)
        elif match := _NOT_FOUND.fullmatch(said):
            self.not_found.add(match[1])

    def without(self, actions: Set[str]) -> "Belief":
        """The same as if these actions had been refused."""
        unfetched = {found[1] for action in actions if (found := _FETCHING.fullmatch(action))}
        return replace(self, not_found=self.not_found | unfetched, refused=self.refused | actions)

    def _craft(self, item: str, count: int, action: str) -> None:
        self.crafted[item] += count
        self.carried[item] += count
        command = read_command(action)
        for need, used in () if command is None else command.needs:
            self.carried[need] = max(0, self.carried[need] - used)


def believe(carried: Iterable[tuple[str, int]], steps: Iterable[Exchange]) -> Belief:
    """What follows from the inventory that the task states and the steps that were read."""
    belief = Belief(Counter(dict(carried)))
    for step in steps:
        belief.learn(step)
    return belief
