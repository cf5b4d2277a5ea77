"""What the browser says of a page: its accessibility nodes, and where each lies."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct


class Box(NamedTuple):
    """Where something lies, in CSS pixels from the viewport's upper left corner."""

    x: float
    y: float
    width: float
    height: float


class AXValue(Struct, frozen=True):
    """A value of DevTools' accessibility domain."""

    value: Any = None


class AXProperty(Struct, frozen=True):
    """A property of a node: `focused`, `expanded`."""

    name: str
    value: AXValue = AXValue()


class AXNode(
    Struct, frozen=True, rename={"node_id": "nodeId", "children": "childIds", "backend_id": "backendDOMNodeId"}
):
    """A node as `Accessibility.getFullAXTree` gives it; further fields are ignored."""

    node_id: str
    ignored: bool = False
    role: AXValue | None = None
    name: AXValue | None = None
    properties: tuple[AXProperty, ...] = ()
    children: tuple[str, ...] = ()
    """Their `node_id`s."""
    backend_id: int | None = None
    """The DOM node's number; None: there is none."""


class CapturedPage(Struct, frozen=True, kw_only=True):
    """A page at one moment."""

    url: str
    title: str
    nodes: tuple[AXNode, ...]
    """The root first."""
    boxes: Mapping[int, Box]
    """By `backend_id`; what is not laid out has none."""


def read_capture(url: str, title: str, accessibility: Any, layout: Any) -> CapturedPage:
    """Read what the browser answers about the page of a tab's main frame.

    Args:
        url: Of the tab.
        title: Of the tab.
        accessibility: The answer of `Accessibility.getFullAXTree`, without arguments.
        layout: The answer of `DOMSnapshot.captureSnapshot` with `computedStyles: []`.

    Raises:
        msgspec.ValidationError: an answer has another form.
    """
    raise NotImplementedError
