"""A prompt of TextCraft: its commands, its goal, what is carried at first, and one step."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from quintet.models.sim.draws import Misreading
from quintet.models.sim.textcraft.book import Book, CraftCommand, Needs, read_book, read_needs
from quintet.models.sim.transcript import Exchange, PromptTask, goals_in, split_exchange

_INVENTORY = re.compile(r"^[ \t]*inventory[ \t]*:(.*)$", re.MULTILINE | re.IGNORECASE)
_COMMANDS = re.compile(r"crafting commands[ \t]*:", re.IGNORECASE)
_CARRIED = re.compile(r"\[([^\]]+)\] \((\d{1,9})\)")
_GOAL_TEXT = re.compile(r"(craft|make|fetch|get|obtain|collect) (?:(\d{1,6}) )?(.+?)(?: using (.+))?", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the) ")


@dataclass(frozen=True)
class CraftGoal:
    """What is to be done."""

    craft: bool
    """An item is to be crafted; otherwise so many of it are to be in the inventory, wherever they come from."""
    item: str
    count: int
    needs: Needs = ()
    """The ingredients to craft it from, where they are prescribed."""
    times: int = 1
    """How often so many of it are to be crafted in all."""


@dataclass(frozen=True)
class CraftTask(PromptTask):
    """A task of TextCraft."""

    book: Book
    goal: CraftGoal
    carried: tuple[tuple[str, int], ...]
    """The inventory that the task states; empty where it states none."""

    def misread(self, misreading: Misreading) -> "CraftTask":
        """The task as it is read. A command that is misread is any other one, or none."""
        right = self.book.commands
        if not misreading.rate:
            return self
        needed = ((item, *(need for way in ways for need, _ in way.needs)) for item, ways in right.items())
        commands: dict[str, tuple[CraftCommand, ...]] = {}
        for item in dict.fromkeys((self.goal.item, *chain.from_iterable(needed))):
            commands[item] = right.get(item, ())
            if misreading.wrong(self.wording, "makes", item):  # seldom, so the other commands are listed only then
                others = [(way,) for makes, ways in right.items() if makes != item for way in ways]
                choices = [*others, ()] if item in right else others
                commands[item] = misreading.answer(commands[item], choices, self.wording, "makes", item)
        return replace(self, book=replace(self.book, commands=commands))


@lru_cache(maxsize=4096)
def read_craft_task(text: str) -> CraftTask | None:
    """The task that a text ends with, perhaps after worked examples."""
    goals, headings = goals_in(text), list(_COMMANDS.finditer(text))
    goal = read_craft_goal(goals[-1]) if goals else None
    if goal is None or not headings:
        return None
    statement = text[headings[-1].end() :]
    carried = _INVENTORY.findall(statement)
    return CraftTask(
        wording=goals[-1],
        book=read_book(statement),
        goal=goal,
        carried=read_inventory(carried[-1]) if carried else (),
    )


def read_craft_goal(text: str) -> CraftGoal | None:
    """`fetch 6 oak planks` or `craft beehive using 6 oak planks, 3 honeycomb`; None for anything else."""
    match = _GOAL_TEXT.fullmatch(text.strip().rstrip(" \t."))
    if match is None:
        return None
    verb, count, item, needs = match.groups()
    return CraftGoal(
        craft=verb.lower() in ("craft", "make"),
        item=_ARTICLE.sub("", item),
        count=int(count or 1),
        needs=read_needs(needs) if needs else (),
    )


def read_inventory(text: str) -> tuple[tuple[str, int], ...]:
    """`[stick] (1) [oak planks] (4)` as items and counts."""
    return tuple((item.strip(), int(count)) for item, count in _CARRIED.findall(text))


@lru_cache(maxsize=16384)
def read_craft_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, and what the world said to it. In names, `_` stands for a blank."""
    action, said = split_exchange(answer.replace("_", " "), observation.replace("_", " "))
    return Exchange(action, said, (answer, observation))
