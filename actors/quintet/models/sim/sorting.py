"""Sorts texts into types by what they speak of: new types for a numbered list, or the nearest of known types.

A type holds neighbouring kinds of things, so that all types are about equal in size: as many as the list speaks of
areas. A new text belongs to the type whose name or examples speak of the same kind of thing, else of the same area,
else share most words with it. The type of a text is one question, misread as any other type.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.draws import Misreading

_ITEM = re.compile(r"^[ \t]*\d{1,7}[.)][ \t]+(\S[^\n]*)$", re.MULTILINE)
_TYPE = re.compile(r"^[ \t]*\[(\d{1,7})\][ \t]*:?[ \t]*([^\n]*)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^[ \t]*[-*•][ \t]+(\S[^\n]*)$", re.MULTILINE)
_NEW = re.compile(r"^new (?:goal|observation)[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"[a-z]+")
_MOST_NAMED = 5
_SAME_KIND, _SAME_AREA = 2.0, 1.0

_QUESTION = "is of type"


class Topic(NamedTuple):
    """What a text speaks of first."""

    area: str
    """`food`"""
    kind: str
    """`egg`"""


ReadTopic: TypeAlias = Callable[[str], Topic | None]
"""The topic of a goal or an observation of one world; None if it is not of this world."""


@dataclass(frozen=True)
class _Type:
    number: int
    name: str
    examples: tuple[str, ...]


def share_out(messages: Sequence[ChatMessage], read_topic: ReadTopic, misreading: Misreading) -> str | None:
    """Types for the items of the first numbered list; None if most items are not of this world."""
    listed = (_ITEM.findall(message.content) for message in messages if message.role == "user")
    items: list[str] = next(filter(None, listed), list[str]())
    topics = [read_topic(item) for item in items]
    if 2 * sum(topic is not None for topic in topics) <= len(topics):
        return None
    known = [topic or Topic("other", "other") for topic in topics]
    right = _about_equal(known)
    shares = range(max(right) + 1)
    members = defaultdict[int, list[int]](list)
    for number, (item, share) in enumerate(zip(items, right, strict=True), 1):
        others = [other for other in shares if other != share]
        members[misreading.answer(share, others, item, _QUESTION, item)].append(number)
    names = [_name([topic for topic, share in zip(known, right, strict=True) if share == number]) for number in shares]
    lines = [(names[share], members[share]) for share in shares if members[share]]
    return "\n".join(f"High-level Type{number}: {name} {numbers}" for number, (name, numbers) in enumerate(lines, 1))


def _about_equal(topics: Sequence[Topic]) -> list[int]:
    """For each topic the number of its type, from 0: kinds stay whole, and kinds of an area are neighbours."""
    places = defaultdict[Topic, list[int]](list)
    for place, topic in enumerate(topics):
        places[topic].append(place)
    wanted = len({topic.area for topic in topics})
    shares, before = [0] * len(topics), 0
    for topic in sorted(places):
        middle = before + len(places[topic]) / 2
        for place in places[topic]:
            shares[place] = int(middle * wanted / len(topics))
        before += len(places[topic])
    numbers = {share: number for number, share in enumerate(sorted(set(shares)))}
    return [numbers[share] for share in shares]


def _name(topics: Sequence[Topic]) -> str:
    areas = " and ".join(sorted({topic.area for topic in topics}))
    kinds = sorted({topic.kind for topic in topics})
    more = " and more" if len(kinds) > _MOST_NAMED else ""
    return f"{areas}: {', '.join(kinds[:_MOST_NAMED])}{more}"


def find_type(messages: Sequence[ChatMessage], read_topic: ReadTopic, misreading: Misreading) -> str | None:
    """The number of the type that a new text belongs to, with a reason; None if most texts are not of this world."""
    types, new = _read_types(messages[-1].content)
    shown = [new, *(example for each in types for example in each.examples)]
    if not types or 2 * sum(read_topic(text) is not None for text in shown) <= len(shown):
        return None
    topic = read_topic(new)
    right = max(types, key=lambda each: _likeness(new, topic, each, read_topic)).number
    others = [each.number for each in types if each.number != right]
    found = misreading.answer(right, others, new, _QUESTION, new)
    return f"[{found}]: " + (f"it is about {topic.kind}." if topic else "it reads most alike.")


def _read_types(text: str) -> tuple[list[_Type], str]:
    """The types, and the new text at the end."""
    news = [*_NEW.finditer(text)]
    if not news:
        return [], ""
    begin = news[-1]
    headings = [*_TYPE.finditer(text, 0, begin.start())]
    ends = [*(heading.start() for heading in headings[1:]), begin.start()]
    types = [
        _Type(int(each[1]), each[2], tuple(_EXAMPLE.findall(text, each.end(), end)))
        for each, end in zip(headings, ends, strict=False)
    ]
    return types, text[begin.end() :].strip()


def _likeness(new: str, topic: Topic | None, of: _Type, read_topic: ReadTopic) -> float:
    words = set(_WORD.findall(new.lower()))
    return max(_alike(topic, words, text, read_topic) for text in (of.name, *of.examples))


def _alike(topic: Topic | None, words: set[str], text: str, read_topic: ReadTopic) -> float:
    other, of_text = read_topic(text), set(_WORD.findall(text.lower()))
    shared = len(words & of_text) / (len(words | of_text) + 1)
    if topic is None:
        return shared
    if other == topic or (other is None and topic.kind in of_text):
        return _SAME_KIND + shared
    if (other is not None and other.area == topic.area) or (other is None and topic.area.lower() in text.lower()):
        return _SAME_AREA + shared
    return shared
