"""The tree that a model sees of a page, its words made safe, and the elements that its actions may name."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from quintet.environments.webarena.observation.nodes import AXNode, Box, CapturedPage, in_view

LONGEST_NAME: Final = 500
LONGEST_STATIC_TEXT: Final = 2_000
"""Of a StaticText: a comment or a description is read whole."""

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b.?"
)
_SPACE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of writing, and halves of characters."""


def safe_words(words: str, longest: int = LONGEST_NAME) -> str:
    """Words on one line without control characters and escape sequences, cut with `...` to `longest` characters."""
    if not words.isprintable():
        # An escape sequence is removed whole: so a page cannot hide one in what remains of another.
        words = _UNSEEN.sub("", _ESCAPE_SEQUENCE.sub("", _SPACE.sub(" ", words[: 4 * longest])))
    return words if len(words) <= longest else words[: longest - 3] + "..."


_HIDDEN_PROPERTIES: Final = frozenset(
    ("focusable", "editable", "readonly", "level", "settable", "multiline", "invalid", "url")
)
_DROPPED_IF_EMPTY: Final = frozenset(
    ("generic", "img", "list", "strong", "paragraph", "banner", "navigation", "Section", "LabelText", "Legend")
)
_DROPPED_ALWAYS: Final = frozenset(("listitem", "StaticText", "LineBreak", "MenuListPopup"))
"""If they are empty."""
_FIELDS: Final = frozenset(
    ("combobox", "textbox", "searchbox", "spinbutton", "listbox", "Date", "DateTime", "InputTime", "ColorWell")
)
"""Roles whose inner parts, such as typed text and the options of a closed list, have no boxes of their own."""
_OLD_ROLES: Final[Mapping[str, str]] = {"image": "img"}
"""Roles that Chromium has renamed since the prompts were published."""
_ROLE = re.compile(r"[A-Za-z]{1,40}")
_DEEPEST = 60
"""Levels of indentation. A page nested deeper would take space that grows with the square of its depth."""
_LINES_BEFORE = 3


class PageElement(Struct, frozen=True):
    """A node that actions may name, in view or not."""

    backend_id: int | None
    """The browser's number of it; None: it is not in the document."""
    role: str
    name: str
    """Safe to show, and cut."""
    box: Box | None
    """None: it is not laid out."""


class PageTree(Struct, frozen=True):
    """A page as a model sees it."""

    text: str
    """One node a line, indented by tabs: `[12] link 'Contact us'`."""
    elements: Mapping[int, PageElement]
    """By the number in the text; those out of view have numbers too."""


def read_tree(page: CapturedPage) -> PageTree:
    """Read a page. The same page gives the same numbers, in any browser and any session.

    Source: the released parser and its cleaning rules. Differs: docs/decisions/worlds.md.
    """
    lines: list[str] = []
    recent: deque[str] = deque(maxlen=_LINES_BEFORE)
    elements: dict[int, PageElement] = {}
    nodes = {node.node_id: node for node in page.nodes}
    waiting: list[tuple[str, int, Box | None]] = [(page.nodes[0].node_id, 0, None)] if page.nodes else []
    while waiting:
        node_id, depth, field_box = waiting.pop()
        node = nodes.pop(node_id, None)
        if node is None:
            continue
        role = _role(node)
        if not node.ignored and role != "InlineTextBox":
            element = _element(node, role, page.boxes, field_box)
            number = len(elements) + 1
            elements[number] = element
            if role in _FIELDS:
                field_box = element.box
            if role == "RootWebArea" or in_view(element.box):
                properties = " ".join(_properties(node))
                if not _is_empty(element, properties):
                    if role != "StaticText" or not _repeats(element.name, recent):
                        line = f"[{number}] {role} {element.name!r} {properties}".rstrip()
                        lines.append("\t" * min(depth, _DEEPEST) + line)
                        recent.append(f"{element.name} {properties}")
                    depth += 1
        waiting.extend([(child, depth, field_box) for child in reversed(node.children)])
    return PageTree("\n".join(lines), elements)


def _role(node: AXNode) -> str:
    role = node.role.value if node.role else None
    if not isinstance(role, str) or not _ROLE.fullmatch(role):
        return "generic"
    return _OLD_ROLES.get(role, role)


def _element(node: AXNode, role: str, boxes: Mapping[int, Box], field_box: Box | None) -> PageElement:
    box = field_box if node.backend_id is None else boxes.get(node.backend_id, field_box)
    name = node.name.value if node.name else None
    longest = LONGEST_STATIC_TEXT if role == "StaticText" else LONGEST_NAME
    return PageElement(node.backend_id, role, safe_words(name, longest) if isinstance(name, str) else "", box)


def _properties(node: AXNode) -> Iterator[str]:
    for each in node.properties:
        value = each.value.value
        if each.name not in _HIDDEN_PROPERTIES and isinstance(value, str | int | float) and value != "":
            yield f"{safe_words(each.name)}: {safe_words(str(value))}"


def _is_empty(element: PageElement, properties: str) -> bool:
    if element.role == "ListMarker":
        return not any(map(str.isalnum, element.name))
    if element.name.strip():
        return False
    return element.role in _DROPPED_ALWAYS or (element.role in _DROPPED_IF_EMPTY and not properties)


def _repeats(text: str, before: Iterable[str]) -> bool:
    """Whether a text says nothing that the lines before it do not say, as whole words."""
    text = text.strip()
    return not text or any(_says(line, text) for line in before)


def _says(line: str, text: str) -> bool:
    at = line.find(text)
    while at >= 0:
        end = at + len(text)
        if not (_joined(line[at - 1 : at], text[0]) or _joined(text[-1], line[end : end + 1])):
            return True
        at = line.find(text, at + 1)
    return False


def _joined(one: str, other: str) -> bool:
    """Whether two neighbouring characters may belong to one word or number."""
    if one.isdigit() or other.isdigit():
        return one + other not in (one, other) and (one.isalnum() or one in ".,") and (other.isalnum() or other in ".,")
    return one.isalnum() and other.isalnum()
