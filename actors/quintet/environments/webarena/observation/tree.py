"""The tree that a model sees of a page, and the elements that its actions may name."""

from collections.abc import Mapping

from msgspec import Struct

from quintet.environments.webarena.observation.nodes import Box, CapturedPage

VIEWPORT = (1280, 720)


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


def read_tree(page: CapturedPage, viewport: tuple[int, int] = VIEWPORT) -> PageTree:
    """Read a page. The same page gives the same numbers, in any browser and any session."""
    raise NotImplementedError
