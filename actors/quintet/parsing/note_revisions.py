"""Parses what a model says about notes: operations on them, and tags of those that helped or misled.

An operation is asked for as a line of its own: `ADD [section]: text`, `EDIT 3: text`, `AGREE 3`. A tag likewise:
`Note 3: helpful`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from quintet.messages.curation import Operation
from quintet.parsing.answers import EMPHASIS, MARK, SEPARATOR, answer_text, on_one_line
from quintet.parsing.objects import as_plain_text, fields, first_object, items

NO_CHANGES: Final = "NONE"
"""Stands for no operations."""

_OPERATIONS: Final[dict[str, Operation]] = {
    **dict.fromkeys(("ADD", "NEW", "CREATE"), "ADD"),
    **dict.fromkeys(("EDIT", "UPDATE", "MODIFY"), "EDIT"),
    **dict.fromkeys(("AGREE", "UPVOTE"), "AGREE"),
    **dict.fromkeys(("DISAGREE", "DOWNVOTE", "REMOVE", "DELETE"), "DISAGREE"),
}
"""ExpeL's and ACE's words for them too."""
_TAGS: Final = ("helpful", "harmful", "neutral")

_LINE = re.compile(
    rf"^{MARK}(?:[0-9]{{1,3}}[.)][ \t]+)?[*_`\[]*(?P<operation>{'|'.join(_OPERATIONS)})\b[\]*_`]*"
    r"(?:[ \t]*\(?(?:note[ \t]?)?[#\[]?(?P<note>[0-9]{1,9})\b[\])]?)?"
    r"(?:[ \t]*\[(?P<section>[^\[\]\n]{1,80})\])?"
    rf"{EMPHASIS}(?:[:：]{EMPHASIS}(?P<text>.*))?$",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING = re.compile(
    r"\W*(?:none|no[ ](?:(?:further|more)[ ])?(?:changes?|operations?|revisions?)(?:[ ](?:are|is)?[ ]?needed)?)\W*",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    rf"^{MARK}(?:note[ \t]?)?[#\[]?(?P<note>[0-9]{{1,9}})\]?{EMPHASIS}[:：=-]+{EMPHASIS}"
    rf"(?P<tag>{'|'.join(_TAGS)})\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTS = ("operations", "revisions", "changes")
_TEXTS = ("text", "content", "rule")
_IDS = ("note", "id", "number")

_PART = re.compile(
    rf"^{MARK}(?:(?P<insight>(?:the[ \t]|key[ \t])?insights?)|what[ \t](?:went|was)[ \t]wrong|mistakes?){SEPARATOR}",
    re.IGNORECASE | re.MULTILINE,
)


class ReadRevision(NamedTuple):
    """An operation as it was written."""

    operation: Operation
    note: int | None
    """The number that it names; None: none."""
    text: str
    """On one line."""
    section: str


class ReadReview(NamedTuple):
    """A review as it was written."""

    mistake: str
    """Empty: it says none."""
    insight: str
    tags: tuple[tuple[int, str], ...]
    """By note: `helpful`, `harmful` or `neutral`."""


def read_note_revisions(completion: str) -> tuple[ReadRevision, ...] | None:
    """The operations in a whole completion, in order; None if there are none, nor the word for it. Any text is allowed.

    One that adds or edits without a text is left out, and so is one of another kind that names no note.
    """
    text = answer_text(completion).strip()
    found = first_object(text) if "{" in text else None
    listed = [each for key in _LISTS for each in items(fields(found.value).get(key))] if found else []
    said = [*(_in_object(each) for each in listed)] or [*_in_lines(text)]
    whole = tuple(each for each in said if each is not None and _is_whole(each))
    nothing = _NOTHING.fullmatch(text) or (found is not None and _lists_nothing(found.value))
    return whole if whole or nothing else None


def read_review(completion: str) -> ReadReview | None:
    """The review in a whole completion; None if it has no insight. Any text is allowed."""
    text = answer_text(completion).strip()
    tags = tuple((int(each["note"]), each["tag"].lower()) for each in _TAGGED.finditer(text))
    said = _TAGGED.sub("", text)
    labels = [*_PART.finditer(said)]
    ends = [*(label.start() for label in labels[1:]), len(said)]
    parts = {
        label["insight"] is not None: on_one_line(said[label.end() : end])
        for label, end in zip(labels, ends, strict=False)
    }
    return ReadReview(parts.get(False, ""), parts[True], tags) if parts.get(True) else None


def _in_lines(text: str) -> Iterator[ReadRevision]:
    for line in _LINE.finditer(text):
        operation = _OPERATIONS[line["operation"].upper()]
        number = None if line["note"] is None else int(line["note"])
        section = line["section"] or ""
        yield ReadRevision(operation, number, on_one_line(line["text"] or ""), section.strip())


def _in_object(value: Any) -> ReadRevision | None:
    said = fields(value)
    operation = _OPERATIONS.get(_first(said, ("operation", "type")).strip().upper())
    if operation is None:
        return None
    number = next((said[key] for key in _IDS if type(said.get(key)) is int and said[key] >= 0), None)
    text, section = on_one_line(_first(said, _TEXTS)), _first(said, ("section",)).strip()
    return ReadRevision(operation, number, text, section)


def _first(said: dict[str, Any], keys: Sequence[str]) -> str:
    return next((found for key in keys if (found := as_plain_text(said.get(key)))), "")


def _is_whole(said: ReadRevision) -> bool:
    has_text = bool(said.text) or said.operation in ("AGREE", "DISAGREE")
    return has_text and (said.note is not None or said.operation == "ADD")


def _lists_nothing(value: Any) -> bool:
    said = fields(value)
    return any(said.get(key) == [] for key in _LISTS)
