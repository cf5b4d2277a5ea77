"""Pages for tests, as the browser would answer about them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from quintet.environments.webarena.observation.nodes import AXNode, AXProperty, AXValue, Box, CapturedPage

IN_VIEW = Box(10, 10, 100, 20)


@dataclass(frozen=True)
class Part:
    """A node of a page, with those below it."""

    role: str
    name: str = ""
    children: tuple["Part", ...] = ()
    properties: tuple[tuple[str, object], ...] = ()
    box: Box | None = IN_VIEW
    ignored: bool = False


@dataclass
class _Numbered:
    nodes: list[AXNode] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)


def page_of(*parts: Part, title: str = "A page", numbers_from: int = 1) -> CapturedPage:
    """A page whose root holds `parts`.

    Args:
        parts: Below the root.
        title: Of the page.
        numbers_from: The browser's numbers of its nodes.
    """
    built = _Numbered()
    waiting: list[tuple[int, Part]] = [(numbers_from, Part("RootWebArea", title, parts))]
    following = numbers_from + 1
    while waiting:
        number, part = waiting.pop(0)
        children = range(following, following + len(part.children))
        following = children.stop
        built.nodes.append(_node(number, part, children))
        if part.box is not None:
            built.boxes[number] = part.box
        waiting += zip(children, part.children, strict=True)
    return CapturedPage(url="http://pages.test/", title=title, nodes=tuple(built.nodes), boxes=built.boxes)


def _node(number: int, part: Part, children: Iterable[int]) -> AXNode:
    return AXNode(
        node_id=str(number),
        ignored=part.ignored,
        role=AXValue(part.role),
        name=None if part.ignored else AXValue(part.name),
        properties=tuple(AXProperty(name, AXValue(value)) for name, value in part.properties),
        children=tuple(map(str, children)),
        backend_id=number,
    )
