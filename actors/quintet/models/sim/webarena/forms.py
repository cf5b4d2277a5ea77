"""Fills forms: which field takes which text of a goal, and which button sends it."""

import re
from collections.abc import Iterator

from quintet.models.sim.stems import stem_of, tokens
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.task import WebGoal
from quintet.models.sim.webarena.words import says_nothing, web_stems

_SENDS = web_stems("save submit create post add send update confirm apply comment reply place order publish")
_PASSWORD = re.compile(r"password|search|filter", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|as|is|with|by|of|for|named|called|titled|saying|rating)\b:? ", re.IGNORECASE)
_UNTIL = re.compile(r"[,;.]? (?:and|on|in|for|with|to|from)\b|[,;.](?: |\Z)|\Z")
_FIGURES = web_stems("number phone price quantity code date tracking")
_FIGURE = re.compile(r" ?\$?[\w/-]*\d(?:[\w/-]|[.,](?=\d))*")
"""What a label of figures takes: the next word, which has a digit."""
_COUNTS = web_stems("quantity")
_WANTED = re.compile(r"\b([1-9]\d{0,2}) (?:of|x|pieces|units|copies)\b", re.IGNORECASE)
_SHOWS_LESS = re.compile(r"(?:apply|search|filter|show|go)(?: filters?| report)?", re.IGNORECASE)
_CHOICES = frozenset(("option", "radio", "checkbox"))
_ERROR = re.compile(r"\b(?:required|error|invalid|blank|must|cannot|can't|failed|not found|denied)\b", re.IGNORECASE)


def fillings(goal: WebGoal, page: BrowsedPage) -> Iterator[tuple[BrowsedNode, str]]:
    """The fields of a page that the goal has something for, with the text."""
    taken: set[str] = set()
    shown = page.nodes[: page.footer]
    fields = [
        node
        for node in shown
        if node.role in ("textbox", "spinbutton") and not _PASSWORD.search(node.name) and not only_filters(page, node)
    ]
    for node in fields:
        value = _value_for(goal, node.stems)
        if value and value not in taken:
            taken.add(value)
            yield node, value
    left = [text for _, text in goal.quoted if text not in taken]
    unnamed = [node for node in fields if not node.stems & goal.words and "True" in node.properties.get("required", "")]
    yield from zip(unnamed or fields[: not taken], left, strict=False)


def _value_for(goal: WebGoal, label: frozenset[str]) -> str:
    """What the goal says right behind the words of a label, or how many it wants: `set the title to X`."""
    if label & _COUNTS and (wanted := _WANTED.search(goal.text)):
        return wanted[1]
    if not label & goal.words:
        return ""
    for found in re.finditer(r"[\w'-]+", goal.text):
        if not web_stems(found[0]) & label:
            continue
        rest = goal.text[found.end() :]
        behind = _TO.match(rest.lstrip(" "))
        start = len(rest) - len(rest.lstrip(" ")) + (behind.end() if behind else 0)
        quote = next((text for place, text in goal.quoted if 0 <= place - found.end() - start <= 1), "")
        if quote:
            return quote
        if code := next((value for value in goal.values if rest[start:].startswith(value)), ""):
            return code
        if label & _FIGURES and (figure := _FIGURE.match(rest, start)):
            return figure[0].strip()
        if behind and (until := _UNTIL.search(rest, start)):
            return rest[start : until.start()].strip()
    return ""


def options_meant(goal: WebGoal, page: BrowsedPage) -> Iterator[BrowsedNode]:
    """Options of lists, radio buttons and checkboxes that the goal names, in its own words, and that are not chosen."""
    said = web_stems(goal.text)
    words = {stem_of(word) for word in tokens(goal.text)}
    for node in page.nodes:
        if node.role not in _CHOICES or not (node.stems and node.stems <= said and _is_open_choice(node)):
            continue
        if not {stem_of(word) for word in tokens(node.name)} <= words:
            continue
        if goal.purpose != "change" or not only_filters(page, node):
            yield node


def only_filters(page: BrowsedPage, node: BrowsedNode) -> bool:
    """Whether the form of a field only chooses what a page shows."""
    after = page.nodes[page.nodes.index(node) + 1 :]
    button = next((each for each in after if each.role == "button" and "expanded" not in each.properties), None)
    return button is not None and _SHOWS_LESS.fullmatch(button.name) is not None


def _is_open_choice(node: BrowsedNode) -> bool:
    if node.role == "option":
        return node.properties.get("selected") != "True"
    return node.role in ("radio", "checkbox") and node.properties.get("checked") == "false"


def buttons_for(goal: WebGoal, page: BrowsedPage, *, filled: bool) -> Iterator[BrowsedNode]:
    """The buttons that do what the goal says, the most telling first; those that send a form only if one is filled."""
    said = web_stems(goal.text)
    buttons = [node for node in page.nodes if node.role == "button" and node.properties.get("disabled") != "True"]
    telling = [node for node in buttons if node.stems and node.stems <= said and not _is_frame(node)]
    yield from sorted(telling, key=lambda node: -len(node.stems))
    if filled:
        last = max((node.number for node, _ in fillings(goal, page)), default=0)
        sends = [node for node in buttons if node.stems & _SENDS and node not in telling]
        yield from sorted(sends, key=lambda node: node.number < last)


def _is_frame(node: BrowsedNode) -> bool:
    return all(map(says_nothing, node.name.split()))


def shows_error(page: BrowsedPage) -> bool:
    """Whether a page says that something was not accepted."""
    near = [number + 1 for number, node in enumerate(page.nodes) if node.role == "alert"]
    texts = [node.name for node in page.nodes if node.role == "alert"]
    texts += [page.nodes[number].name for number in near if number < len(page.nodes)]
    return any(_ERROR.search(text) for text in texts)
