"""Finds the type of a goal or an observation in a memory. A text that the memory has itself has its type."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.memory import Classify, Recall
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.store import ListedType, ListTypes
from quintet.parsing.answers import reason
from quintet.parsing.indices import read_index
from quintet.parsing.json_form import on_one_line
from quintet.ports.roles import Roles
from quintet.roles.conversations import paragraphs
from quintet.roles.role_model import RoleModel

_LONGEST_EXAMPLE = 600
"""Characters of an example that are shown."""


class TypesToChooseFrom(Struct, frozen=True, kw_only=True):
    """Types, and a text that belongs to one of them."""

    types: tuple[ListedType, ...]
    context: str
    new: str


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


class Index:
    """Asks for the type of a text, and once more if the answer cannot be read. A single type is not asked for.

    Args:
        model: the memory's.
        roles: to ask the store.
        prompts: `classify` and `recall`, the instructions for goals and for observations.

    Source: LDM2, section 3.1, equation 3, and table 4.
    """

    def __init__(self, model: RoleModel, roles: Roles, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._roles = roles
        self._prompts = prompts

    async def goal_type(self, version: int, batch: int, goal: str) -> FoundType:
        """The type of a goal in a batch memory, as it was in a version."""
        listed = await self._roles.ask(ListTypes(version=version, batch=batch, text=goal))
        if listed.known is not None:
            return FoundType(listed.known, listed.types)
        return await self._ask(request_name(Classify), listed.types, "", f"New goal: {on_one_line(goal)}")

    async def observation_type(
        self, version: int, batch: int, goal: str, goal_type: int, observation: str
    ) -> FoundType:
        """The type of an observation among those of a goal type."""
        asking = ListTypes(version=version, batch=batch, goal_type=goal_type, text=observation)
        listed = await self._roles.ask(asking)
        if listed.known is not None:
            return FoundType(listed.known, listed.types)
        new = f"New observation: {on_one_line(observation)}"
        return await self._ask(request_name(Recall), listed.types, f"Goal: {on_one_line(goal)}.", new)

    async def _ask(self, prompt: str, types: Sequence[ListedType], context: str, new: str) -> FoundType:
        if len(types) <= 1:
            return FoundType(types[0].number if types else None, types)
        shown = paragraphs(context, "Types:", *(_shown(at, each) for at, each in enumerate(types, 1)), new)
        asked = Prompt(system(self._prompts[prompt])).extend(user(shown))
        words = self._model.reminder("index")

        def read(text: str) -> int | None:
            return read_index(text, len(types))

        what = "number of a type"
        sampling = replace(self._model.sampling, form="index")
        about = TypesToChooseFrom(types=tuple(types), context=context, new=new)
        place, completion = await self._model.ask(asked, sampling, read, what, words, about)
        if place is None:
            return FoundType(None, types, f"the model {reason(completion.finish, what)}")
        return FoundType(types[place - 1].number, types)


def _shown(place: int, listed: ListedType) -> str:
    """A type under its place in the list: numbers of types may have gaps."""
    examples = (on_one_line(text) for text in listed.examples)
    cut = (text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]} ..." for text in examples)
    return "\n".join((f"[{place}] {listed.name}", *(f"- {text}" for text in cut)))
