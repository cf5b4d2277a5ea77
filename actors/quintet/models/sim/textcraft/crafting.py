"""How to come by items: which things to fetch and craft, in order, with what is carried already."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from quintet.models.sim.textcraft.book import Book, Command
from quintet.models.sim.textcraft.choosing import OutOfReachError, choice, usable

_MOST_WORK = 500
"""Considerations after which a reader loses the thread; no goal of the game comes near it."""
_MOST_LEVELS = 30


@dataclass(frozen=True)
class Fetch:
    """Take so many of an item from the world as it is."""

    item: str
    count: int

    def __str__(self) -> str:
        return f"get {self.count} {self.item}"


Job: TypeAlias = Fetch | Command


class Workshop:
    """Works out the jobs that are left. A scratch pad: a new one for each question.

    Args:
        book: the crafting commands.
        carried: what is there to begin with; not changed.
        not_found: what is known not to be had by fetching.
        refused: crafting commands that are known not to work.
    """

    def __init__(
        self,
        book: Book,
        carried: Mapping[str, int],
        *,
        not_found: Collection[str] = (),
        refused: Collection[str] = (),
    ) -> None:
        self._book = book
        self._left = Counter(carried)
        self._not_found = not_found
        self._refused = refused
        self._work = 0
        self._jobs: list[Job] = []

    def have(self, item: str, count: int) -> list[Job]:
        """The jobs after which `count` of `item` are there, the first one leading.

        Raises:
            OutOfReachError: there is no way.
        """
        self._provide(choice(self._book, item, count, self._left)[0], count, 0)
        return self._jobs

    def make(self, command: Command) -> list[Job]:
        """The jobs after which `command` has been carried out once more.

        Raises:
            OutOfReachError: there is no way.
        """
        self._carry_out(command, 1, 0)
        return self._jobs

    def _provide(self, item: str, count: int, level: int) -> None:
        self._consider(item, level)
        present = min(count, self._left[item])
        self._left[item] -= present
        lacking = count - present
        if not lacking:
            return
        ways = self._book.commands.get(item, ())
        if not ways:
            self._fetch(item, lacking)
            return
        way = next((way for way in ways if usable(self._book, way, refused=self._refused)), ways[0])
        batches = -(-lacking // way.count)
        self._carry_out(way, batches, level)
        self._left[item] += batches * way.count - lacking

    def _fetch(self, item: str, count: int) -> None:
        if item in self._not_found:
            raise OutOfReachError(item)
        self._jobs.append(Fetch(item, count))

    def _carry_out(self, command: Command, times: int, level: int) -> None:
        filled = usable(self._book, command, times, carried=self._left, refused=self._refused)
        if filled is None:
            raise OutOfReachError(command.makes)
        for item, count in filled.needs:
            self._provide(item, count * times, level + 1)
        for _ in range(times):
            self._consider(command.makes, level)
            self._jobs.append(filled)

    def _consider(self, item: str, level: int) -> None:
        self._work += 1
        if self._work > _MOST_WORK or level > _MOST_LEVELS:
            raise OutOfReachError(item)
