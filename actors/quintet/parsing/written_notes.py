"""Finds the notes in a completion: each has a title, a description and a content, under labels or in an object.

Labels may stand on lines (`Title: ...`) or be headings (`## Title ...`), and notes may be numbered (`# Memory Item 1`,
`Workflow 2: ...`). A content keeps its lines.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from quintet.messages.notes import Note
from quintet.parsing.answers import EMPHASIS, MARK, answer_text, on_one_line, without_courtesies
from quintet.parsing.objects import as_lines, fields, first_object, items, value_at

NONE_WRITTEN: Final = "No notes."
"""The answer of a model that finds nothing worth a note."""

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title", "name"),
    "description": ("description", "summary"),
    "content": ("content", "text", "steps", "workflow"),
}
"""Of an object, by field."""
_WORDS = r"(?:(?P<title>title|name)|(?P<description>description|summary)|(?P<content>content|text|steps))"
_LABEL = re.compile(rf"{MARK}(?:[0-9]{{1,3}}[.)])?{EMPHASIS}{_WORDS}{EMPHASIS}[:：]{EMPHASIS}", re.IGNORECASE)
_HEADING = re.compile(rf"[ \t>]*+#[ \t#*_]*+{_WORDS}\b{EMPHASIS}[:：]?{EMPHASIS}", re.IGNORECASE)
_KIND = r"(?:(?:memory[ \t]++)?item|note|workflow|insight|lesson|strategy|routine)"
_BEGINS = re.compile(rf"{MARK}{_KIND}[ \t]*+\#?[0-9]{{1,3}}{EMPHASIS}(?:[:：.]{EMPHASIS}|$)", re.IGNORECASE)
_RULE = re.compile(r"[ \t]*+(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*+")
_NONE = re.compile(
    r"\W*(?:no[ \t]+(?:new[ \t]+)?(?:notes?|workflows?|items?|insights?|lessons?)|none)\W*"
    r"|\[\s*\]|\{\s*\"\w+\"\s*:\s*\[\s*\]\s*\}",
    re.IGNORECASE,
)


def read_notes(completion: str) -> tuple[Note, ...] | None:
    """The notes in a whole completion, in order; None: it has none, and does not say so. Any text is allowed.

    A note without a content has its description as one; without either it is left out.
    """
    text = answer_text(completion).strip()
    if _NONE.fullmatch(text):
        return ()
    return tuple(_from_object(text)) or tuple(_from_lines(without_courtesies(text))) or None


def _from_object(text: str) -> Iterator[Note]:
    """The notes of a list, of the first list of objects in an object, or of an object that is one."""
    found = value_at(text, 0) if text.startswith("[") else first_object(text) if text.startswith("{") else None
    said = fields(found.value) if found else {}
    lists = (items(value) for value in (found.value if found else (), *said.values()))
    for each in next((listed for listed in lists if any(map(fields, listed))), (said,)):
        yield from _note({name: _field(fields(each), keys) for name, keys in _KEYS.items()})


def _field(said: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := as_lines(said.get(key)))), "")


def _from_lines(text: str) -> Iterator[Note]:
    said: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        begins = _BEGINS.match(line)
        label = None if begins else _LABEL.match(line) or _HEADING.match(line)
        field = (label.lastgroup or "") if label else ""
        if begins or field == "title" or (field == "description" and field in said) or _RULE.fullmatch(line):
            yield from _note(_joined(said))
            said, name = {}, ""
        if begins:
            said, name = {"title": [line[begins.end() :]]}, "content"
        elif label and not (field == name and any(map(str.strip, said.get(name, ())))):
            said[field], name = [line[label.end() :]], field
        elif not line.strip() and name != "content":
            name = "content" if any(map(str.strip, said.get(name, ()))) else name
        elif name:
            said.setdefault(name, []).append(line)
    yield from _note(_joined(said))


def _joined(said: Mapping[str, list[str]]) -> Mapping[str, str]:
    return {name: "\n".join(lines) for name, lines in said.items()}


def _note(said: Mapping[str, str]) -> Iterator[Note]:
    title, description, content = (said.get(name, "").strip() for name in _KEYS)
    if text := content or on_one_line(description):
        yield Note(
            title=on_one_line(title).strip("*_` "),
            description=on_one_line(description) if content else "",
            text=text,
        )
