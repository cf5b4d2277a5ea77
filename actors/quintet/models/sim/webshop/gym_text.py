"""Reads the released text environment's form of a page, parts between ` [SEP] `, as the client's, a part a line.

It does not tell names of options from their values. A reader does: a name ends in a word such as `size` or `color`.
"""

import re
from collections.abc import Iterator, Sequence

_SEPARATOR = re.compile(r"\s*\[SEP\]\s*", re.IGNORECASE)
_BUTTON = re.compile(
    r"search|back to search|< prev|next >|description|features|reviews|buy now|[A-Z0-9]{10}(?<!\d{10})|\d{9}[\dX]",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:[a-z]+ ){0,3}(?:size|colou?r|style|scent|flavou?r|pattern|material|type|name|count|length|width|height|shape"
    r"|quantity|capacity|power|edition|model|finish|configuration|thickness|team|set|pack)",
    re.IGNORECASE,
)


def in_client_form(text: str) -> str:
    """A page in the client's form; any other text as it is."""
    parts = _SEPARATOR.split(text.strip())
    if len(parts) == 1:
        return text
    prices = [number for number, part in enumerate(parts) if part.lower().startswith("price: $")]
    begin = next((number for number, part in enumerate(parts) if part.lower() == "< prev"), len(parts)) + 1
    title = prices[0] - 1 if prices else 0
    if begin > title:
        return "\n".join(map(_line, parts))
    return "\n".join([*map(_line, parts[:begin]), *_options(parts[begin:title]), *map(_line, parts[title:])])


def _line(part: str) -> str:
    return f"[{part}]" if _BUTTON.fullmatch(part) else part


def _options(parts: Sequence[str]) -> Iterator[str]:
    """A line an option; the first part is a name whatever it is."""
    name, values = "", list[str]()
    for part in parts:
        if not name or (values and _NAME.fullmatch(part)):
            yield from [f"{name} {''.join(values)}"] if values else []
            name, values = part, []
        else:
            values.append(f"[{part}]")
    yield from [f"{name} {''.join(values)}"] if values else []
