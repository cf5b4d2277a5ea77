"""What the browser says of a page: its accessibility nodes, and where each lies."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct, convert


class Box(NamedTuple):
    """Where something lies, in CSS pixels from the viewport's upper left corner."""

    x: float
    y: float
    width: float
    height: float


VIEWPORT: Final = (1280, 720)
"""Width and height in CSS pixels."""


def in_view(box: Box | None) -> bool:
    """Whether some of it can be seen; what has no area, or is not laid out, cannot.

    Source: the released code, whose threshold of 0.6 compares the seen area with height over width, and so asks for
    little more than some area.
    """
    if box is None or box.width <= 0 or box.height <= 0:
        return False
    return box.x < VIEWPORT[0] and box.y < VIEWPORT[1] and box.x + box.width > 0 and box.y + box.height > 0


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


class _DomNodes(Struct, rename={"backend_ids": "backendNodeId"}):
    backend_ids: tuple[int, ...]


class _LayoutNodes(Struct, rename={"indices": "nodeIndex"}):
    indices: tuple[int, ...]
    """Into the DOM nodes; a node that is laid out in parts stands here once for each."""
    bounds: tuple[Box, ...]
    """From the document's upper left corner."""


class _Document(Struct, rename={"scrolled_x": "scrollOffsetX", "scrolled_y": "scrollOffsetY"}):
    nodes: _DomNodes
    layout: _LayoutNodes
    scrolled_x: float = 0
    scrolled_y: float = 0


class _Layout(Struct):
    documents: tuple[_Document, ...]
    """That of the tab comes first, those of frames in it follow."""


class _Accessibility(Struct):
    nodes: tuple[AXNode, ...]


def read_capture(url: str, title: str, accessibility: Any, layout: Any) -> CapturedPage:
    """Read what the browser answers about the page of a tab's main frame.

    Args:
        accessibility: The answer of `Accessibility.getFullAXTree`, without arguments.
        layout: The answer of `DOMSnapshot.captureSnapshot` with `computedStyles: []`.

    Raises:
        msgspec.ValidationError: an answer has another form.
    """
    nodes = convert(accessibility, _Accessibility).nodes
    documents = convert(layout, _Layout).documents
    return CapturedPage(url=url, title=title, nodes=nodes, boxes=_boxes(documents[0]) if documents else {})


def _boxes(document: _Document) -> dict[int, Box]:
    boxes: dict[int, Box] = {}
    backend_ids = document.nodes.backend_ids
    for index, (x, y, width, height) in zip(document.layout.indices, document.layout.bounds, strict=False):
        if 0 <= index < len(backend_ids):
            box = Box(x - document.scrolled_x, y - document.scrolled_y, width, height)
            before = boxes.get(backend_ids[index])
            boxes[backend_ids[index]] = box if before is None else _around(before, box)
    return boxes


def _around(one: Box, other: Box) -> Box:
    x, y = min(one.x, other.x), min(one.y, other.y)
    right, bottom = max(one.x + one.width, other.x + other.width), max(one.y + one.height, other.y + other.height)
    return Box(x, y, right - x, bottom - y)
