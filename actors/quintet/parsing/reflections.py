"""Parses the parts of a reflection: text in; the same text out, without labels and courtesies."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from quintet.parsing.answers import EMPHASIS, MARK, SEPARATOR, TAG, answer_text, without_courtesies
from quintet.parsing.objects import as_lines, fields, first_object

Part: TypeAlias = Literal["summary", "flaws", "revision"]

_LABELS: Mapping[Part, str] = {
    "summary": r"(?:summar(?:y|ies)|(?:in|to)[ \t]summar(?:y|i[sz]e))",
    "flaws": r"(?:flaws?(?:[ \t]identification|[ \t]analysis)?|(?:flawed|wrong)[ \t]parts?)",
    "revision": r"(?:plan[ \t])?(?:revisions?|suggestions?|changes?)",
}
_ANY_PART = r"(?:reflections?|thoughts?|analysis|findings|observations?|answer|response|text)"
"""Labels that fit any part: the text under them is the requested part."""
_WHICH = (
    r"(?:(?:list[ \t]of|the|a|my|suggested|identified|proposed|recommended|job|short|brief|step-by-step"
    r"|sequential)[ \t]++){0,3}"
)
_OF = (
    r"(?:[ \t](?:identified|found|noted))?"
    r"(?:[ \t](?:of|for|in|to)[ \t][^\n:.]{1,40}?|[ \t]suggestions?|[ \t]\([^()\n]{1,30}\))?"
)
_NUMBER = rf"(?:[0-9][.)]{EMPHASIS})?"


def _label(words: str, marks: str) -> str:
    """A label followed by a sign, or alone on its line."""
    return rf"{marks}{_NUMBER}\[?{_WHICH}{words}{_OF}\]?(?:{SEPARATOR}|[ \t]--?\s|[ \t*_#]*+(?:\n|\Z))"


_BEGINS: Mapping[Part, re.Pattern[str]] = {
    part: re.compile(_label(f"(?:{words}|{_ANY_PART})", MARK), re.IGNORECASE) for part, words in _LABELS.items()
}
_HEADING = r"^[ \t>#*_`]*+"
_SECTION = re.compile(
    "|".join(f"(?P<{part}>{_label(words, _HEADING)})" for part, words in _LABELS.items()), re.IGNORECASE | re.MULTILINE
)
_TAG = re.compile(rf"{TAG}(?:summary|flaws?|revisions?|reflection|answer|response|output)>", re.IGNORECASE)
_QUOTED = re.compile(r'["“]([^"“”]*+)["”]')
_MOST_LAYERS = 8


class _Section(NamedTuple):
    part: Part
    start: int
    end: int


def read_part(completion: str, part: Part) -> str:
    """The requested part of a reflection; empty if the completion lacks it. Any text is allowed.

    Left out are its label, courtesies, and other parts under labels of their own.
    """
    read = read_parts(completion)
    if part in read:
        return read[part]
    text = _unpacked(_untagged(completion))
    labelled = _SECTION.search(text)
    # A text under the label of another part alone may still be the requested one.
    return _unlabelled(text[: labelled.start()] if labelled and labelled.start() else text, part)


def read_parts(completion: str) -> dict[Part, str]:
    """The parts under labels, in the order of the completion; any text is allowed."""
    text = _untagged(completion)
    if packed := _from_object(text):
        return packed
    sections = [*_sections(text)]
    read: dict[Part, str] = {}
    ends = [*(section.start for section in sections[1:]), len(text)]
    for section, end in zip(sections, ends, strict=False):
        said = _unlabelled(text[section.end : end], section.part)
        # For a repeated part, the first text counts.
        read[section.part] = read.get(section.part) or said
    return read


def _untagged(completion: str) -> str:
    return _TAG.sub("", answer_text(completion)).strip()


def _sections(text: str) -> Iterator[_Section]:
    for found in _SECTION.finditer(text):
        part: Part = next(part for part in _LABELS if found.group(part))
        yield _Section(part, found.start(), found.end())


def _said(text: str) -> dict[str, Any]:
    found = first_object(text) if text.startswith("{") else None
    return fields(found.value) if found else {}


def _unpacked(text: str) -> str:
    """The text of an object that names no part, or in quotation marks; any other as it is."""
    packed = next(
        (read for key, value in _said(text).items() if re.fullmatch(_ANY_PART, key) and (read := as_lines(value))), ""
    )
    quoted = _QUOTED.fullmatch(text)
    return packed or (quoted[1] if quoted else text)


def _from_object(text: str) -> dict[Part, str]:
    said = _said(text)
    return {
        part: read
        for key, value in said.items()
        for part, words in _LABELS.items()
        if re.fullmatch(words, key.replace("_", " ")) and (read := as_lines(value))
    }


def _unlabelled(text: str, part: Part) -> str:
    """A text without the labels and courtesies that it begins with."""
    for _ in range(_MOST_LAYERS):
        text = without_courtesies(text)
        begin = 0
        while found := _BEGINS[part].match(text, begin):
            begin = found.end()
        if not begin:
            break
        text = text[begin:]
    return text.strip()
