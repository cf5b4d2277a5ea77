"""The state of a TextCraft task: the inventory, and whether the goal was crafted."""

from typing import assert_never

from msgspec import Struct

from quintet.environments.snapshots import SnapshotCodec
from quintet.environments.textcraft.commands import Craft, Get, LookUp, Unclear, item_name, parse_command
from quintet.environments.textcraft.expert import crafting_plan
from quintet.environments.textcraft.recipes import RecipeTable, item_id
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome


class CraftingTask(Struct, frozen=True):
    """The part that all states of a task share."""

    task: Task
    version: str
    goal: str
    opening: Opening
    table: RecipeTable


class _Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    carried: dict[str, int]
    last: str | None
    done: bool


_SNAPSHOTS = SnapshotCodec("textcraft", _Held)


class TextCraftState:
    """The inventory, and whether the goal was crafted."""

    __slots__ = ("_carried", "_done", "_last", "_start")

    def __init__(self, start: CraftingTask, carried: dict[str, int], last: str | None, *, done: bool) -> None:
        self._start = start
        self._carried = carried
        self._last = last
        """The answer to the last action that was carried out; None: there is none yet."""
        self._done = done

    @property
    def opening(self) -> Opening:
        return self._start.opening

    @property
    def observation(self) -> str:
        return self.opening.observation if self._last is None else self._last

    def step(self, action: str) -> Outcome:
        if self._done:
            return self._refused(f"Could not execute {action}")
        read = parse_command(action)
        match read:
            case Craft():
                return self._craft(read)
            case Get():
                return self._get(read)
            case LookUp():
                return self._answered(self._inventory())
            case Unclear():
                return self._refused(read.reply)
            case _:
                assert_never(read)

    def admissible(self) -> tuple[str, ...] | None:
        return None  # `get` takes any number

    def expert(self) -> tuple[str, ...]:
        return () if self._done else crafting_plan(self._start.table, self._start.goal, self._carried)

    def fork(self) -> "TextCraftState":
        return TextCraftState(self._start, self._carried.copy(), self._last, done=self._done)

    def snapshot(self) -> bytes:
        held = _Held(self._carried, self._last, self._done)
        return _SNAPSHOTS.encode(self._start.task, self._start.version, held)

    def _craft(self, craft: Craft) -> Outcome:
        item = item_name(craft.target)
        used: dict[str, int] = {}
        for count, name in craft.given:
            used[name] = used.get(name, 0) + count
        if any(self._carried.get(name, 0) < count for name, count in used.items()):
            return self._refused(f"Could not find enough items to craft {item_id(item)}")
        recipe = self._start.table.fitting(item, craft.given)
        if recipe is None:
            return self._refused(f"Could not find a valid recipe for {craft.target}")
        for name, count in used.items():
            self._take(name, count)
        self._add(item, recipe.count)
        self._done = item == self._start.goal
        return self._answered(f"Crafted {recipe.count} {item_id(item)}")

    def _get(self, get: Get) -> Outcome:
        item = item_name(get.target)
        if item not in self._start.table.fetchable:
            return self._refused(f"Could not find {get.target}")
        self._add(item, get.count)
        return self._answered(f"Got {get.count} {get.target}")

    def _inventory(self) -> str:
        if not self._carried:
            return "Inventory: You are not carrying anything."
        return "Inventory: " + "".join(f"[{name}] ({count}) " for name, count in self._carried.items())

    def _add(self, name: str, count: int) -> None:
        # `get 0 diamond` is answered like any other, but adds no entry.
        if count:
            self._carried[name] = self._carried.get(name, 0) + count

    def _take(self, name: str, count: int) -> None:
        left = self._carried[name] - count
        if left:
            self._carried[name] = left
        else:
            del self._carried[name]

    def _answered(self, observation: str) -> Outcome:
        self._last = observation
        return Outcome(observation=observation, reward=float(self._done), done=self._done, rejected=False)

    def _refused(self, observation: str) -> Outcome:
        return Outcome(observation=observation, reward=float(self._done), done=self._done, rejected=True)


def begin_crafting(start: CraftingTask) -> TextCraftState:
    """The state in which the task begins."""
    return TextCraftState(start, {}, None, done=False)


def restore_crafting(start: CraftingTask, snapshot: bytes) -> TextCraftState:
    """The state that wrote the snapshot.

    Raises:
        WorldFault: no state of this task in this version wrote it.
    """
    held = _SNAPSHOTS.decode(start.task, start.version, snapshot)
    return TextCraftState(start, held.carried, held.last, done=held.done)
