"""Whether what is said of a rejected action is true, judged mostly by what the rules answer to other actions."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import carry_out


class Said(NamedTuple):
    """One sentence: what its pattern found in it, and of what it was said."""

    house: Household
    now: HouseholdState
    action: str
    found: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.found[0]

    def answer(self, action: str) -> str:
        """What an action would bring; nothing where it is rejected."""
        done = carry_out(self.house, self.now, action)
        return "" if done is None else done.observation

    def known(self, name: str) -> bool:
        return name in self.house.objects or name in self.house.receptacles

    def at(self, name: str) -> bool:
        return name in self.house.receptacles and self.answer(f"examine {name}") != ""

    def goes(self, name: str) -> bool:
        """Whether one can go there, or is there."""
        return self.at(name) or self.answer(f"go to {name}") != ""

    def closed(self, name: str) -> bool:
        return self.answer(f"examine {name}") == f"The {name} is closed."

    def carried(self, name: str) -> bool:
        return self.answer("inventory") == f"You are carrying: a {name}."

    def sees(self, name: str) -> bool:
        texts = (self.answer("look"), *(self.answer(f"examine {each}") for each in self.house.receptacles))
        return any(re.search(rf"\ba {name}\b", text) for text in texts)

    def one_of(self, those: frozenset[int]) -> bool:
        """Whether it is about one of certain objects or receptacles."""
        return any(self.house.objects[each] == self.name for each in those)

    def is_kind(self, those: frozenset[int]) -> bool:
        return any(self.house.receptacles[each].startswith(f"{self.name} ") for each in those)

    def sliced_with_a_knife(self) -> bool:
        for knife in self.house.knives:
            action = f"slice {self.name} with {self.house.objects[knife]}"
            if carry_out(self.house, replace(self.now, held=knife), action) is not None:
                return True
        return False


def _of_that_form(said: Said) -> bool:
    form = re.sub("OBJECT or RECEPTACLE|OBJECT|RECEPTACLE", r"[a-z]+(?: \\d+)?", said.name)
    return said.action.split()[0] == said.name.split()[0] and re.fullmatch(form, said.action) is None


_X = r"(\w+ \d+)"
_VERBS = frozenset(
    (
        *("look", "inventory", "help", "go", "open", "close", "take", "move"),
        *("clean", "heat", "cool", "use", "examine", "slice"),
    )
)
_CLAIMS: dict[str, Callable[[Said], bool]] = {
    "No action was given": lambda said: said.action == "",
    r"(\S+) is no action here": lambda said: said.action.split()[0] == said.name and said.name not in _VERBS,
    "The form of this action is: (.+)": _of_that_form,
    "Here an object is put down by: move OBJECT to RECEPTACLE": lambda said: said.action.startswith("put "),
    r"You miss the index of (\w+), e\.g\., (\w+ 1)": lambda said: (
        not said.known(said.name) and said.found[1] == f"{said.name} 1"
    ),
    rf"There is no receptacle {_X} in this household": lambda said: (
        said.name in said.action and not said.goes(said.name)
    ),
    f"{_X} is a receptacle, which cannot be handled like that": lambda said: said.name in said.house.receptacles,
    f"You are already at {_X}": lambda said: said.at(said.name),
    f"You are not at {_X}": lambda said: said.name in said.house.receptacles and not said.at(said.name),
    f"{_X} is closed": lambda said: said.closed(said.name),
    f"{_X} is already closed": lambda said: said.closed(said.name),
    f"{_X} is already open": lambda said: said.answer(f"examine {said.name}").startswith(f"The {said.name} is open."),
    f"{_X} cannot be (?:opened|closed)": lambda said: said.answer(f"examine {said.name}").startswith("On the "),
    f"You are not carrying {_X}": lambda said: not said.goes(said.name) and not said.carried(said.name),
    "You cannot hold more than one object": lambda said: said.answer("inventory").startswith("You are carrying"),
    f"{_X} cannot be taken": lambda said: not said.one_of(said.house.pickupable),
    f"{_X} is not in/on {_X}": lambda said: (
        said.at(said.found[1])
        and not said.closed(said.found[1])
        and re.search(rf"\ba {said.name}\b", said.answer(f"examine {said.found[1]}")) is None
    ),
    f"{_X} does not fit in/on {_X}": lambda said: (
        not said.one_of(said.house.accepts[said.house.receptacle_numbers[said.found[1]]])
    ),
    r"(\w+) cannot be used for (clean|heat|cool)ing": lambda said: (
        not said.is_kind(said.house.treatments[said.found[1]].appliances)
    ),
    f"{_X} cannot be used for slicing": lambda said: not said.one_of(said.house.knives),
    f"{_X} cannot be (clean|heat|cool)ed": lambda said: not said.one_of(said.house.treatments[said.found[1]].fit),
    f"{_X} cannot be sliced": lambda said: not said.one_of(said.house.sliceable),
    f"{_X} cannot be sliced here": lambda said: said.sees(said.name) and not said.sliced_with_a_knife(),
    f"{_X} cannot be used here": lambda said: said.sees(said.name) and said.answer(f"use {said.name}") == "",
    f"{_X} cannot be used": lambda said: not said.one_of(said.house.toggleable),
    f"{_X} is in your hand, and must be put down to (?:slice|use) it": lambda said: said.carried(said.name),
    f"{_X} cannot be seen here": lambda said: not said.goes(said.name) and not said.sees(said.name),
}
"""Every sentence there is, without its full stop."""


def untrue(house: Household, now: HouseholdState, action: str, causes: str) -> Iterator[str]:
    """The sentences that are not true, or that are none of those expected."""
    for sentence in re.split(r"(?<=\.) ", causes):
        matches = [(match, claim) for text, claim in _CLAIMS.items() if (match := re.fullmatch(rf"{text}\.", sentence))]
        if not any(claim(Said(house, now, action, match.groups())) for match, claim in matches):
            yield sentence
