"""Styles in which models write, by kind, each with what is meant by it.

`read_before`: whether the readers took it so before they were mended for its kind; what they read right is read so for
good.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Style(NamedTuple):
    kind: str
    text: str
    expected: dict[str, Any]
    read_before: bool


def styles(reader: str) -> Iterator[Style]:
    for line in (Path(__file__).parent / f"{reader}.jsonl").read_text().splitlines():
        yield Style(**json.loads(line))
