"""What of a page can be seen without scrolling."""

from typing import Final, TypeAlias

from quintet.environments.webarena.observation.nodes import Box

ViewportSize: TypeAlias = tuple[int, int]
"""Width and height in CSS pixels."""

VIEWPORT: Final[ViewportSize] = (1280, 720)


def in_view(box: Box | None, viewport: ViewportSize = VIEWPORT) -> bool:
    """Whether some of it can be seen; what has no area, or is not laid out, cannot.

    Source: the released code, whose threshold of 0.6 compares the seen area with height over width, and so asks for
    little more than some area.
    """
    if box is None or box.width <= 0 or box.height <= 0:
        return False
    return box.x < viewport[0] and box.y < viewport[1] and box.x + box.width > 0 and box.y + box.height > 0
