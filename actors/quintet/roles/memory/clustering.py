"""Sorts texts into types that a model names: a long list in chunks, whose types are sorted into types again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import has_text, missing_answer
from quintet.parsing.clusters import ItemCluster, read_clusters
from quintet.parsing.json_form import on_one_line
from quintet.ports.model import Completion
from quintet.roles.branches import branches
from quintet.roles.role_model import RoleModel, once_more

_LONGEST_LIST = 24_000
"""Characters of the items of one prompt."""
_LONGEST_ITEM = 1_200
"""Characters of an item that are shown."""
_NUMBER = 6
"""Characters of an item's number and line end."""
_ANYTHING = "everything"
"""Names the only type where the model names none."""


class ItemsToSort(Struct, frozen=True, kw_only=True):
    """A list whose items a model sorts into types."""

    items: tuple[str, ...]
    heading: str


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


class Clustering:
    """Sorts texts into types.

    Texts that an answer leaves out are asked for once more. What is left out again goes into the smallest type.

    Args:
        model: the memory's.

    Source: LDM2, section 3.2, equations 7 and 8, and table 4. Differs: equal texts are one item; a list that is too
    long for one prompt is sorted in chunks at once, and the names of their types are then sorted in the same way; a
    single text is a type without asking.
    """

    def __init__(self, model: RoleModel) -> None:
        self._model = model

    async def types(self, texts: Sequence[str], instructions: str, heading: str) -> Types:
        """Sort texts into types.

        Args:
            texts: in the order in which they are listed; equal ones count once.
            instructions: what the texts are, and the form of the answer.
            heading: stands above the list.
        """
        chunks = [*_chunks([*dict.fromkeys(texts)])]
        if len(chunks) <= 1:
            return await self._of_chunk(chunks[0], instructions, heading) if chunks else Types(names=(), of={})
        async with branches() as group:
            begun = [group.start(self._of_chunk, chunk, instructions, heading) for chunk in chunks]
        parts = [branch.result() for branch in begun]
        names = [*dict.fromkeys(name for part in parts for name in part.names)]
        if len([*_chunks(names)]) < len(chunks):
            return _join(parts, await self.types(names, instructions, heading))
        return _join(parts, Types(names=tuple(names), of={name: at for at, name in enumerate(names, 1)}))

    async def _of_chunk(self, items: Sequence[str], instructions: str, heading: str) -> Types:
        if len(items) == 1:
            return Types(names=(_shown(items[0]) or _ANYTHING,), of={items[0]: 1})
        listed = "\n".join(f"{number}. {_shown(item)}" for number, item in enumerate(items, 1))
        prompt = Prompt(system(instructions)).extend(user(f"{heading}\n\n{listed}"))
        sampling = replace(self._model.sampling, form="clusters")
        about = ItemsToSort(items=tuple(items), heading=heading)
        completion = await self._model.complete(prompt, sampling, about)
        answers = [_assign(completion, len(items))]
        if (answers[0].missing or answers[0].invented) and has_text(completion.finish):
            again = once_more(prompt, completion, self._wrong(answers[0], completion))
            answers.append(_assign(await self._model.complete(again, sampling, about), len(items)))
        best = min(answers, key=lambda answer: (len(answer.missing), answer.invented))
        types = [[*numbers] for _, numbers in best.types] or [[]]
        for number in best.missing:
            min(types, key=len).append(number)
        return Types(
            names=tuple(name for name, _ in best.types) or (_ANYTHING,),
            of={items[number - 1]: at for at, numbers in enumerate(types, 1) for number in numbers},
            asked_again=len(answers) - 1,
            unassigned=len(best.missing),
            invented=sum(answer.invented for answer in answers),
        )

    def _wrong(self, answer: "_Assignment", completion: Completion) -> str:
        if not answer.types:
            words = self._model.reminder("clusters")
            return f"{missing_answer(completion.finish, 'type')}. {words}"
        missing = [f"These numbers are in no type: {', '.join(map(str, answer.missing))}."] if answer.missing else []
        invented = ["Some numbers are not in the list."] if answer.invented else []
        again = "Write all types again, with every number of the list in exactly one of them."
        return " ".join((*missing, *invented, again))


class _Assignment(NamedTuple):
    """What an answer assigns."""

    types: Sequence[ItemCluster]
    """Those that have items; each item is in the first type that names it."""
    missing: Sequence[int]
    invented: int


def _assign(completion: Completion, items: int) -> _Assignment:
    left = dict.fromkeys(range(1, items + 1))
    types: list[ItemCluster] = []
    invented = 0
    for cluster in (read_clusters(completion.text) if completion.finish == "stop" else None) or ():
        invented += sum(not 1 <= number <= items for number in cluster.numbers)
        own = tuple(number for number in dict.fromkeys(cluster.numbers) if number in left)
        for number in own:
            del left[number]
        if own:
            types.append(ItemCluster(cluster.name or f"type {len(types) + 1}", own))
    return _Assignment(types, [*left], invented)


def _join(parts: Sequence[Types], joined: Types) -> Types:
    """The types of several chunks as one list, by the types of their names."""
    every = (*parts, joined)
    return Types(
        names=joined.names,
        of={text: joined.of[part.names[number - 1]] for part in parts for text, number in part.of.items()},
        asked_again=sum(each.asked_again for each in every),
        unassigned=sum(each.unassigned for each in parts),
        invented=sum(each.invented for each in every),
    )


def _shown(text: str) -> str:
    line = on_one_line(text)
    return line if len(line) <= _LONGEST_ITEM else f"{line[:_LONGEST_ITEM]} ..."


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    """Items in order, as many at a time as a prompt may list; about the same number of characters in each."""
    ends = [*accumulate(len(_shown(item)) + _NUMBER for item in items)]
    chunks = -(-ends[-1] // _LONGEST_LIST) if ends else 0
    for _, chunk in groupby(zip(items, ends, strict=True), key=lambda each: (each[1] - 1) * chunks // ends[-1]):
        yield [item for item, _ in chunk]
