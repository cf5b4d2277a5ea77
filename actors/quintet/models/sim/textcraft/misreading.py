"""What a fallible reader misreads in TextCraft: which command makes an item, and whether the goal is reached."""

from collections.abc import Iterator
from dataclasses import replace

from quintet.models.sim.misreading import Misreading
from quintet.models.sim.textcraft.belief import Belief
from quintet.models.sim.textcraft.book import Book, Command
from quintet.models.sim.textcraft.task import Task


def misread(task: Task, misreading: Misreading) -> Task:
    """The task as it is read. A command that is misread is any other one, or none."""
    if not misreading.rate:
        return task
    commands = {item: _ways(task, item, misreading) for item in dict.fromkeys((task.goal.item, *_items(task.book)))}
    return replace(task, book=replace(task.book, commands=commands))


def _items(book: Book) -> Iterator[str]:
    for item, ways in book.commands.items():
        yield item
        yield from (need for way in ways for need, _ in way.needs)


def _ways(task: Task, item: str, misreading: Misreading) -> tuple[Command, ...]:
    right = task.book.commands.get(item, ())
    others = [(way,) for makes, ways in task.book.commands.items() if makes != item for way in ways]
    return misreading.answer(right, [*others, ()] if right else others, task.wording, "makes", item)


def takes_for_reached(task: Task, belief: Belief, misreading: Misreading, *, reached: bool) -> bool:
    """Whether the goal is thought to be reached. Nobody asks as long as nothing is held."""
    asked = belief.crafted.total() + belief.carried.total() > 0
    return reached != (asked and misreading.wrong(task.wording, "reached"))
