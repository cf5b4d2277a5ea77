"""Which command to use where several would do, and which item to take where a command asks for a kind."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

from quintet.models.sim.textcraft.book import Book, Command, Needs
from quintet.models.sim.textcraft.task import Goal

_NOTHING: Mapping[str, int] = {}


class OutOfReachError(Exception):
    """There is no way to come by an item."""

    def __init__(self, item: str) -> None:
        super().__init__(item)
        self.item = item


def usable(
    book: Book,
    command: Command,
    times: int = 1,
    *,
    carried: Mapping[str, int] = _NOTHING,
    refused: Collection[str] = (),
) -> Command | None:
    """The command with an item for each kind it asks for, fit to be carried out so many times.

    Args:
        book: the crafting commands.
        command: one of them.
        times: how often it is to be carried out.
        carried: what is there; an item of which there is enough is preferred.
        refused: commands that are known not to work, kinds replaced.

    Returns:
        None where all that it can mean is refused.
    """
    choices = [choice(book, item, count * times, carried) for item, count in command.needs]
    for items in product(*choices):
        needs = tuple((item, count) for item, (_, count) in zip(items, command.needs, strict=True))
        filled = replace(command, needs=needs)
        if str(filled) not in refused:
            return filled
    return None


def choice(book: Book, item: str, count: int, carried: Mapping[str, int] = _NOTHING) -> list[str]:
    """The items that may stand for a kind: first what is carried in the number or nearly, then the shortest chain.

    What is no kind stands for itself.
    """
    members = book.members.get(item)
    if members is None:
        return [item]
    return sorted(members, key=lambda member: (-min(count, carried.get(member, 0)), book.depths[member]))


def command_for(book: Book, goal: Goal, refused: Collection[str] = ()) -> Command:
    """The command that makes what a goal names: the one it prescribes, else the one with the shortest chain before it.

    Raises:
        OutOfReachError: no command makes it.
    """
    for way in _ways(book, goal):
        if usable(book, way, refused=refused) is not None:
            return way
    raise OutOfReachError(goal.item)


def _ways(book: Book, goal: Goal) -> Iterator[Command]:
    for item in choice(book, goal.item, goal.count):
        ways = book.commands.get(item, ())
        if not goal.needs:
            yield from ways
        else:
            count = next((way.count for way in ways if _is_meant(book, way, goal.needs)), goal.count)
            yield Command(item, count, goal.needs)


def _is_meant(book: Book, way: Command, needs: Needs) -> bool:
    """Whether these are the ingredients of a command, a kind standing for any of its members."""
    wanted = [{(member, count) for member in (item, *book.members.get(item, ()))} for item, count in way.needs]
    return len(needs) == len(wanted) and all(not choices.isdisjoint(needs) for choices in wanted)
