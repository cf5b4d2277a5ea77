"""Parses clusters: text in; types with names, and the numbers that belong to each.

A type is asked for as a line of its own, `High-level Type1: name [1, 4, 7]`. Its label may be worded and dressed
otherwise, its numbers may be ranges (`3-6`) and go on over several lines, and its name may stand on the line above.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.objects import as_plain_text, fields, first_object, items

_WIDEST_RANGE = 10_000
"""Numbers of one range, as in `3-6`."""
_LONGEST_NAME = 200
"""Characters."""

_WORD = r"(?:#|no\.?[ ]?|number[ ])?"
_TO = r"[ ]?(?:-|–|—|to|through)[ ]?"
_SPAN = rf"{_WORD}[0-9]{{1,7}}(?:{_TO}{_WORD}[0-9]{{1,7}})?"
_SEPARATION = r"[ ]?(?:[,;、，]|\band\b|&|(?=[ ]))[ ]?(?:and[ ])?"
_LIST = rf"(?P<numbers>{_SPAN}(?:{_SEPARATION}{_SPAN})*+)[ ]?[,;.]?"
_INTRODUCED = r"(?:(?:numbers?|items?|goals?|observations?)[ ]?:?[ ])?"
_BRACKETED = re.compile(rf"[\[(]\[?[ ]?{_INTRODUCED}(?:{_LIST})?[ ]?\]?[\])]", re.IGNORECASE)
_TRAILING = re.compile(rf"(?:[:：=→]|[-–—][ ]|\|)[ *_`]*+{_INTRODUCED}{_LIST}[ *_`|]*+\Z", re.IGNORECASE)
_ALONE = re.compile(rf"[ *_`|+•-]*+{_INTRODUCED}{_LIST}\Z", re.IGNORECASE)
_READ_SPAN = re.compile(rf"([0-9]{{1,7}})(?:{_TO}{_WORD}([0-9]{{1,7}}))?", re.IGNORECASE)
_ACROSS_LINES = re.compile(r"\[[^\[\]A-Za-z]{1,20000}\]")
_LABEL = re.compile(
    rf"{MARK}(?:(?:high[ -]?level[ ]?)?(?:type|cluster|category|group|class)[ ]?#?[ ]?(?:[0-9]{{1,4}}|[A-Z]\b)?"
    rf"|[0-9]{{1,4}}(?=[.):]))(?P<end>{EMPHASIS}[.:：)\-–—|]*+[ *_`|]*+|\Z)",
    re.IGNORECASE,
)
_UNDRESS = " \t*_`\"'“”‘’:：-–—=→|,.#"
_LISTS = ("types", "clusters", "categories", "groups")
_NAMES = ("name", "type", "label", "category", "cluster", "title")
_NUMBERS = ("numbers", "items", "members", "goals", "observations", "indices", "ids")


class ItemCluster(NamedTuple):
    """A type."""

    name: str
    """Empty if the model gave none."""
    numbers: tuple[int, ...]
    """As written; they may be no items, and another cluster may have them too."""


def read_clusters(completion: str) -> tuple[ItemCluster, ...] | None:
    """The clusters in a whole completion, in order; None if there are none. Any text is allowed."""
    text = answer_text(completion).strip()
    found = first_object(text) if "{" in text else None
    clusters = tuple(_in_object(found.value) if found else ()) or tuple(_in_lines(text))
    return clusters or None


def _in_lines(text: str) -> Iterator[ItemCluster]:
    text = _ACROSS_LINES.sub(lambda listed: " ".join(listed[0].split()), text)
    name = ""
    for line in (" ".join(line.split()) for line in text.splitlines()):
        label = _LABEL.match(line)
        rest = line[label.end() :] if label else line
        listed = _last(rest)
        if listed is None and name and (alone := _ALONE.match(line)):
            yield ItemCluster(name, _numbers(alone["numbers"]))
            name = ""
        elif listed is not None:
            before = _bare(rest[: listed.start()]) or _bare(rest[listed.end() :])
            numbers = _numbers(listed["numbers"] or "")
            if label or before or name:
                yield ItemCluster(before or name, numbers)
            name = ""
        elif label or line.endswith((":", "**")):
            name = _bare(rest)


def _last(line: str) -> "re.Match[str] | None":
    """The list of numbers that a line ends with, or the last one in brackets."""
    bracketed = [*_BRACKETED.finditer(line)]
    if bracketed:
        return bracketed[-1]
    return _TRAILING.search(line)


def _bare(name: str) -> str:
    return name.strip(_UNDRESS)[:_LONGEST_NAME].rstrip()


def _numbers(listed: str) -> tuple[int, ...]:
    return tuple(number for span in _READ_SPAN.finditer(listed) for number in _span(int(span[1]), span[2]))


def _span(first: int, last: str | None) -> range:
    end = first if last is None else int(last)
    return range(first, end + 1) if end - first < _WIDEST_RANGE else range(0)


def _in_object(value: Any) -> Iterator[ItemCluster]:
    said = fields(value)
    listed = next((items(said[key]) for key in _LISTS if items(said.get(key))), ())
    for each in listed:
        of = fields(each)
        name = next((as_plain_text(of[key]) for key in _NAMES if as_plain_text(of.get(key))), "")
        numbers = next((_whole(of[key]) for key in _NUMBERS if _whole(of.get(key))), ())
        if name or numbers:
            yield ItemCluster(_bare(name), numbers)
    if not listed:
        yield from (_named(name, _whole(each)) for name, each in value.items() if _whole(each))


def _named(key: str, numbers: tuple[int, ...]) -> ItemCluster:
    label = _LABEL.match(key)
    return ItemCluster(_bare(key[label.end() :] if label else key) or _bare(key), numbers)


def _whole(value: Any) -> tuple[int, ...]:
    """A list of whole numbers, as numbers or as text."""
    if isinstance(value, str):
        return _numbers(value)
    return tuple(number for each in items(value) for number in _read(each))


def _read(value: Any) -> tuple[int, ...]:
    return (value,) if type(value) is int else _numbers(as_plain_text(value))
