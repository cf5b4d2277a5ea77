"""Finds the type of a goal or an observation in a memory. A text that the memory has itself has its type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quintet.messages.message import Unanswered
from quintet.messages.store import ListedType, ListTypes
from quintet.parsing.answers import on_one_line
from quintet.ports.roles import Roles
from quintet.questions.remembering import INDEX, TypesToChooseFrom
from quintet.roles.asking import Asker


class FoundType(NamedTuple):
    """The type of a text."""

    number: int | None
    """None: there are no types, or the model named none."""
    types: Sequence[ListedType] = ()
    """Those that there are."""
    failed: str = ""
    """Why the model named none."""

    @property
    def smallest(self) -> int | None:
        """The type with the fewest tuples, of several the first; None if there are no types."""
        return min(self.types, key=lambda each: (each.tuples, each.number)).number if self.types else None


@dataclass(frozen=True)
class Index:
    """Asks for the type of a text, and once more if the answer cannot be read. A single type is not asked for.

    Source: LDM2, section 3.1, equation 3, and table 4.
    """

    asker: Asker
    roles: Roles

    async def goal_type(self, version: int, batch: int, goal: str) -> FoundType:
        """The type of a goal in a batch memory, as it was in a version."""
        asking = ListTypes(version=version, batch=batch, text=goal)
        return await self._find(asking, context="", new=f"New goal: {on_one_line(goal)}", observations=False)

    async def observation_type(
        self, version: int, batch: int, goal: str, goal_type: int, observation: str
    ) -> FoundType:
        """The type of an observation among those of a goal type."""
        asking = ListTypes(version=version, batch=batch, goal_type=goal_type, text=observation)
        context, new = f"Goal: {on_one_line(goal)}.", f"New observation: {on_one_line(observation)}"
        return await self._find(asking, context=context, new=new, observations=True)

    async def _find(self, asking: ListTypes, *, context: str, new: str, observations: bool) -> FoundType:
        listed = await self.roles.ask(asking)
        types = listed.types
        if listed.known is not None:
            return FoundType(listed.known, types)
        if len(types) <= 1:
            return FoundType(types[0].number if types else None, types)
        about = TypesToChooseFrom(types=types, context=context, new=new, observations=observations)
        answer = await self.asker.ask(INDEX, about)
        if isinstance(answer.found, Unanswered):
            return FoundType(None, types, answer.found.reason)
        return FoundType(types[answer.found - 1].number, types)
