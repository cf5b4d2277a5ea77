"""Crafts a goal from nothing but what the opening shows and the world replies."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from quintet.ports.world import Outcome, WorldState

_COMMAND = re.compile(r"craft (\d+) (.+) using (.+)")


@dataclass
class Crafter:
    state: WorldState
    carried: Counter[str] = field(default_factory=Counter[str])
    actions: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.ways: defaultdict[str, list[tuple[int, dict[str, int]]]] = defaultdict(list)
        for line in self.state.opening.setting.splitlines()[1:]:
            found = _COMMAND.fullmatch(line)
            assert found, line
            needs = [need.split(" ", 1) for need in found[3].split(", ")]
            self.ways[found[2]].append((int(found[1]), {name: int(count) for count, name in needs}))

    def solve(self) -> Outcome:
        """Craft the goal; the last outcome."""
        return self.craft(self.state.opening.goal.removeprefix("craft "))

    def craft(self, item: str) -> Outcome:
        """Craft once, by the first way shown, everything that it needs first."""
        count, needs = self.ways[item][0]
        used = {self.concrete(name): wanted for name, wanted in needs.items()}
        # Making one ingredient may use up another.
        while any(self.carried[name] < wanted for name, wanted in used.items()):
            for name, wanted in used.items():
                self.obtain(name, wanted)
        outcome = self.act(f"craft {count} {item} using " + ", ".join(f"{n} {name}" for name, n in used.items()))
        assert not outcome.rejected, outcome
        self.carried.subtract(used)
        self.carried[item] += count
        return outcome

    def concrete(self, name: str) -> str:
        """The item itself, or a member of the category: what is neither shown nor to be found must be one."""
        if name in self.ways or self.carried[name] or not self.act(f"get 0 {name}").rejected:
            return name
        return next(item for item in self.ways if item.endswith(f" {name}"))

    def obtain(self, item: str, count: int) -> None:
        """Have so many of an item."""
        if item not in self.ways and self.carried[item] < count:
            assert not self.act(f"get {count} {item}").rejected
            self.carried[item] += count
        while self.carried[item] < count:
            self.craft(item)

    def act(self, action: str) -> Outcome:
        self.actions.append(action)
        return self.state.step(action)
