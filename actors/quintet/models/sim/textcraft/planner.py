"""A plan in TextCraft: one crafting command, what it takes, and how often it is carried out."""

from collections import Counter

from quintet.models.sim.chance import Chance
from quintet.models.sim.textcraft.book import Command
from quintet.models.sim.textcraft.choosing import OutOfReachError, command_for, usable
from quintet.models.sim.textcraft.task import Goal, Task

_MOST_STEPS = 40


def plan(task: Task, chance: Chance) -> tuple[str, list[str]]:
    """The thought behind a plan, and its steps, all of which are to be taken in this order."""
    try:
        way = command_for(task.book, task.goal)
    except OutOfReachError as error:
        return f"No crafting command makes {error.item}, so it has to be found.", [_fetch(error.item, task.goal.count)]
    times = _times(way, task.goal)
    command = usable(task.book, way, times) or way
    amounts = Counter[str]()
    for item, count in command.needs:
        amounts[item] += count * times
    fetches = chance.order([_fetch(item, amount) for item, amount in amounts.items()])
    often = "" if times == 1 else f" {times} times"
    return f"To have {command.makes}, I use one command{often}: {command}.", [*fetches, *[str(command)] * times]


def _times(command: Command, goal: Goal) -> int:
    if goal.craft:
        return 1
    return min(-(-goal.count // command.count), _MOST_STEPS)


def _fetch(item: str, count: int) -> str:
    return f"fetch {count} {item}"
