"""Elements of a page by the browser's numbers of them: where they are now, and what they take."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from playwright.async_api import Error

from quintet.environments.webarena.browser.tab import Tab
from quintet.environments.webarena.observation.nodes import VIEWPORT

_CHOOSE: Final = """function(words) {
    const node = this.nodeType === Node.TEXT_NODE ? this.parentElement : this;
    const list = node?.closest("select");
    if (!list || list.disabled) return "disabled";
    let option = node.closest("option");
    if (!option) {
        const wanted = words.trim().toLowerCase();
        const label = each => each.label.trim().toLowerCase();
        const options = [...list.options];
        option = options.find(each => label(each) === wanted) || options.find(each => label(each).startsWith(wanted));
    }
    if (!option) return "missing";
    if (option.disabled) return "disabled";
    list.focus();
    const selected = list.multiple ? !option.selected : true;
    if (option.selected !== selected) {
        option.selected = selected;
        for (const type of ["input", "change"]) list.dispatchEvent(new Event(type, {bubbles: true}));
    }
    return "";
}"""
"""Chooses an option: the node's own, or of a list the one with these words."""

_OF_PARTS: Final = frozenset(("date", "datetime-local", "month", "time", "week"))
"""Kinds of `input` that have a field for each part of a date or a time."""
_BUTTONS: Final = frozenset(("button", "submit", "reset", "image", "checkbox", "radio", "range", "color"))


class FoundElement(Struct, frozen=True):
    """An element as it is now."""

    tag: str
    """In lower case; `#text` for a text."""
    kind: str
    """Its attribute `type`, in lower case."""
    middle: tuple[float, float] | None
    """Of the part that can be seen, in CSS pixels of the viewport; None: it has no area."""

    @property
    def takes_text(self) -> bool:
        """False where a click that comes before typing would follow a link or press a button."""
        return self.tag not in ("a", "button") and not (self.tag == "input" and self.kind in _BUTTONS)

    @property
    def has_parts(self) -> bool:
        """Whether it is a date or a time, in the midst of which a click begins with some later part."""
        return self.tag == "input" and self.kind in _OF_PARTS


class ElementGone(Exception):
    """The page has no such element any more."""


async def find_element(tab: Tab, backend_id: int, seconds: float) -> FoundElement:
    """Scroll an element into view if it is not, and say where it is; an `ElementGone` if it is not in the document."""
    scrolled, described, laid_out = await asyncio.gather(
        *(
            tab.devtools.ask(command, seconds, backendNodeId=backend_id)
            for command in ("DOM.scrollIntoViewIfNeeded", "DOM.describeNode", "DOM.getContentQuads")
        ),
        return_exceptions=True,
    )
    for answer in (scrolled, described, laid_out):
        if isinstance(answer, BaseException) and not isinstance(answer, Error):
            raise answer
    if isinstance(described, BaseException) or (isinstance(scrolled, Error) and "detached" in scrolled.message):
        raise ElementGone
    node: Mapping[str, Any] = described["node"]
    flat: Sequence[str] = node.get("attributes", ())
    attributes = dict(zip(flat[::2], flat[1::2], strict=True))
    quads: Sequence[Sequence[float]] = () if isinstance(laid_out, BaseException) else laid_out["quads"]
    return FoundElement(str(node["nodeName"]).lower(), attributes.get("type", "").lower(), _middle(quads))


async def choose_option(tab: Tab, backend_id: int, words: str, seconds: float) -> str:
    """Choose an option of a closed list, whose popup a browser without a window does not draw.

    Args:
        backend_id: of the option, or of its list.
        words: of the list's option: its label, or how that begins.

    Returns:
        Empty; `disabled` or `missing` if it cannot be chosen.

    Raises:
        ElementGone: the page has it no more.
    """
    try:
        # A world of our own: what the page's scripts redefine is not seen there.
        frames = await tab.devtools.ask("Page.getFrameTree", seconds)
        frame = frames["frameTree"]["frame"]["id"]
        world = await tab.devtools.ask("Page.createIsolatedWorld", seconds, frameId=frame)
        node = await tab.devtools.ask(
            "DOM.resolveNode", seconds, backendNodeId=backend_id, executionContextId=world["executionContextId"]
        )
        answer = await tab.devtools.ask(
            "Runtime.callFunctionOn",
            seconds,
            objectId=node["object"]["objectId"],
            functionDeclaration=_CHOOSE,
            arguments=[{"value": words}],
            returnByValue=True,
        )
    except Error as error:
        raise ElementGone from error
    return str(answer["result"].get("value", ""))


def _middle(quads: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The middle of the first part with an area in the viewport."""
    for quad in quads:
        left, right = max(min(quad[::2]), 0), min(max(quad[::2]), VIEWPORT[0])
        top, bottom = max(min(quad[1::2]), 0), min(max(quad[1::2]), VIEWPORT[1])
        if right > left and bottom > top:
            return (left + right) / 2, (top + bottom) / 2
    return None
