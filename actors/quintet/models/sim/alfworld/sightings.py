"""Where texts show things: kinds of things, and the kinds of places in or on which they are.

A reader without common sense of places knows this alone. Worked examples, plans, reflections, states that are recalled
and what was seen in the task itself are read alike; a goal says where something is to be, and is not read. That one
should look somewhere shows nothing there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from quintet.models.sim.alfworld.task import kind_in, names_in

Sightings: TypeAlias = Mapping[str, tuple[str, ...]]
"""By kind of thing: kinds of places, the one that is shown most often first; of equals, the first one shown."""

_X = r"([a-z]+) [0-9]{1,9}"
_NUMBER = r"(?: [0-9]{1,9})?"
_VIEW = re.compile(rf"\b(?:in/on|on|in) the {_X}, (?:you see|i saw) ([^.\n]*)", re.IGNORECASE)
_OPEN = re.compile(rf"\bthe {_X} is open\. in it, you see ([^.\n]*)", re.IGNORECASE)
_A = r"(?:the |an? |some |any )?"
_IN = r"(?:in/on|from|inside|in|on|at)"
_FOUND = re.compile(
    rf"\b(?:take|took|taken|pick up|picked up|find|found|see|saw|seen|there (?:is|are|was|were)) {_A}([a-z]+){_NUMBER} "
    rf"{_IN} {_A}([a-z]+)\b",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"\b([a-z]+){_NUMBER} (?:is|are|was|were|lies|lie|lay)(?: (?:usually|often|mostly|always|kept|found|seen))* "
    rf"{_IN} {_A}([a-z]+)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:\b(?:not|never|cannot|no)|n't)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE)
_GOAL = re.compile(r"^[ \t]*(?:goal|your task is to)[ \t]*:.*$", re.MULTILINE | re.IGNORECASE)


def sightings_in(texts: Iterable[str]) -> Sightings:
    """What texts show, all together."""
    shown = Counter(pair for text in texts for pair in _pairs(text))
    places: dict[str, list[str]] = {}
    for (thing, place), _ in shown.most_common():
        places.setdefault(thing, []).append(place)
    return {thing: tuple(found) for thing, found in places.items()}


@lru_cache(maxsize=16384)
def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_shown(_GOAL.sub("", text)))


def _shown(text: str) -> Iterator[tuple[str, str]]:
    for form in (_VIEW, _OPEN):
        for view in form.finditer(text):
            yield from ((kind_in(name), view[1].lower()) for name in names_in(view[2]))
    for form in (_FOUND, _IS):
        for said in form.finditer(text):
            if not _NEGATED.search(text, max(0, said.start() - 40), said.start()):
                yield _singular(said[1]), _singular(said[2])


def _singular(word: str) -> str:
    word = word.lower()
    return word.removesuffix("s") if not word.endswith("ss") else word
