"""Rows of pictures. They are read by themselves: no replay, comparison or export needs them among the events."""

from typing import Final, NamedTuple

import msgspec

from quintet.events import Pictured
from quintet.journal.cells import Count, Row

PICTURE_SIZES: Final = "SELECT path, size FROM _pictures WHERE id BETWEEN ? AND ? ORDER BY id"
"""Of all pictures of an episode."""
PICTURE_AT: Final = "SELECT picture FROM _pictures WHERE id BETWEEN ? AND ? AND path = ?"
"""The one at a path of an episode."""


class SizeRow(NamedTuple):
    """A row of `PICTURE_SIZES`."""

    path: str
    size: Count


def encode_picture(event: Pictured) -> Row:
    """A picture's own columns."""
    return len(event.picture), event.picture


def decode_picture(columns: Row) -> bytes:
    """The picture of a row of `PICTURE_AT`."""
    (picture,) = columns
    if not isinstance(picture, bytes):
        raise msgspec.ValidationError(f"expected a picture, got {picture!r:.60}")
    return picture
