"""The crafting commands of a prompt, read as recipes."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import TypeAlias

Needs: TypeAlias = tuple[tuple[str, int], ...]
"""Ingredients and how many of each."""

_COMMAND = re.compile(r"^[ \t]*craft (?:(\d{1,6}) )?(.+?) using (.+)$", re.MULTILINE)
_COUNTED = re.compile(r"(?:(\d{1,6}) )?(.+)")


@dataclass(frozen=True)
class Command:
    """One crafting command."""

    makes: str
    count: int
    needs: Needs

    def __str__(self) -> str:
        needs = ", ".join(f"{count} {item}" for item, count in self.needs)
        return f"craft {self.count} {self.makes} using {needs}"


@dataclass(frozen=True)
class Book:
    """What the commands say about items."""

    commands: Mapping[str, tuple[Command, ...]]
    """By the item they make, those that need the shortest chain of commands first."""
    members: Mapping[str, tuple[str, ...]]
    """Ingredients that no command makes and that are named like a kind of which commands make some: `planks`, of
    which there are `oak planks`."""
    depths: Mapping[str, float]
    """How many commands stand between an item and what is fetched, at least; infinite where they lead in a circle.
    Listed are the items that commands make."""


@lru_cache(maxsize=1024)
def read_book(text: str) -> Book:
    """The commands that stand in `text`, one a line, each counted once."""
    commands = defaultdict[str, list[Command]](list)
    for command in dict.fromkeys(_commands(text)):
        commands[command.makes].append(command)
    members = _members(commands)
    depths = _depths(commands, members)
    made = {item: tuple(sorted(ways, key=lambda way: _depth(way, depths, members))) for item, ways in commands.items()}
    return Book(commands=made, members=members, depths=depths)


@lru_cache(maxsize=4096)
def read_command(text: str) -> Command | None:
    """The command that `text` is, if it is one."""
    return next(_commands(text), None)


def _commands(text: str) -> Iterator[Command]:
    for count, item, needs in _COMMAND.findall(text):
        command = Command(item.strip(), int(count or 1), read_needs(needs))
        if command.count:
            yield command


def read_needs(text: str) -> Needs:
    """`6 oak planks, 1 stick` as ingredients; one without a count is one."""
    found = (_COUNTED.fullmatch(part.strip()) for part in text.split(","))
    return tuple((match[2].strip(), int(match[1] or 1)) for match in found if match)


def _members(made: Mapping[str, Sequence[Command]]) -> dict[str, tuple[str, ...]]:
    needed = {need for ways in made.values() for way in ways for need, _ in way.needs}
    members = {
        kind: tuple(item for item in made if item.endswith(f" {kind}") and not _is_made_from(made, item, kind))
        for kind in sorted(needed.difference(made))
    }
    return {kind: items for kind, items in members.items() if items}


def _is_made_from(made: Mapping[str, Sequence[Command]], item: str, thing: str) -> bool:
    """Whether the thing goes into the item at any stage; it is no kind of itself: polished basalt of basalt."""
    seen, waiting = {item}, [item]
    while waiting:
        for way in made.get(waiting.pop(), ()):
            found = {need for need, _ in way.needs}.difference(seen)
            seen |= found
            waiting.extend(found)
    return thing in seen


def _depths(made: Mapping[str, Sequence[Command]], members: Mapping[str, Sequence[str]]) -> dict[str, float]:
    depths: dict[str, float] = dict.fromkeys(made, inf)
    changed = True
    while changed:
        nearer = {item: min(_depth(way, depths, members) for way in ways) for item, ways in made.items()}
        changed = nearer != depths
        depths = nearer
    return depths


def _depth(way: Command, depths: Mapping[str, float], members: Mapping[str, Sequence[str]]) -> float:
    of_needs = (min(depths.get(item, 0) for item in members.get(need, (need,))) for need, _ in way.needs)
    return 1 + max(of_needs, default=0)
