"""Sorts texts into types that a model names: a long list in chunks, whose types are sorted into types again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from quintet.questions.remembering import CLUSTERS, ItemsToSort, SortedItems, shown_item
from quintet.roles.asking import Asker
from quintet.roles.branches import branches

_LONGEST_LIST = 24_000
"""Characters of the items of one prompt."""
_NUMBER = 6
"""Characters of an item's number and line end."""
_ANYTHING = "everything"
"""Names the only type where the model names none."""


@dataclass(frozen=True)
class Types:
    """Types, and the type of each text."""

    names: tuple[str, ...]
    """By number, from 1."""
    of: Mapping[str, int]
    """The number of each text's type."""
    asked_again: int = 0
    unassigned: int = 0
    invented: int = 0
    """Counts, as in `Formed`."""


@dataclass(frozen=True)
class Clustering:
    """Sorts texts into types.

    Texts that an answer leaves out are asked for once more. What is left out again goes into the smallest type.

    Source: LDM2, section 3.2, equations 7 and 8, and table 4. Differs: equal texts are one item; a list that is too
    long for one prompt is sorted in chunks at once, and the names of their types are then sorted in the same way; a
    single text is a type without asking.
    """

    asker: Asker

    async def types(self, texts: Sequence[str], heading: str, *, observations: bool) -> Types:
        """Sort texts, each once and in their order, into types of observations, or else of goals."""
        chunks = [*_chunks([*dict.fromkeys(texts)])]
        if len(chunks) <= 1:
            return await self._of_chunk(chunks[0], heading, observations) if chunks else Types(names=(), of={})
        async with branches() as group:
            begun = [group.start(self._of_chunk, chunk, heading, observations) for chunk in chunks]
        parts = [branch.result() for branch in begun]
        names = [*dict.fromkeys(name for part in parts for name in part.names)]
        if len([*_chunks(names)]) < len(chunks):
            return _join(parts, await self.types(names, heading, observations=observations))
        return _join(parts, Types(names=tuple(names), of={name: at for at, name in enumerate(names, 1)}))

    async def _of_chunk(self, items: Sequence[str], heading: str, observations: bool) -> Types:
        if len(items) == 1:
            return Types(names=(shown_item(items[0]) or _ANYTHING,), of={items[0]: 1})
        about = ItemsToSort(items=tuple(items), heading=heading, observations=observations)
        answer = (await self.asker.ask(CLUSTERS, about)).found
        assert isinstance(answer, SortedItems)
        types = [[*numbers] for _, numbers in answer.types] or [[]]
        for number in answer.missing:
            min(types, key=len).append(number)
        return Types(
            names=tuple(name for name, _ in answer.types) or (_ANYTHING,),
            of={items[number - 1]: at for at, numbers in enumerate(types, 1) for number in numbers},
            asked_again=answer.asked_again,
            unassigned=len(answer.missing),
            invented=answer.invented,
        )


def _join(parts: Sequence[Types], joined: Types) -> Types:
    every = (*parts, joined)
    return Types(
        names=joined.names,
        of={text: joined.of[part.names[number - 1]] for part in parts for text, number in part.of.items()},
        asked_again=sum(each.asked_again for each in every),
        unassigned=sum(each.unassigned for each in parts),
        invented=sum(each.invented for each in every),
    )


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    """Items in order, as many at a time as a prompt may list; about the same number of characters in each."""
    ends = [*accumulate(len(shown_item(item)) + _NUMBER for item in items)]
    chunks = -(-ends[-1] // _LONGEST_LIST) if ends else 0
    for _, chunk in groupby(zip(items, ends, strict=True), key=lambda each: (each[1] - 1) * chunks // ends[-1]):
        yield [item for item, _ in chunk]
