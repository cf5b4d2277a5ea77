"""The crafting commands of a prompt: what makes what, in which order to try it, and what may stand for a kind."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import inf
from typing import TypeAlias

Needs: TypeAlias = tuple[tuple[str, int], ...]
"""Ingredients and how many of each."""

_COMMAND = re.compile(r"^[ \t]*craft (?:(\d{1,6}) )?(.+?) using (.+)$", re.MULTILINE)
_COUNTED = re.compile(r"(?:(\d{1,6}) )?(.+)")
_NOTHING: Mapping[str, int] = {}


@dataclass(frozen=True)
class CraftCommand:
    """One crafting command."""

    makes: str
    count: int
    needs: Needs

    def __str__(self) -> str:
        needs = ", ".join(f"{count} {item}" for item, count in self.needs)
        return f"craft {self.count} {self.makes} using {needs}"


@dataclass(frozen=True)
class Book:
    """All crafting commands."""

    commands: Mapping[str, tuple[CraftCommand, ...]]
    """By the item they make, those that need the shortest chain of commands first."""
    members: Mapping[str, tuple[str, ...]]
    """Kinds of items: ingredients that no command makes, but whose members commands make, such as `oak planks` of
    `planks`."""
    depths: Mapping[str, float]
    """How many commands stand between an item that commands make and what is fetched, at least; infinite where they
    lead in a circle."""

    def choices(self, item: str, count: int, carried: Mapping[str, int] = _NOTHING) -> list[str]:
        """The items that may stand for a kind, those first of which enough is carried, then the shortest chain.

        An item that is no kind stands for itself.
        """
        members = self.members.get(item)
        if members is None:
            return [item]
        return sorted(members, key=lambda member: (-min(count, carried.get(member, 0)), self.depths[member]))

    def filled(
        self,
        command: CraftCommand,
        times: int = 1,
        *,
        carried: Mapping[str, int] = _NOTHING,
        refused: Collection[str] = (),
    ) -> CraftCommand | None:
        """A command with an item for each kind that it asks for, to be carried out so many times.

        Returns:
            None where everything that it can mean is refused.
        """
        choices = [self.choices(item, count * times, carried) for item, count in command.needs]
        for items in product(*choices):
            needs = tuple((item, count) for item, (_, count) in zip(items, command.needs, strict=True))
            found = replace(command, needs=needs)
            if str(found) not in refused:
                return found
        return None


@lru_cache(maxsize=1024)
def read_book(text: str) -> Book:
    """The commands that stand in `text`, one a line; a command that is repeated counts once."""
    commands = defaultdict[str, list[CraftCommand]](list)
    for command in dict.fromkeys(_commands(text)):
        commands[command.makes].append(command)
    members = _members(commands)
    depths = _depths(commands, members)
    made = {item: tuple(sorted(ways, key=lambda way: _depth(way, depths, members))) for item, ways in commands.items()}
    return Book(commands=made, members=members, depths=depths)


@lru_cache(maxsize=4096)
def read_command(text: str) -> CraftCommand | None:
    """The first command in `text`; None where there is none."""
    return next(_commands(text), None)


def _commands(text: str) -> Iterator[CraftCommand]:
    for count, item, needs in _COMMAND.findall(text):
        command = CraftCommand(item.strip(), int(count or 1), read_needs(needs))
        if command.count:
            yield command


def read_needs(text: str) -> Needs:
    """`6 oak planks, 1 stick` as ingredients; one without a count is one."""
    found = (_COUNTED.fullmatch(part.strip()) for part in text.split(","))
    return tuple((match[2].strip(), int(match[1] or 1)) for match in found if match)


def _members(made: Mapping[str, Sequence[CraftCommand]]) -> dict[str, tuple[str, ...]]:
    needed = {need for ways in made.values() for way in ways for need, _ in way.needs}
    members = {
        kind: tuple(item for item in made if item.endswith(f" {kind}") and not _is_made_from(made, item, kind))
        for kind in sorted(needed.difference(made))
    }
    return {kind: items for kind, items in members.items() if items}


def _is_made_from(made: Mapping[str, Sequence[CraftCommand]], item: str, thing: str) -> bool:
    """Whether the thing goes into the item at any stage. Then it is no kind of it: basalt, of polished basalt."""
    seen, waiting = {item}, [item]
    while waiting:
        for way in made.get(waiting.pop(), ()):
            found = {need for need, _ in way.needs}.difference(seen)
            seen |= found
            waiting.extend(found)
    return thing in seen


def _depths(made: Mapping[str, Sequence[CraftCommand]], members: Mapping[str, Sequence[str]]) -> dict[str, float]:
    depths: dict[str, float] = dict.fromkeys(made, inf)
    changed = True
    while changed:
        nearer = {item: min(_depth(way, depths, members) for way in ways) for item, ways in made.items()}
        changed = nearer != depths
        depths = nearer
    return depths


def _depth(way: CraftCommand, depths: Mapping[str, float], members: Mapping[str, Sequence[str]]) -> float:
    of_needs = (min(depths.get(item, 0) for item in members.get(need, (need,))) for need, _ in way.needs)
    return 1 + max(of_needs, default=0)
