"""The state of a TextCraft task."""

from collections import defaultdict
from typing import assert_never

from quintet.environments.textcraft.commands import Craft, Get, LookUp, Unclear, item_name, parse_command
from quintet.environments.textcraft.expert import crafting_plan
from quintet.environments.textcraft.recipes import RecipeTable, item_id
from quintet.ports.world import Opening, Outcome, WorldState


class TextCraftState(WorldState):
    """The inventory, and whether the goal was crafted."""

    carried: dict[str, int]

    def __init__(self, opening: Opening, goal: str, table: RecipeTable) -> None:
        super().__init__(opening)
        self.carried = {}
        self._goal = goal
        self._table = table

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject(f"Could not execute {action}")
        read = parse_command(action)
        match read:
            case Craft():
                return self._craft(read)
            case Get():
                return self._get(read)
            case LookUp():
                return self.accept(self._inventory())
            case Unclear():
                return self.reject(read.reply)
            case _:
                assert_never(read)

    def expert(self) -> tuple[str, ...]:
        return () if self.done else crafting_plan(self._table, self._goal, self.carried)

    def _craft(self, craft: Craft) -> Outcome:
        item = item_name(craft.target)
        used: defaultdict[str, int] = defaultdict(int)
        for count, name in craft.given:
            used[name] += count
        if any(self.carried.get(name, 0) < count for name, count in used.items()):
            return self.reject(f"Could not find enough items to craft {item_id(item)}")
        recipe = self._table.fitting(item, craft.given)
        if recipe is None:
            return self.reject(f"Could not find a valid recipe for {craft.target}")
        for name, count in used.items():
            self.carried[name] -= count
            if not self.carried[name]:
                del self.carried[name]
        self._add(item, recipe.count)
        done = item == self._goal
        return self.accept(f"Crafted {recipe.count} {item_id(item)}", float(done), done=done)

    def _get(self, get: Get) -> Outcome:
        item = item_name(get.target)
        if item not in self._table.fetchable:
            return self.reject(f"Could not find {get.target}")
        self._add(item, get.count)
        return self.accept(f"Got {get.count} {get.target}")

    def _inventory(self) -> str:
        if not self.carried:
            return "Inventory: You are not carrying anything."
        return "Inventory: " + "".join(f"[{name}] ({count}) " for name, count in self.carried.items())

    def _add(self, name: str, count: int) -> None:
        # `get 0 diamond` is answered like any other, but adds no entry.
        if count:
            self.carried[name] = self.carried.get(name, 0) + count
