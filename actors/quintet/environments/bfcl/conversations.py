"""The conversations that the package's data has: messages of a user, tools, and an answer to each message."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from quintet.environments.bfcl.package import data_lines, more_tools_message, tool_docs

CONVERSATION_SETS: Final = ("base", "miss_func", "miss_param", "long_context")
_KINDS: Final = {
    "GorillaFileSystem": "files",
    "TradingBot": "trading",
    "TravelAPI": "travel",
    "VehicleControlAPI": "vehicle",
}
"""By the one API that an entry has of these four; a second one, if it has one, is of another kind."""


class Conversation(Struct, frozen=True, kw_only=True):
    """One entry of the data."""

    name: str
    kind: str
    messages: tuple[str, ...]
    """The user's, in order."""
    answers: tuple[tuple[str, ...], ...]
    """Calls that serve each message; none where the agent should ask, or say that it cannot do it."""
    apis: tuple[str, ...]
    config: Mapping[str, Mapping[str, Any]]
    """What the APIs begin with, by API."""
    tools: tuple[tuple[str, ...], ...]
    """Those that are shown with each message and not before, each as JSON."""
    long_context: bool


class _Message(Struct):
    content: str


class _Entry(Struct):
    """An entry of a file of questions, with the data's own names."""

    id: str
    question: tuple[tuple[_Message, ...], ...]
    initial_config: dict[str, dict[str, Any]]
    involved_classes: tuple[str, ...]
    missed_function: dict[str, tuple[str, ...]] = {}
    """By the number of a message, from 0: tools that are shown with it and not before."""


class _Answer(Struct):
    id: str
    ground_truth: tuple[tuple[str, ...], ...]


@cache
def conversations(split: str) -> Mapping[str, Conversation]:
    """Those of a split by name, in the data's order."""
    return {each.name: each for each in _read(split)}


def _read(split: str) -> Iterator[Conversation]:
    file = f"BFCL_v4_multi_turn_{split}.json"
    answers = {
        each.id: each.ground_truth
        for each in (msgspec.json.decode(line, type=_Answer) for line in data_lines(f"possible_answer/{file}"))
    }
    for line in data_lines(file):
        entry = msgspec.json.decode(line, type=_Entry)
        docs = {name: doc for api in entry.involved_classes for name, doc in tool_docs(api).items()}
        later = {int(number): [docs.pop(name) for name in names] for number, names in entry.missed_function.items()}
        tools = [later.get(number, []) for number in range(len(entry.question))]
        yield Conversation(
            name=entry.id,
            kind=next(kind for api, kind in _KINDS.items() if api in entry.involved_classes),
            messages=tuple(map(_message, entry.question, tools)),
            answers=answers[entry.id],
            apis=entry.involved_classes,
            config=entry.initial_config,
            tools=(tuple(docs.values()), *map(tuple, tools[1:])),
            long_context=split == "long_context",
        )


def _message(said: tuple[_Message, ...], further_tools: list[str]) -> str:
    return "\n".join((*further_tools, *([each.content.strip() for each in said] or [more_tools_message()])))
