"""Reads a page back from the text that a model is shown of it."""

import re
from ast import literal_eval
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

_ELEMENT: Final = re.compile(r"""^\t*\[(\d+)\] (\w+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.MULTILINE)
_ADDRESS: Final = re.compile(r"^URL: (\S+)$", re.MULTILINE)


class ShownElement(NamedTuple):
    """An element in view."""

    number: int
    role: str
    name: str


class ShownPage(Struct, frozen=True):
    """What a text shows of a page."""

    url: str = ""
    """Empty: the text shows no page."""
    elements: Sequence[ShownElement] = ()

    def find(self, role: str, name: str, nth: int) -> int | None:
        """The number of the `nth` element of a role and a name, from 1; None: there is none."""
        found = [each.number for each in self.elements if (each.role, each.name) == (role, name)]
        return found[nth - 1] if len(found) >= nth else None


def read_shown_page(observation: str) -> ShownPage:
    """The page of an observation; the last one if it shows several.

    Args:
        observation: as `page_text` writes it, with the page's address below.
    """
    addresses = _ADDRESS.findall(observation)
    if not addresses:
        return ShownPage()
    elements = [
        ShownElement(int(number), role, literal_eval(name)) for number, role, name in _ELEMENT.findall(observation)
    ]
    return ShownPage(addresses[-1], elements)
