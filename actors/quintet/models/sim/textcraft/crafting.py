"""How to obtain items: the command that makes a goal, and the items to fetch and craft for it, in order."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from quintet.models.sim.textcraft.book import Book, CraftCommand, Needs
from quintet.models.sim.textcraft.task import CraftGoal

_MOST_WORK = 500
"""Considerations after which a reader gives up; no goal of the game comes near it."""
_MOST_LEVELS = 30


class OutOfReachError(Exception):
    """An item cannot be obtained; the text is its name."""


@dataclass(frozen=True)
class Fetch:
    """Fetch a number of an item."""

    item: str
    count: int

    def __str__(self) -> str:
        return f"get {self.count} {self.item}"


Errand: TypeAlias = Fetch | CraftCommand


def command_for(book: Book, goal: CraftGoal, refused: Collection[str] = ()) -> CraftCommand:
    """The command that makes what a goal names: the one it prescribes, else the one with the shortest chain before it.

    Raises:
        OutOfReachError: no command makes it.
    """
    for way in _ways(book, goal):
        if book.filled(way, refused=refused) is not None:
            return way
    raise OutOfReachError(goal.item)


def _ways(book: Book, goal: CraftGoal) -> Iterator[CraftCommand]:
    for item in book.choices(goal.item, goal.count):
        ways = book.commands.get(item, ())
        if not goal.needs:
            yield from ways
        else:
            count = next((way.count for way in ways if _is_meant(book, way, goal.needs)), goal.count)
            yield CraftCommand(item, count, goal.needs)


def _is_meant(book: Book, way: CraftCommand, needs: Needs) -> bool:
    """Whether these are the ingredients of a command, where a kind stands for any of its members."""
    wanted = [{(member, count) for member in (item, *book.members.get(item, ()))} for item, count in way.needs]
    return len(needs) == len(wanted) and all(not choices.isdisjoint(needs) for choices in wanted)


@dataclass
class Workshop:
    """Works out the errands that are left. A scratch pad: use a new one for each question."""

    book: Book
    left: Counter[str]
    """What is there; used up on the way."""
    not_found: Collection[str] = ()
    """What is known not to be fetchable."""
    refused: Collection[str] = ()
    """Crafting commands that are known not to work."""
    _work: int = 0
    _errands: list[Errand] = field(default_factory=list[Errand])

    def have(self, item: str, count: int) -> list[Errand]:
        """The errands after which `count` of `item` are there, in order.

        Raises:
            OutOfReachError: there is no way.
        """
        self._provide(self.book.choices(item, count, self.left)[0], count, 0)
        return self._errands

    def make(self, command: CraftCommand) -> list[Errand]:
        """The errands after which `command` has been carried out once more.

        Raises:
            OutOfReachError: there is no way.
        """
        self._carry_out(command, 1, 0)
        return self._errands

    def _provide(self, item: str, count: int, level: int) -> None:
        self._consider(item, level)
        present = min(count, self.left[item])
        self.left[item] -= present
        if not (lacking := count - present):
            return
        if ways := self.book.commands.get(item, ()):
            way = next((way for way in ways if self.book.filled(way, refused=self.refused)), ways[0])
            batches = -(-lacking // way.count)
            self._carry_out(way, batches, level)
            self.left[item] += batches * way.count - lacking
        elif item in self.not_found:
            raise OutOfReachError(item)
        else:
            self._errands.append(Fetch(item, lacking))

    def _carry_out(self, command: CraftCommand, times: int, level: int) -> None:
        filled = self.book.filled(command, times, carried=self.left, refused=self.refused)
        if filled is None:
            raise OutOfReachError(command.makes)
        for item, count in filled.needs:
            self._provide(item, count * times, level + 1)
        for _ in range(times):
            self._consider(command.makes, level)
            self._errands.append(filled)

    def _consider(self, item: str, level: int) -> None:
        self._work += 1
        if self._work > _MOST_WORK or level > _MOST_LEVELS:
            raise OutOfReachError(item)
